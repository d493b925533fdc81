/**
 * ReadModels over Redis: hashes with an index of the Query Engine per collection, a commit as one script. All keys of
 * a projection share a hash slot, `<namespace>:{<projection>}:…`, so that a commit is atomic on a cluster too:
 *
 *   …:builds            hash: `live` → build; per build `<n>` → version and signature, `<n>:at`, `<n>:made` and, once
 *                       it has been at the log's end, `<n>:whole`
 *   …:dropping          set of builds whose keys are still being deleted
 *   …:poisoned          hash: position → event set aside
 *   …:<build>:<collection>:<key>     a record; `…:<build>:<collection>` is its index
 *
 * What stands in Redis can be gone at any moment. Whoever finds no build makes one, and runners begin anew.
 *
 * Records are read, changed here and written whole: the step that writes them compares the checkpoint, so nobody has
 * changed them in between. What is not seen before a later commit (chunks of a revision) is written ahead of it, in
 * steps of its own, so that no step holds the server for long.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../failures.ts';
import type {
  Build,
  ChunkWrite,
  CollectionSchema,
  Doc,
  PoisonedEvent,
  Position,
  ProjectionSchema,
  Query,
  ReadModels,
  Write,
} from '../../ports.ts';
import { changed } from '../records.ts';
import type { ChunkWriter } from './redis-chunks.ts';
import { collectionIndex, layout, placeOf, putCommand, reckon, toSearch } from './redis-collections.ts';
import { type Command, plainMs, runStep, type Step, stepMs } from './redis-commit.ts';
import { type RedisConnection, script } from './redis-connection.ts';
import { dropIndex, ensureIndex, type Index, listIndexes, notThere, searchIndex } from './redis-index.ts';

/** The projection whose builds also hold the search index over the chunks. */
export const chunkProjection = 'chunks';

/** Where a projection keeps its keys. */
export const projectionKey = (namespace: string, projection: string) => `${namespace}:{${projection}}`;

/** The live build if there is one, else this one; of builds beside it the one of the same signature. */
const createScript = script(`
local live = redis.call('HGET', KEYS[1], 'live')
if ARGV[3] == 'live' and live then return live end
if ARGV[3] ~= 'live' then
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    if all[i + 1] == ARGV[2] and all[i] ~= 'live' and all[i] ~= live then return all[i] end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[1] .. ':at', '', ARGV[1] .. ':made', '0')
if ARGV[3] == 'live' then redis.call('HSET', KEYS[1], 'live', ARGV[1]) end
return ARGV[1]`);

const goLiveScript = script(`
if not redis.call('HGET', KEYS[1], ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'live', ARGV[1], ARGV[1] .. ':whole', '1')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.match(field, '^%d+$') and field ~= ARGV[1] then
    redis.call('HDEL', KEYS[1], field, field .. ':at', field .. ':made', field .. ':whole')
    redis.call('SADD', ARGV[2], field)
  end
end
return 1`);

const completedScript = script(`
if redis.call('HGET', KEYS[1], ARGV[1]) then redis.call('HSET', KEYS[1], ARGV[1] .. ':whole', '1') end
return 1`);

/** Records and their places, one after the other. */
const readScript = script(`
local found = {}
for i = 1, #ARGV do
  local record = redis.call('HMGET', ARGV[i], 'doc', 'made')
  found[i * 2 - 1], found[i * 2] = record[1], record[2]
end
return found`);
/** Records read at once: they hold the server for about a millisecond. */
const readMax = 250;

/** A record as it stands. */
interface Known {
  schema: CollectionSchema;
  key: string;
  /** Its key in Redis. */
  hash: string;
  /** null where there is none. */
  doc: Doc | null;
  /** Its place; null where there is none. */
  made: string | null;
  /** The turn of the chain it was last asked for. */
  turn: number;
}

/**
 * What this process knows of the records of a build as long as nobody else has written to it: commits build on it
 * while those before them are still under way.
 */
interface Chain {
  /** The checkpoint of the last commit that was begun. */
  at: string;
  /** How many records were made. */
  made: number;
  /** By collection and key. */
  known: Map<string, Map<string, Known>>;
  size: number;
  /** Counts the reading ahead. */
  turn: number;
}

/** Records a chain knows; beyond, those go that were last asked for so many turns ago that no commit is under way. */
const knownMax = 20_000;
const turnsKept = 10;

const newBuild = () => String(Date.now() * 1000 + Math.floor(Math.random() * 1000));

const stored = (checkpoint: Position | null) => checkpoint ?? '';

export interface RedisModelsOptions {
  redis: RedisConnection;
  namespace: string;
  projections: readonly ProjectionSchema[];
  /** Writes the chunks of the chunk projection; none where only reading is wanted. */
  chunks?: ChunkWriter;
}

export class RedisModels implements ReadModels {
  readonly #redis: RedisConnection;
  readonly #namespace: string;
  readonly #projections: ReadonlyMap<string, ProjectionSchema>;
  readonly #collections = new Map<string, { projection: string; schema: CollectionSchema }>();
  readonly #chunks: ChunkWriter | undefined;
  /** The live build of each projection as last seen. */
  readonly #live = new Map<string, string>();
  /** Builds whose indexes were seen to be in order. */
  readonly #checked = new Set<string>();
  #started = false;
  /** Something may be left to delete: since the start, a switch of builds or a death of chunks. */
  #mayHaveDead = true;
  readonly #cursors = new Map<string, string>();
  readonly #chains = new Map<number, Chain>();
  /** The last commit of chunks: the next one counts on from what it wrote. */
  #chunkTurn: Promise<unknown> = Promise.resolve();

  constructor({ redis, namespace, projections, chunks }: RedisModelsOptions) {
    this.#redis = redis;
    this.#namespace = namespace;
    this.#projections = new Map(projections.map((p) => [p.name, p]));
    this.#chunks = chunks;
    for (const { name, collections } of projections) {
      for (const schema of collections) this.#collections.set(schema.name, { projection: name, schema });
    }
  }

  #base(projection: string): string {
    return projectionKey(this.#namespace, projection);
  }

  #builds(projection: string): string {
    return `${this.#base(projection)}:builds`;
  }

  #indexName(projection: string, build: string, collection: string): string {
    return `${this.#base(projection)}:${build}:${collection}`;
  }

  #indexes(projection: ProjectionSchema, build: string): Index[] {
    return projection.collections.map((c) =>
      collectionIndex(this.#indexName(projection.name, build, c.name), c),
    );
  }

  /**
   * All builds; makes the first of a projection that has none. A build of another layout counts as of version 0: it
   * serves until another of today's has taken its place. Failure `newer_format`, at the first call only: an instance
   * of an older program goes on beside newer ones until it is stopped.
   */
  async builds(): Promise<Build[]> {
    const all: Build[] = [];
    for (const projection of this.#projections.values()) {
      let found = await this.#read(projection);
      if (!found.some((b) => b.live)) {
        await this.#create(projection, true);
        found = await this.#read(projection);
      }
      all.push(...found);
    }
    if (!this.#started) {
      for (const { name, version, live } of all) {
        const known = this.#projections.get(name)!.version;
        if (live && version > known)
          throw new Failure(
            'newer_format',
            `The read models hold ${name} of version ${version}, this program knows ${known}: start a newer Docent, or empty Redis to have them built again.`,
          );
      }
      this.#started = true;
    }
    for (const { name, version, build } of all) {
      const projection = this.#projections.get(name)!;
      if (version === projection.version) await this.#ensureIndexes(projection, String(build));
    }
    return all.sort((a, b) => a.build - b.build);
  }

  async #read(projection: ProjectionSchema): Promise<Build[]> {
    const key = this.#builds(projection.name);
    const fields = await this.#redis.call<Record<string, string>>(key, 'HGETALL', key);
    return Object.keys(fields)
      .filter((field) => /^\d+$/.test(field))
      .map((field) => {
        const [version, signature] = fields[field]!.split(' ');
        const strange = Number(version) === projection.version && signature !== signatureOf(projection);
        return {
          name: projection.name,
          version: strange ? 0 : Number(version),
          build: Number(field),
          checkpoint: fields[`${field}:at`] || null,
          live: fields.live === field,
        };
      });
  }

  /** Indexes first: a record in a build must never be without one. */
  async #create(projection: ProjectionSchema, live: boolean): Promise<string> {
    const proposed = newBuild();
    for (const index of this.#indexes(projection, proposed)) await ensureIndex(this.#redis, index);
    const key = this.#builds(projection.name);
    const build = await this.#redis.run<string>(
      createScript,
      key,
      proposed,
      `${projection.version} ${signatureOf(projection)}`,
      live ? 'live' : 'beside',
    );
    if (build !== proposed) {
      for (const { name } of this.#indexes(projection, proposed)) await dropIndex(this.#redis, name);
    }
    return build;
  }

  /** Once a build and process in full; afterwards only whether an index is missing. */
  async #ensureIndexes(projection: ProjectionSchema, build: string): Promise<void> {
    const indexes = this.#indexes(projection, build);
    if (projection.name === chunkProjection && this.#chunks)
      indexes.push(...(await this.#chunks.indexes(build)));
    const there = new Set(await listIndexes(this.#redis, this.#base(projection.name)));
    for (const index of indexes) {
      if (this.#checked.has(index.name) && there.has(index.name)) continue;
      await ensureIndex(this.#redis, index);
      this.#checked.add(index.name);
    }
  }

  async startBuild(name: string): Promise<Build> {
    const projection = this.#projections.get(name);
    if (projection === undefined) throw new Failure('not_found', `There is no projection ${name}.`);
    const build = await this.#create(projection, false);
    const found = (await this.#read(projection)).find((b) => String(b.build) === build);
    if (found === undefined) throw notThere();
    return found;
  }

  async goLive({ name, build }: Build): Promise<boolean> {
    const done = await this.#redis.run<number>(
      goLiveScript,
      this.#builds(name),
      String(build),
      `${this.#base(name)}:dropping`,
    );
    this.#mayHaveDead = true;
    return done === 1;
  }

  async completed({ name, build }: Build): Promise<void> {
    await this.#redis.run(completedScript, this.#builds(name), String(build));
  }

  /** Reckons with the letters of the texts; writes to one record count once. */
  gauge(): (writes: readonly Write[]) => number {
    const records = new Map<string, Map<string, number>>();
    let ms = 0;
    return (writes) => {
      for (const write of writes) {
        if (!('collection' in write)) {
          ms += 'chunks' in write ? write.chunks.length * plainMs : plainMs;
          continue;
        }
        let counted = records.get(write.collection);
        if (counted === undefined) {
          counted = new Map();
          records.set(write.collection, counted);
        }
        const before = counted.get(write.key) ?? 0;
        const now = reckon(this.#collection(write.collection).schema.fields, write);
        if (now <= before) continue;
        counted.set(write.key, now);
        ms += now - before;
      }
      return ms / stepMs;
    };
  }

  async commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned: readonly PoisonedEvent[] = [],
  ): Promise<boolean> {
    const step: Step = {
      key: this.#builds(build.name),
      build: String(build.build),
      expected: stored(build.checkpoint),
    };
    if (build.name === chunkProjection && this.#chunks) {
      const turn = this.#chunkTurn.then(() => this.#commitChunks(step, checkpoint, writes, poisoned));
      this.#chunkTurn = turn.catch(() => {});
      return turn;
    }
    let chain = this.#chains.get(build.build);
    const known = (chain: Chain) =>
      writes.every((w) => !('collection' in w) || chain.known.get(w.collection)?.has(w.key));
    if (chain?.at !== step.expected || !known(chain)) {
      chain = await this.#readAhead(build, writes);
      // Another commit has begun from the same place meanwhile: this one would build on what it changes.
      if (chain.at !== step.expected) return false;
    }
    const commands = this.#recordCommands(chain, build, writes);
    commands.push(...this.#poisonCommands(poisoned));
    chain.at = checkpoint;
    try {
      const done = await runStep(this.#redis, step, checkpoint, commands);
      if (!done) this.#chains.delete(build.build);
      return done;
    } catch (error) {
      this.#chains.delete(build.build);
      throw error;
    }
  }

  async #commitChunks(
    step: Step,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned: readonly PoisonedEvent[],
  ): Promise<boolean> {
    const chunkWrites = writes.filter((w): w is ChunkWrite => !('collection' in w));
    if (chunkWrites.length > 0) this.#mayHaveDead = true;
    let done = false;
    try {
      const planned = await this.#chunks!.plan(step, chunkWrites);
      if (planned === null) return false;
      done = await runStep(this.#redis, step, checkpoint, [...planned, ...this.#poisonCommands(poisoned)]);
      return done;
    } finally {
      this.#chunks!.settled(done);
    }
  }

  #poisonCommands(poisoned: readonly PoisonedEvent[]): Command[] {
    return poisoned.map((p) => ({
      args: ['HSET', `${this.#base(p.projection)}:poisoned`, p.position, JSON.stringify(p)],
      ms: plainMs,
    }));
  }

  /** Reads the records that the next commits of a build change. */
  async ahead(build: Build, writes: readonly Write[]): Promise<void> {
    await this.#readAhead(build, writes);
  }

  async #readAhead(build: Build, writes: readonly Write[]): Promise<Chain> {
    let chain = this.#chains.get(build.build);
    if (chain?.at !== stored(build.checkpoint)) {
      const key = this.#builds(build.name);
      const made = await this.#redis.call<string | null>(key, 'HGET', key, `${build.build}:made`);
      chain = { at: stored(build.checkpoint), made: Number(made ?? 0), known: new Map(), size: 0, turn: 0 };
      this.#chains.set(build.build, chain);
    }
    const { known } = chain;
    const turn = ++chain.turn;
    const missing: Known[] = [];
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const { collection, key } = write;
      let records = known.get(collection);
      if (records === undefined) {
        records = new Map();
        known.set(collection, records);
      }
      const there = records.get(key);
      if (there !== undefined) {
        there.turn = turn;
        continue;
      }
      const { schema } = this.#collection(collection);
      const hash = `${this.#indexName(build.name, String(build.build), collection)}:${key}`;
      const record: Known = { schema, key, hash, doc: null, made: null, turn };
      records.set(key, record);
      missing.push(record);
    }
    chain.size += missing.length;
    if (chain.size > knownMax) forget(chain);
    const reads: Promise<void>[] = [];
    for (let at = 0; at < missing.length; at += readMax) {
      const part = missing.slice(at, at + readMax);
      const hashes = part.map(({ hash }) => hash);
      reads.push(
        this.#redis.run<(string | null)[]>(readScript, this.#builds(build.name), ...hashes).then((found) => {
          for (const [n, record] of part.entries()) {
            const doc = found[n * 2];
            if (!doc) continue;
            record.doc = JSON.parse(doc);
            record.made = found[n * 2 + 1] ?? null;
          }
        }),
      );
    }
    try {
      await Promise.all(reads);
    } catch (error) {
      this.#chains.delete(build.build);
      throw error;
    }
    return chain;
  }

  /** Several writes to one record become one. */
  #recordCommands(chain: Chain, build: Build, writes: readonly Write[]): Command[] {
    /** Whether the records were there before. */
    const touched = new Map<Known, boolean>();
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const record = chain.known.get(write.collection)!.get(write.key)!;
      if (!touched.has(record)) touched.set(record, record.doc !== null);
      record.doc = changed(record.doc, write);
    }
    const commands: Command[] = [];
    const before = chain.made;
    for (const [record, existed] of touched) {
      const { schema, key, hash, doc } = record;
      if (doc === null) {
        if (existed) commands.push({ args: ['DEL', hash], ms: plainMs });
        record.made = null;
        continue;
      }
      record.made ??= placeOf(++chain.made);
      commands.push(putCommand(hash, schema.fields, key, doc, record.made));
    }
    if (chain.made !== before) {
      const counter = [`${build.build}:made`, String(chain.made)];
      commands.push({ args: ['HSET', this.#builds(build.name), ...counter], ms: plainMs });
    }
    return commands;
  }

  #collection(name: string): { projection: string; schema: CollectionSchema } {
    const found = this.#collections.get(name);
    if (found === undefined) throw new Failure('internal', `No projection declares a collection ${name}.`);
    return found;
  }

  /** The live build of a projection. Failure `unavailable` while there is none. */
  async liveBuild(projection: string): Promise<string> {
    const key = this.#builds(projection);
    const live = await this.#redis.call<string | null>(key, 'HGET', key, 'live');
    if (live === null) throw notThere();
    return live;
  }

  /** The live build of a projection, once it has been whole. Failure `unavailable` until then. */
  async completeBuild(projection: string): Promise<string> {
    const key = this.#builds(projection);
    const fields = await this.#redis.call<Record<string, string>>(key, 'HGETALL', key);
    if (fields.live === undefined || fields[`${fields.live}:whole`] !== '1') throw notThere();
    return fields.live;
  }

  /** Reads the live build; which one that is goes out with the reading and is compared afterwards. */
  async #fromLive<T>(projection: string, act: (build: string) => Promise<T>): Promise<T> {
    let build = this.#live.get(projection) ?? (await this.liveBuild(projection));
    for (;;) {
      const [live, result] = await Promise.allSettled([this.liveBuild(projection), act(build)]);
      if (live.status === 'rejected') throw live.reason;
      this.#live.set(projection, live.value);
      if (live.value === build) {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      }
      build = live.value;
    }
  }

  get(collection: string, key: string): Promise<Doc | null> {
    const { projection } = this.#collection(collection);
    return this.#fromLive(projection, async (build) => {
      const hash = `${this.#indexName(projection, build, collection)}:${key}`;
      const doc = await this.#redis.call<string | null>(hash, 'HGET', hash, 'doc');
      return doc === null ? null : JSON.parse(doc);
    });
  }

  async find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }> {
    const { projection, schema } = this.#collection(collection);
    const search = toSearch(schema, query);
    if (search === null) return { items: [], total: 0 };
    return this.#fromLive(projection, async (build) => {
      const { total, hits } = await searchIndex(
        this.#redis,
        this.#indexName(projection, build, collection),
        search.text,
        search.page,
        ...search.options,
      );
      return { items: hits.flatMap(({ fields }) => (fields.doc ? [JSON.parse(fields.doc)] : [])), total };
    });
  }

  async poisoned(): Promise<PoisonedEvent[]> {
    const all: PoisonedEvent[] = [];
    for (const name of this.#projections.keys()) {
      const key = `${this.#base(name)}:poisoned`;
      for (const json of await this.#redis.call<string[]>(key, 'HVALS', key)) all.push(JSON.parse(json));
    }
    return all.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
  }

  /** Deletes a slice of what nobody sees any more; false when there was nothing to do. */
  async sweep(limit: number): Promise<boolean> {
    if (!this.#mayHaveDead) return false;
    let more = false;
    for (const { name } of this.#projections.values()) {
      more = (await this.#sweepBuild(name, limit)) || more;
      if (name !== chunkProjection || !this.#chunks) continue;
      for (const { build } of await this.#read(this.#projections.get(name)!))
        more = (await this.#chunks.sweep(String(build), limit)) > 0 || more;
    }
    this.#mayHaveDead = more;
    return more;
  }

  /** Deletes keys of one build that is no longer served. */
  async #sweepBuild(projection: string, limit: number): Promise<boolean> {
    const base = this.#base(projection);
    const build = await this.#redis.call<string | null>(base, 'SRANDMEMBER', `${base}:dropping`);
    if (build === null) return false;
    const prefix = `${base}:${build}:`;
    if (!this.#cursors.has(prefix)) {
      for (const name of await listIndexes(this.#redis, base)) {
        if (name.startsWith(prefix)) await dropIndex(this.#redis, name);
      }
    }
    const [cursor, keys] = await this.#redis.call<[string, string[]]>(
      base,
      ...[
        'SCAN',
        this.#cursors.get(prefix) ?? '0',
        'MATCH',
        `${escapeGlob(prefix)}*`,
        'COUNT',
        String(limit),
      ],
    );
    if (keys.length > 0) await this.#redis.call(base, 'UNLINK', ...keys);
    if (cursor === '0') {
      this.#cursors.delete(prefix);
      await this.#redis.call(base, 'SREM', `${base}:dropping`, build);
    } else this.#cursors.set(prefix, cursor);
    return true;
  }

  async close(): Promise<void> {
    await this.#redis.close();
  }
}

function forget(chain: Chain): void {
  for (const records of chain.known.values()) {
    for (const [key, { turn }] of records) {
      if (turn > chain.turn - turnsKept) continue;
      records.delete(key);
      chain.size--;
    }
  }
}

const escapeGlob = (text: string) => text.replace(/[[\]*?\\^]/g, '\\$&');

/** What a build's keys look like: of another signature, they are made anew. */
function signatureOf({ collections }: ProjectionSchema): string {
  const shape = JSON.stringify([
    layout,
    collections.map(({ name, fields }) => [name, Object.entries(fields)]),
  ]);
  return createHash('sha256').update(shape).digest('hex').slice(0, 16);
}
