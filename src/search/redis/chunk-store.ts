/**
 * The chunk index in Redis as a BuildStore: the builds, their commits and their contents. All keys begin with
 * `<namespace>:{chunks}:`:
 *
 *   …:builds      hash: `live` → build; per build `<n>` → its shape, `<n>:at` its checkpoint, `<n>:passed` the
 *                 position up to which no later event changes it, and `<n>:whole` once it has reached the log's end
 *   …:dropping    set of builds whose keys are still being deleted
 *   …:poisoned    hash: position → event set aside
 *   …:<build>:…   the keys of a build (chunk-keys.ts)
 *
 * The writing step compares the checkpoint, so an interrupted commit can be repeated, and only one of two concurrent
 * writers succeeds. Chunks that stay invisible until a later commit are written ahead of that commit in separate steps,
 * so that no step blocks the server for long. Redis may lose its contents at any time; a process that finds no build
 * creates one.
 */
import { Failure } from '../../failures.ts';
import type { ChunkWrite, ComputeVector } from '../../ports/chunk-search.ts';
import type { Position } from '../../ports/event-log.ts';
import type {
  Build,
  BuildContents,
  BuildStore,
  PoisonedEvent,
  ProjectionSchema,
  ValuesAt,
  Write,
} from '../../ports/read-models.ts';
import { type Redis, script } from '../../storage/redis-connection.ts';
import { RedisChunkWriter } from './chunks.ts';
import { BuildMoved, runStep, type Step } from './commit.ts';
import { chunkIndexNames, keysBelow, valuesOf } from './contents.ts';
import { dropIndex, ensureIndex, listIndexes, notThere } from './query-engine.ts';
import { shapeOf, versionOf } from './shape.ts';

/** Prefix of all keys of the chunk index. */
export const chunkBase = (namespace: string) => `${namespace}:{chunks}`;

/**
 * Returns the live build, creating it from this one if there is none. For a secondary build, returns an existing one of
 * the same shape if possible.
 */
const createScript = script(`
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

const goLiveScript = script(`
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

/** Does nothing if the build is gone or was written by another process, because its state is then unknown. */
const settledScript = script(`
if redis.call('HGET', KEYS[1], ARGV[1] .. ':at') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. ':whole', '1', ARGV[1] .. ':passed', ARGV[3])
return 1`);

const newBuild = () => String(Date.now() * 1000 + Math.floor(Math.random() * 1000));

export interface RedisChunkStoreOptions {
  redis: Redis;
  namespace: string;
  /** The projection of the chunk index. */
  projection: ProjectionSchema;
  /** Computes the vectors of a deterministic embedder. Default: none are computed. */
  compute?: ComputeVector | undefined;
}

export class RedisChunkStore implements BuildStore, BuildContents {
  readonly #redis: Redis;
  readonly #base: string;
  readonly #projection: ProjectionSchema;
  readonly #chunks: RedisChunkWriter;
  /** Names of indexes that were already checked. */
  readonly #checked = new Set<string>();
  #started = false;
  /** Whether there may be data to delete: after startup, after a build switch, or after chunks became obsolete. */
  #mayHaveDead = true;
  /** A dropped build, and those of its keys that are still to be deleted. */
  #dropping: { build: string; keys: AsyncGenerator<string[]> } | null = null;

  constructor({ redis, namespace, projection, compute }: RedisChunkStoreOptions) {
    this.#redis = redis;
    this.#base = chunkBase(namespace);
    this.#projection = projection;
    this.#chunks = new RedisChunkWriter(redis, this.#base, compute);
  }

  get #key(): string {
    return `${this.#base}:builds`;
  }

  /** Prefix of all keys of a build. */
  prefix(build: number | string): string {
    return `${this.#base}:${build}:`;
  }

  /**
   * Returns all builds, creating the first one if none is live. A build with another layout counts as version 0: it is
   * used until one with the current layout replaces it. Fails with `newer_format` on the first call only, because an
   * instance of an older program may keep running beside newer ones until it is stopped.
   */
  async builds(): Promise<Build[]> {
    let all = await this.found();
    if (!all.some(({ live }) => live)) {
      await this.#create(true);
      all = await this.found();
    }
    const { name, version } = this.#projection;
    const live = all.find((build) => build.live);
    if (!this.#started && live !== undefined && live.version > version)
      throw new Failure(
        'newer_format',
        `The search index in Redis contains version ${live.version} of ${name}, but this program supports version ${version}: run a newer version of Docent, or empty Redis to rebuild the index.`,
      );
    this.#started = true;
    for (const build of all) if (build.version === version) await this.#ensureIndexes(build);
    return all.sort((a, b) => a.build - b.build);
  }

  /** The existing builds. Creates none and checks no index. */
  async found(): Promise<Build[]> {
    const fields = await this.#redis.call<Record<string, string>>('HGETALL', this.#key);
    return Object.keys(fields)
      .filter((field) => /^\d+$/.test(field))
      .map((field): Build => {
        const [checkpoint, unchangedUntil] = [fields[`${field}:at`] || null, fields[`${field}:passed`]];
        return {
          name: this.#projection.name,
          version: versionOf(fields[field]!),
          build: Number(field),
          checkpoint,
          live: fields.live === field,
          ...(unchangedUntil && unchangedUntil > (checkpoint ?? '') && { unchangedUntil }),
        };
      });
  }

  async #create(live: boolean): Promise<string> {
    return this.#redis.run<string>(
      createScript,
      this.#key,
      newBuild(),
      shapeOf(this.#projection),
      live ? 'live' : 'beside',
    );
  }

  /** Does a full check once per build and process. Later calls only look for missing indexes. */
  async #ensureIndexes({ build }: Build): Promise<void> {
    const [names, indexes] = await Promise.all([
      listIndexes(this.#redis),
      this.#chunks.indexes(String(build)),
    ]);
    const missing = indexes.filter(({ name }) => !this.#checked.has(name) || !names.has(name));
    await Promise.all(missing.map((index) => ensureIndex(this.#redis, index)));
    for (const { name } of missing) this.#checked.add(name);
  }

  /** See BuildStore. Fails with `not_found` if there is no such projection. */
  async startBuild(name: string): Promise<Build> {
    if (name !== this.#projection.name)
      throw new Failure('not_found', `There is no projection ${name} in Redis.`);
    const build = await this.#create(false);
    const found = (await this.found()).find((one) => String(one.build) === build);
    if (found === undefined) throw notThere();
    if (found.checkpoint === null) await this.#redis.call('DEL', `${this.#base}:poisoned`);
    return found;
  }

  async goLive({ build }: Build): Promise<boolean> {
    const done = await this.#redis.run<number>(
      goLiveScript,
      this.#key,
      String(build),
      `${this.#base}:dropping`,
    );
    this.#mayHaveDead = true;
    return done === 1;
  }

  async settled({ build, checkpoint }: Build, at: Position | null): Promise<void> {
    await this.#redis.run(settledScript, this.#key, String(build), checkpoint ?? '', at ?? '');
  }

  /** The live build. Fails with `unavailable` until it has been completed once. */
  async completeBuild(): Promise<string> {
    const fields = await this.#redis.call<Record<string, string>>('HGETALL', this.#key);
    if (fields.live === undefined || fields[`${fields.live}:whole`] !== '1') throw notThere();
    return fields.live;
  }

  async commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned: readonly PoisonedEvent[] = [],
  ): Promise<boolean> {
    const chunkWrites = writes.filter((write): write is ChunkWrite => !('collection' in write));
    if (chunkWrites.length > 0) this.#mayHaveDead = true;
    const others = poisoned.map((one) => [
      ...['HSET', `${this.#base}:poisoned`, one.position],
      JSON.stringify(one),
    ]);
    const step: Step = { key: this.#key, build: String(build.build), expected: build.checkpoint ?? '' };
    let done = false;
    try {
      const commands = await this.#chunks.finish(await this.#chunks.plan(step, chunkWrites));
      done = commands !== null && (await runStep(this.#redis, step, checkpoint, [...commands, ...others]));
      return done;
    } catch (error) {
      if (error instanceof BuildMoved) return false;
      throw error;
    } finally {
      if (!done) this.#chunks.failed();
    }
  }

  async poisoned(): Promise<PoisonedEvent[]> {
    const all = await this.#redis.call<string[]>('HVALS', `${this.#base}:poisoned`);
    return all.map((json) => JSON.parse(json));
  }

  /** Deletes some of the data that is no longer visible. Returns false if there was none. */
  async sweep(limit: number): Promise<boolean> {
    if (!this.#mayHaveDead) return false;
    this.#mayHaveDead = false;
    let more = true;
    try {
      more = await this.#sweepDropped();
      for (const { build } of await this.found())
        more = (await this.#chunks.sweep(String(build), limit)) > 0 || more;
    } finally {
      this.#mayHaveDead ||= more;
    }
    return more;
  }

  /** Deletes part of a dropped build: first its indexes, then the keys found by a scan. */
  async #sweepDropped(): Promise<boolean> {
    const set = `${this.#base}:dropping`;
    const build = await this.#redis.call<string | null>('SRANDMEMBER', set);
    if (build === null) return false;
    const prefix = this.prefix(build);
    if (this.#dropping?.build !== build) {
      for (const name of await listIndexes(this.#redis))
        if (name.startsWith(prefix)) await dropIndex(this.#redis, name);
      this.#dropping = { build, keys: keysBelow(this.#redis, prefix) };
    }
    try {
      const { value: keys, done } = await this.#dropping.keys.next();
      if (!done) {
        if (keys.length > 0) await this.#redis.call('UNLINK', ...keys.map((key) => prefix + key));
        return true;
      }
    } catch (error) {
      this.#dropping = null;
      throw error;
    }
    this.#dropping = null;
    await this.#redis.call('SREM', set, build);
    return true;
  }

  /** See BuildContents. */
  async *names({ build }: Build): AsyncGenerator<string[]> {
    yield* chunkIndexNames(this.#redis, this.prefix(build));
  }

  /** See BuildContents. */
  values({ build }: Build, names: readonly string[]): Promise<ValuesAt | null> {
    const ref = { redis: this.#redis, builds: this.#key, build: String(build), prefix: this.prefix(build) };
    return valuesOf(ref, names);
  }

  async close(): Promise<void> {
    await this.#redis.close();
  }
}
