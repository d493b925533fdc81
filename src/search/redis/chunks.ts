/**
 * Writes the chunk index, whose keys are described in chunk-keys.ts. It loads everything that a commit affects,
 * plans the commit write by write (chunk-plan.ts), and sends invisible data ahead of the commit.
 */
import { setImmediate } from 'node:timers/promises';
import { embeddedText } from '../../domain/chunk-text.ts';
import type { Chunk } from '../../domain/events.ts';
import type { ChunkWrite, ComputeVector } from '../../ports/chunk-search.ts';
import type { ChunkLocation } from '../../storage/entries.ts';
import { type Redis, script } from '../../storage/redis-connection.ts';
import { words } from '../../text/words.ts';
import { chunkIndexes, listOf, locationsOf, revKey } from './chunk-keys.ts';
import { Plan, toRevision } from './chunk-plan.ts';
import { commandsMax, fieldsOf, type RedisCommand, readAt, runStep, type Step } from './commit.ts';
import { ensureIndex, type Index } from './query-engine.ts';

const maxKnownStems = 400_000;

/** Records how many chunks of a dead revision are gone, unless another process has finished with it meanwhile. */
const sweptScript = script(
  "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'swept', ARGV[1]) end",
);

/** Turns chunk writes into commands. There is one instance per process that runs projections. */
export class RedisChunkWriter {
  readonly #redis: Redis;
  readonly #base: string;
  readonly #compute: ComputeVector;
  /** Stems already sent to a build. */
  readonly #stems = new Set<string>();
  #stemsOf = '';
  /** Builds whose partitions and vector kinds have their indexes. */
  readonly #indexed = new Set<string>();

  /** `base` is the key prefix of the projection. `compute` is used for `chunks.embed`. */
  constructor(redis: Redis, base: string, compute: ComputeVector = () => null) {
    this.#redis = redis;
    this.#base = base;
    this.#compute = compute;
  }

  #prefix(build: string): string {
    return `${this.#base}:${build}:`;
  }

  /** The indexes that a build must have. */
  async indexes(build: string): Promise<Index[]> {
    const prefix = this.#prefix(build);
    const meta = await this.#redis.call<Record<string, string>>('HGETALL', `${prefix}meta`);
    return chunkIndexes(prefix, meta);
  }

  /**
   * Plans a commit and sends ahead everything that can be written before it. Chunks and vectors are ignored if their
   * revision is dead or was never announced. Rejects with BuildMoved if the build is not at the step's checkpoint.
   */
  async plan(step: Step, writes: readonly ChunkWrite[]): Promise<Plan> {
    if (this.#stemsOf !== step.build || this.#stems.size > maxKnownStems) this.#stems.clear();
    this.#stemsOf = step.build;
    const plan = await this.#load(step, writes);
    for (const write of writes) {
      switch (write.op) {
        case 'chunks.revision':
          plan.announce(write);
          break;
        case 'chunks.add':
          for (const _ of plan.add(write)) await this.#sendAhead(plan, step);
          break;
        case 'chunks.publish':
          plan.publish(write.doc_id, write.revision);
          break;
        case 'chunks.drop':
          plan.drop(write.doc_id, write.revision);
          break;
        case 'chunks.withdraw':
          plan.withdraw(write.doc_id);
          break;
        case 'chunks.vectors': {
          const locations = plan.placed(write, write.vectors.length);
          plan.setVectors(
            write,
            locations.map((at, n) => ({ ...at, vector: write.vectors[n]! })),
          );
          break;
        }
        case 'chunks.embed':
          plan.setVectors(write, await this.#computed(plan, step, write));
      }
    }
    await this.#sendAhead(plan, step);
    return plan;
  }

  /**
   * The commands of the commit itself, once everything sent ahead has arrived. Null if the build is not at the expected
   * checkpoint.
   */
  async finish(plan: Plan): Promise<RedisCommand[] | null> {
    return (await Promise.all(plan.sent)).every(Boolean) ? plan.finish() : null;
  }

  /** Sends commands ahead of the commit. The server executes them while the next chunks are analysed. */
  async #sendAhead(plan: Plan, step: Step): Promise<void> {
    await this.#makeIndexes(step.build, plan);
    const commands = plan.takeAhead();
    for (let at = 0; at < commands.length; at += commandsMax) {
      const sent = runStep(this.#redis, step, null, commands.slice(at, at + commandsMax));
      sent.catch(() => {});
      plan.sent.push(sent);
    }
    await setImmediate();
  }

  /** Must be called after a failed commit, because the data sent ahead may be missing. */
  failed(): void {
    this.#stems.clear();
  }

  #read(step: Step, commands: readonly (readonly string[])[]): Promise<unknown[]> {
    return readAt(this.#redis, step, commands);
  }

  /** Loads the current state of everything that the writes affect. */
  async #load(step: Step, writes: readonly ChunkWrite[]): Promise<Plan> {
    const prefix = this.#prefix(step.build);
    const plan = new Plan(prefix, this.#stems);
    const commands: string[][] = [];
    const take: ((reply: unknown) => void)[] = [];
    const load = (command: string[], then: (reply: unknown) => void) => {
      commands.push(command);
      take.push(then);
    };
    load(['HGETALL', `${prefix}meta`], (meta) => {
      plan.meta = fieldsOf(meta);
    });
    for (const write of writes) {
      const [docId, revision] =
        write.op === 'chunks.revision'
          ? [write.facts.doc_id, write.facts.revision]
          : [write.doc_id, 'revision' in write ? write.revision : null];
      if (!plan.living.has(docId)) {
        plan.living.set(docId, []);
        load(['HGET', `${prefix}living`, String(docId)], (json) => {
          if (typeof json === 'string') plan.living.set(docId, JSON.parse(json));
        });
        load(['HGET', `${prefix}docs`, String(docId)], (visible) => {
          plan.visible.set(docId, typeof visible === 'string' ? Number(visible) : null);
        });
      }
      if (revision === null || plan.revisions.has(revKey(docId, revision))) continue;
      const key = revKey(docId, revision);
      plan.revisions.set(key, null);
      load(['HGETALL', `${prefix}r:${key}`], (reply) => {
        const fields = fieldsOf(reply);
        if (fields.facts !== undefined) plan.revisions.set(key, toRevision(fields));
      });
    }
    for (const [n, reply] of (await this.#read(step, commands)).entries()) take[n]!(reply);
    return plan;
  }

  async #computed(
    plan: Plan,
    step: Step,
    write: ChunkWrite & { op: 'chunks.embed' },
  ): Promise<(ChunkLocation & { vector: Float32Array })[]> {
    const revision = plan.alive(write.doc_id, write.revision);
    if (revision === null) return [];
    const locations = plan.placed(write, write.count);
    const stored = locations.filter(({ id }) => !plan.texts.has(id));
    const read = await this.#read(
      step,
      stored.map(({ id }) => ['HMGET', `${plan.prefix}c:${id}`, 'chunk', 'text']),
    );
    const texts = new Map<number, { chunk: Chunk; text: string }>();
    for (const [n, { id }] of stored.entries()) {
      const [chunk, text] = read[n] as (string | null)[];
      if (chunk) texts.set(id, { chunk: JSON.parse(chunk), text: text ?? '' });
    }
    return locations.flatMap(({ ordinal, id }) => {
      const known = plan.texts.get(id) ?? texts.get(id);
      const vector =
        known &&
        this.#compute(write.embedder, words(embeddedText(revision.facts.title, known.chunk, known.text)));
      return vector ? [{ ordinal, id, vector }] : [];
    });
  }

  /** Creates the indexes of new partitions and vector kinds before anything is written to them. */
  async #makeIndexes(build: string, plan: Plan): Promise<void> {
    const stamp = `${build} ${plan.meta.partitions ?? 0} ${plan.meta.kinds ?? 0}`;
    if (this.#indexed.has(stamp)) return;
    for (const index of chunkIndexes(plan.prefix, plan.meta)) await ensureIndex(this.#redis, index);
    this.#indexed.add(stamp);
  }

  /**
   * Deletes up to `limit` chunks of dead revisions and returns the number deleted. Several processes may do this at the
   * same time.
   */
  async sweep(build: string, limit: number): Promise<number> {
    const prefix = this.#prefix(build);
    let swept = 0;
    while (swept < limit) {
      const dead = await this.#redis.call<string | null>('SRANDMEMBER', `${prefix}dead`);
      if (dead === null) break;
      const key = `${prefix}r:${dead}`;
      const fields = await this.#redis.call<Record<string, string>>('HGETALL', key);
      const { partition, kinds } = fields;
      const done = Number(fields.swept ?? 0);
      const all = locationsOf(listOf(fields.runs));
      const ids = all.slice(done, done + limit - swept).map(({ id }) => id);
      const keys = ids.flatMap((id) => [
        `${prefix}c:${id}`,
        `${prefix}t:${partition}:${id}`,
        ...listOf<string>(kinds).map((kind) => `${prefix}v:${kind}:${partition}:${id}`),
      ]);
      if (keys.length > 0) await this.#redis.call('UNLINK', ...keys);
      swept += ids.length;
      if (done + ids.length < all.length) {
        await this.#redis.run(sweptScript, key, String(done + ids.length));
      } else {
        await this.#redis.call('UNLINK', key);
        await this.#redis.call('SREM', `${prefix}dead`, dead);
      }
    }
    return swept;
  }
}
