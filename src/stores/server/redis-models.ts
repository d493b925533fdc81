/**
 * ReadModels over Redis: hashes with an index of the Query Engine per collection, a commit as one script. Which builds
 * there are and how their keys are called stands in redis-builds.ts, how commits are made of writes in redis-records.ts
 * and redis-chunks.ts.
 *
 * The step that writes compares the checkpoint, so a commit that was cut off can be repeated. What is not seen before a
 * later commit (chunks of a revision) is written ahead of it, in steps of its own, so that no step holds the server for
 * long.
 */

import { Failure } from '../../failures.ts';
import type { ChunkWrite } from '../../ports/chunk-search.ts';
import type { Position } from '../../ports/event-log.ts';
import type {
  Build,
  BuildChecks,
  BuildContents,
  Doc,
  PoisonedEvent,
  ProjectionSchema,
  Query,
  ReadModels,
  ValuesAt,
  Write,
} from '../../ports/read-models.ts';
import { chunkProjection, heldField, RedisBuilds } from './redis-builds.ts';
import type { Plan } from './redis-chunk-plan.ts';
import type { ChunkWriter } from './redis-chunks.ts';
import { reckon, toSearch } from './redis-collections.ts';
import { BuildMoved, type Command, plainMs, runStep, type Step, stepMs } from './redis-commit.ts';
import { type Redis, script } from './redis-connection.ts';
import { chunkIndexNames, recordNames, valuesOf } from './redis-contents.ts';
import { chunkFaults, recordFaults } from './redis-faults.ts';
import { searchIndex } from './redis-index.ts';
import type { RedisLeases } from './redis-leases.ts';
import { RecordWriter } from './redis-records.ts';

/** The Query Engine refuses pages that end beyond this (MAXSEARCHRESULTS), however many records there are. */
const resultsMax = 1_000_000;

/** The documents of the records in the arguments. */
const documentsScript = script(`
local found = {}
for i = 1, #ARGV do found[i] = redis.call('HGET', ARGV[i], 'doc') end
return found`);

export interface RedisModelsOptions {
  redis: Redis;
  namespace: string;
  projections: readonly ProjectionSchema[];
  /** Writes the chunks of the chunk projection; none where only reading is wanted. */
  chunks?: ChunkWriter;
  /** Under which builds are written; without them whoever writes does. */
  leases?: RedisLeases;
}

export class RedisModels implements ReadModels, BuildContents, BuildChecks {
  readonly #redis: Redis;
  readonly #projections: readonly ProjectionSchema[];
  readonly #builds: RedisBuilds;
  readonly #records: RecordWriter;
  readonly #chunks: ChunkWriter | undefined;
  /** The live build of each projection as last seen. */
  readonly #live = new Map<string, string>();
  /** Something may be left to delete: since the start, a switch of builds or a death of chunks. */
  #mayHaveDead = true;
  /** The last commit of chunks: the next one counts on from what it wrote. */
  #chunkTurn: Promise<unknown> = Promise.resolve();
  /** Resolves when it has sent what goes ahead of it. */
  #chunksSent: Promise<unknown> = Promise.resolve();

  constructor({ redis, namespace, projections, chunks, leases }: RedisModelsOptions) {
    this.#redis = redis;
    this.#projections = projections;
    this.#builds = new RedisBuilds(redis, namespace, projections, chunks, leases);
    this.#records = new RecordWriter(redis, this.#builds);
    this.#chunks = chunks;
  }

  /** See RedisBuilds.all, also for its failures. */
  builds(): Promise<Build[]> {
    return this.#builds.all();
  }

  /** The builds there are; none is made. */
  foundBuilds(): Promise<Build[]> {
    return this.#builds.found();
  }

  startBuild(projection: string): Promise<Build> {
    return this.#builds.start(projection);
  }

  async goLive(build: Build): Promise<boolean> {
    const done = await this.#builds.goLive(build);
    this.#mayHaveDead = true;
    return done;
  }

  markComplete(build: Build): Promise<void> {
    return this.#builds.markComplete(build);
  }

  /** The live build of a projection, once it has been whole. Failure `unavailable` until then. */
  completeBuild(projection: string): Promise<string> {
    return this.#builds.complete(projection);
  }

  /** Reckons with the letters of the texts; writes to one record count once. */
  commitBudget(): (writes: readonly Write[]) => number {
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
        const now = reckon(this.#builds.collection(write.collection).schema.fields, write);
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
    const others = this.#poisonCommands(poisoned);
    if (build.name !== chunkProjection || !this.#chunks)
      return this.#records.commit(build, checkpoint, writes, others);
    const chunks = this.#chunks;
    const step = this.#builds.step(build);
    const chunkWrites = writes.filter((w): w is ChunkWrite => !('collection' in w));
    if (chunkWrites.length > 0) this.#mayHaveDead = true;
    // While the server works on what the commit before has sent.
    const cut = this.#chunksSent.then(() => chunks.cut(chunkWrites));
    const planned = Promise.all([cut, this.#chunkTurn]).then(([texts]) =>
      chunks.plan(step, chunkWrites, texts),
    );
    const turn = this.#commitChunks(chunks, step, checkpoint, planned, others);
    const settled = () => {};
    this.#chunksSent = planned.then(settled, settled);
    this.#chunkTurn = turn.then(settled, settled);
    return turn;
  }

  async #commitChunks(
    chunks: ChunkWriter,
    step: Step,
    checkpoint: string,
    planned: Promise<Plan>,
    others: readonly Command[],
  ): Promise<boolean> {
    let done = false;
    try {
      const commands = await chunks.finish(await planned);
      if (commands === null) return false;
      done = await runStep(this.#redis, step, checkpoint, [...commands, ...others]);
      return done;
    } catch (error) {
      if (error instanceof BuildMoved) return false;
      throw error;
    } finally {
      if (!done) chunks.failed();
    }
  }

  #poisonCommands(poisoned: readonly PoisonedEvent[]): Command[] {
    return poisoned.map((p) => ({
      args: ['HSET', this.#builds.poisonedKey(p.projection), p.position, JSON.stringify(p)],
      ms: plainMs,
    }));
  }

  /** Reads the records that the next commits of a build change. */
  prefetch(build: Build, writes: readonly Write[]): Promise<void> {
    return this.#records.prefetch(build, writes);
  }

  /** Reads the live build; which one that is goes out with the reading and is compared afterwards. */
  async #fromLive<T>(projection: string, act: (build: string) => Promise<T>): Promise<T> {
    let build = this.#live.get(projection) ?? (await this.#builds.live(projection));
    for (;;) {
      const asked = this.#builds.live(projection);
      const reading = act(build);
      // Of a build that no longer serves it is not waited for: its index may be gone, and is looked for again and again.
      reading.catch(() => {});
      const live = await asked;
      this.#live.set(projection, live);
      if (live === build) return reading;
      build = live;
    }
  }

  get(collection: string, key: string): Promise<Doc | null> {
    const { projection } = this.#builds.collection(collection);
    return this.#fromLive(projection, async (build) => {
      const hash = this.#builds.recordKey(projection, build, collection, key);
      const doc = await this.#redis.call<string | null>(hash, 'HGET', hash, 'doc');
      return doc === null ? null : JSON.parse(doc);
    });
  }

  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]> {
    const { projection } = this.#builds.collection(collection);
    if (keys.length === 0) return Promise.resolve([]);
    return this.#fromLive(projection, async (build) => {
      const hashes = keys.map((key) => this.#builds.recordKey(projection, build, collection, key));
      const docs = await this.#redis.run<(string | null)[]>(documentsScript, hashes[0]!, ...hashes);
      return docs.map((doc) => (doc === null ? null : JSON.parse(doc)));
    });
  }

  async find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }> {
    const { projection, schema } = this.#builds.collection(collection);
    const search = toSearch(schema, query);
    if (search === null) return { items: [], total: 0 };
    const [offset, limit] = search.page;
    const reachable = offset + limit <= resultsMax;
    return this.#fromLive(projection, async (build) => {
      const { total, hits } = await searchIndex(
        this.#redis,
        this.#builds.indexName(projection, build, collection),
        search.text,
        reachable ? search.page : [0, 0],
        ...search.options,
      );
      if (!reachable && offset < total)
        throw new Failure(
          'invalid',
          `only the first ${resultsMax} records of a list can be paged through: narrow its filters.`,
          { field: 'offset' },
        );
      return { items: hits.flatMap(({ fields }) => (fields.doc ? [JSON.parse(fields.doc)] : [])), total };
    });
  }

  async poisoned(): Promise<PoisonedEvent[]> {
    const all: PoisonedEvent[] = [];
    for (const { name } of this.#projections) {
      const key = this.#builds.poisonedKey(name);
      for (const json of await this.#redis.call<string[]>(key, 'HVALS', key)) all.push(JSON.parse(json));
    }
    return all.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
  }

  /** Deletes a slice of what nobody sees any more; false when there was nothing to do. */
  async sweep(limit: number): Promise<boolean> {
    if (!this.#mayHaveDead) return false;
    this.#mayHaveDead = false;
    let more = true;
    try {
      const swept = await Promise.all(
        this.#projections.flatMap((projection) => [
          this.#builds.sweep(projection.name, limit),
          this.#sweepChunks(projection, limit),
        ]),
      );
      more = swept.includes(true);
    } finally {
      this.#mayHaveDead ||= more;
    }
    return more;
  }

  /** The dead chunks of the builds there are. */
  async #sweepChunks(projection: ProjectionSchema, limit: number): Promise<boolean> {
    if (projection.name !== chunkProjection || !this.#chunks) return false;
    let swept = 0;
    for (const { build } of await this.#builds.of(projection))
      swept += await this.#chunks.sweep(String(build), limit);
    return swept > 0;
  }

  markBroken(build: Build, fault: string): Promise<boolean> {
    return this.#builds.markBroken(build, fault);
  }

  /** See BuildChecks. */
  async *faults({ name, build }: Build): AsyncGenerator<string[]> {
    const checked = {
      redis: this.#redis,
      builds: this.#builds.key(name),
      build: String(build),
      prefix: this.#builds.prefix(name, build),
    };
    for (const collection of this.#builds.collectionsOf(name)) {
      const index = this.#builds.indexName(name, checked.build, collection);
      const records = { name: collection, index, held: heldField(checked.build, collection) };
      yield* recordFaults(checked, records, this.#builds.balanceOf(name));
    }
    if (name === chunkProjection) yield* chunkFaults(checked);
  }

  /** See BuildContents. */
  async *names({ name, build }: Build): AsyncGenerator<string[]> {
    for (const collection of this.#builds.collectionsOf(name).sort())
      yield* recordNames(this.#redis, this.#builds.indexName(name, String(build), collection), collection);
    if (name === chunkProjection) yield* chunkIndexNames(this.#redis, this.#builds.prefix(name, build));
  }

  /** See BuildContents. */
  values({ name, build }: Build, names: readonly string[]): Promise<ValuesAt | null> {
    const ref = {
      redis: this.#redis,
      builds: this.#builds.key(name),
      build: String(build),
      prefix: this.#builds.prefix(name, build),
      indexName: (collection: string) => this.#builds.indexName(name, String(build), collection),
    };
    return valuesOf(ref, names);
  }

  async close(): Promise<void> {
    await this.#redis.close();
  }
}
