/**
 * Which builds of a projection there are, and where they keep their keys. All keys of a projection share a hash slot,
 * `<namespace>:{<projection>}:…`, so that a commit is atomic on a cluster too:
 *
 *   …:builds            hash: `live` → build; per build `<n>` → its shape, `<n>:at`, how many records were made
 *                       (`<n>:made:<collection>`) and are there (`<n>:held:<collection>`), the last token it was
 *                       written with (`<n>:fence`), once it has been at the log's end `<n>:whole`, and what was found
 *                       not to hold within it (`<n>:fault`)
 *   …:dropping          set of builds whose keys are still being deleted
 *   …:poisoned          hash: position → event set aside
 *   …:<build>:<collection>:<key>     a record; `…:<build>:<collection>` is its index
 *
 * The keys of the search index over the chunks are in redis-chunk-keys.ts.
 *
 * What stands in Redis can be gone at any moment. Whoever finds no build makes one, and runners begin anew.
 */
import { Failure } from '../../failures.ts';
import type { Balance, Build, CollectionSchema, ProjectionSchema } from '../../ports/read-models.ts';
import type { ChunkWriter } from './redis-chunks.ts';
import { collectionIndex } from './redis-collections.ts';
import type { Step } from './redis-commit.ts';
import { type Redis, script } from './redis-connection.ts';
import { createIndex, dropIndex, ensureIndex, type Index, listIndexes, notThere } from './redis-index.ts';
import type { RedisLeases } from './redis-leases.ts';
import { shapeOf, versionOf } from './redis-shape.ts';
import { BuildSweeper } from './redis-sweep.ts';

/** The projection whose builds also hold the search index over the chunks. */
export const chunkProjection = 'chunks';

/** Where a projection keeps its keys. */
export const projectionKey = (namespace: string, projection: string) => `${namespace}:{${projection}}`;

/** The live build if there is one, else this one; of builds beside it the one of the same shape. */
export const createScript = script(`
local live = redis.call('HGET', KEYS[1], 'live')
if ARGV[3] == 'live' and live then return live end
if ARGV[3] ~= 'live' then
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    if all[i + 1] == ARGV[2] and all[i] ~= 'live' and all[i] ~= live then return all[i] end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[1] .. ':at', '')
if ARGV[3] == 'live' then redis.call('HSET', KEYS[1], 'live', ARGV[1]) end
return ARGV[1]`);

export const goLiveScript = script(`
if not redis.call('HGET', KEYS[1], ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'live', ARGV[1], ARGV[1] .. ':whole', '1')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local build = string.match(field, '^%d+')
  if build and build ~= ARGV[1] then
    redis.call('HDEL', KEYS[1], field)
    if build == field then redis.call('SADD', ARGV[2], build) end
  end
end
return 1`);

export const markCompleteScript = script(`
if redis.call('HGET', KEYS[1], ARGV[1]) then redis.call('HSET', KEYS[1], ARGV[1] .. ':whole', '1') end
return 1`);

/** Says what does not hold within a build, if it is the live one. */
export const faultScript = script(`
if redis.call('HGET', KEYS[1], 'live') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. ':fault', ARGV[2])
return 1`);

/** Counts of a build's records: those ever made, and those there are. */
export const madeField = (build: string, collection: string) => `${build}:made:${collection}`;
export const heldField = (build: string, collection: string) => `${build}:held:${collection}`;

const newBuild = () => String(Date.now() * 1000 + Math.floor(Math.random() * 1000));

/** Makes, reads, switches and deletes the builds of these projections. */
export class RedisBuilds {
  readonly #redis: Redis;
  readonly #namespace: string;
  readonly #projections: ReadonlyMap<string, ProjectionSchema>;
  readonly #collections = new Map<string, { projection: string; schema: CollectionSchema }>();
  readonly #chunks: ChunkWriter | undefined;
  readonly #leases: RedisLeases | undefined;
  /** Names of indexes that were seen to be in order. */
  readonly #checked = new Set<string>();
  #started = false;
  readonly #sweeper: BuildSweeper;

  /** `chunks`: knows the further indexes of the chunk projection. `leases`: under which builds are written. */
  constructor(
    redis: Redis,
    namespace: string,
    projections: readonly ProjectionSchema[],
    chunks?: ChunkWriter,
    leases?: RedisLeases,
  ) {
    this.#redis = redis;
    this.#sweeper = new BuildSweeper(redis);
    this.#namespace = namespace;
    this.#projections = new Map(projections.map((p) => [p.name, p]));
    this.#chunks = chunks;
    this.#leases = leases;
    for (const { name, collections } of projections) {
      for (const schema of collections) this.#collections.set(schema.name, { projection: name, schema });
    }
  }

  #base(projection: string): string {
    return projectionKey(this.#namespace, projection);
  }

  /** The hash of a projection's builds. */
  key(projection: string): string {
    return `${this.#base(projection)}:builds`;
  }

  /** The hash of a projection's events set aside. */
  poisonedKey(projection: string): string {
    return `${this.#base(projection)}:poisoned`;
  }

  /** Begins all keys of a build. */
  prefix(projection: string, build: number | string): string {
    return `${this.#base(projection)}:${build}:`;
  }

  /** The index of a collection; begins the keys of its records. */
  indexName(projection: string, build: string, collection: string): string {
    return `${this.#base(projection)}:${build}:${collection}`;
  }

  recordKey(projection: string, build: string, collection: string, key: string): string {
    return `${this.indexName(projection, build, collection)}:${key}`;
  }

  /** Where a build must stand to be written to, and under which lease. */
  step({ name, build, checkpoint }: Build): Step {
    const token = this.#leases?.token(name) ?? '';
    return {
      key: this.key(name),
      build: String(build),
      expected: checkpoint ?? '',
      ...(token !== '' && { fence: { token, lost: () => this.#leases?.lost(name) } }),
    };
  }

  /** A collection and the projection that declares it. */
  collection(name: string): { projection: string; schema: CollectionSchema } {
    const found = this.#collections.get(name);
    if (found === undefined) throw new Failure('internal', `No projection declares a collection ${name}.`);
    return found;
  }

  /** What must hold among the records of a projection. */
  balanceOf(projection: string): Balance | undefined {
    return this.#projections.get(projection)?.balance;
  }

  /** Names of the collections of a projection. */
  collectionsOf(projection: string): string[] {
    return this.#projections.get(projection)?.collections.map(({ name }) => name) ?? [];
  }

  #indexes(projection: ProjectionSchema, build: string): Index[] {
    return projection.collections.map((c) =>
      collectionIndex(this.indexName(projection.name, build, c.name), c),
    );
  }

  /**
   * All builds; makes the first of a projection that has none. A build of another layout counts as of version 0: it
   * serves until another of today's has taken its place. Failure `newer_format`, at the first call only: an instance
   * of an older program goes on beside newer ones until it is stopped.
   */
  async all(): Promise<Build[]> {
    // Read before the builds: a report is void for a build that has moved since.
    const reports = (await this.#leases?.passed()) ?? [];
    const all = (await Promise.all([...this.#projections.values()].map((one) => this.#made(one)))).flat();
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
    const own = all.filter(
      ({ name, version }) =>
        (this.#leases?.holds(name) ?? true) && version === this.#projections.get(name)!.version,
    );
    await this.#ensureIndexes(own);
    for (const build of all) {
      const passed = reports.find((one) => one.build === build.build && one.projection === build.name);
      if (passed?.at && passed.checkpoint === build.checkpoint) build.passed = passed.at;
    }
    return all.sort((a, b) => a.build - b.build);
  }

  /** The builds of a projection; makes one where none serves. */
  async #made(projection: ProjectionSchema): Promise<Build[]> {
    const found = await this.of(projection);
    if (found.some((b) => b.live)) return found;
    await this.#create(projection, true);
    return this.of(projection);
  }

  /** The builds there are; none is made, and no index looked after. */
  async found(): Promise<Build[]> {
    const all = await Promise.all([...this.#projections.values()].map((projection) => this.of(projection)));
    return all.flat();
  }

  /** The builds of a projection. */
  async of(projection: ProjectionSchema): Promise<Build[]> {
    const key = this.key(projection.name);
    const fields = await this.#redis.call<Record<string, string>>(key, 'HGETALL', key);
    return Object.keys(fields)
      .filter((field) => /^\d+$/.test(field))
      .map((field) => ({
        name: projection.name,
        version: versionOf(projection, fields[field]!),
        build: Number(field),
        checkpoint: fields[`${field}:at`] || null,
        live: fields.live === field,
        ...(fields[`${field}:fault`] !== undefined && { fault: fields[`${field}:fault`] }),
      }));
  }

  /** Indexes first: a record in a build must never be without one. */
  async #create(projection: ProjectionSchema, live: boolean): Promise<string> {
    const proposed = newBuild();
    const indexes = this.#indexes(projection, proposed);
    await Promise.all(indexes.map((index) => createIndex(this.#redis, index)));
    const key = this.key(projection.name);
    const build = await this.#redis.run<string>(
      createScript,
      key,
      proposed,
      shapeOf(projection),
      live ? 'live' : 'beside',
    );
    if (build === proposed) for (const { name } of indexes) this.#checked.add(name);
    else await Promise.all(indexes.map(({ name }) => dropIndex(this.#redis, name)));
    return build;
  }

  /** Once a build and process in full; afterwards only whether an index is missing. */
  async #ensureIndexes(builds: readonly Build[]): Promise<void> {
    if (builds.length === 0) return;
    const wanted = builds.map(async ({ name, build }) => {
      const indexes = this.#indexes(this.#projections.get(name)!, String(build));
      if (name !== chunkProjection || !this.#chunks) return indexes;
      return [...indexes, ...(await this.#chunks.indexes(String(build)))];
    });
    const [lists, indexes] = await Promise.all([listIndexes(this.#redis), Promise.all(wanted)]);
    const isThere = (name: string) => lists.every((names) => names.has(name));
    const ensured = indexes.flat().map(async (index) => {
      if (this.#checked.has(index.name) && isThere(index.name)) return;
      await ensureIndex(this.#redis, index);
      this.#checked.add(index.name);
    });
    await Promise.all(ensured);
  }

  /** See ReadModels.startBuild. Failure `not_found`: no such projection. */
  async start(name: string): Promise<Build> {
    const projection = this.#projections.get(name);
    if (projection === undefined) throw new Failure('not_found', `There is no projection ${name}.`);
    const underWay = (await this.of(projection)).find((b) => !b.live && b.version === projection.version);
    if (underWay !== undefined) return underWay;
    const build = await this.#create(projection, false);
    const found = (await this.of(projection)).find((b) => String(b.build) === build);
    if (found === undefined) throw notThere();
    return found;
  }

  /** Records what does not hold within a build. False: another is live in its place by now. */
  async markBroken({ name, build }: Build, fault: string): Promise<boolean> {
    return (await this.#redis.run<number>(faultScript, this.key(name), String(build), fault)) === 1;
  }

  /** See ReadModels.goLive. */
  async goLive({ name, build }: Build): Promise<boolean> {
    const done = await this.#redis.run<number>(
      goLiveScript,
      this.key(name),
      String(build),
      `${this.#base(name)}:dropping`,
    );
    return done === 1;
  }

  /** See ReadModels.markComplete. */
  async markComplete({ name, build }: Build): Promise<void> {
    await this.#redis.run(markCompleteScript, this.key(name), String(build));
  }

  /** The live build of a projection. Failure `unavailable` while there is none. */
  async live(projection: string): Promise<string> {
    const key = this.key(projection);
    const live = await this.#redis.call<string | null>(key, 'HGET', key, 'live');
    if (live === null) throw notThere();
    return live;
  }

  /** The live build of a projection, once it has been whole. Failure `unavailable` until then. */
  async complete(projection: string): Promise<string> {
    const key = this.key(projection);
    const fields = await this.#redis.call<Record<string, string>>(key, 'HGETALL', key);
    if (fields.live === undefined || fields[`${fields.live}:whole`] !== '1') throw notThere();
    return fields.live;
  }

  /** Deletes a slice of the keys of a build that is no longer served; false when there is none. */
  async sweep(projection: string, limit: number): Promise<boolean> {
    const base = this.#base(projection);
    const build = await this.#redis.call<string | null>(base, 'SRANDMEMBER', `${base}:dropping`);
    if (build === null) return false;
    if (!(await this.#sweeper.sweep(this.prefix(projection, build), limit)))
      await this.#redis.call(base, 'SREM', `${base}:dropping`, build);
    return true;
  }
}
