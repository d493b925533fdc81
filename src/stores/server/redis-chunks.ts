/**
 * Writes the search index over chunks; its keys are in redis-chunk-keys.ts. What a commit touches is loaded and its
 * chunks are cut into words, then it is planned write by write (redis-chunk-plan.ts). What nobody sees yet is sent
 * ahead of it.
 */
import { setImmediate } from 'node:timers/promises';
import { embeddedText, searchTitle } from '../../domain/chunk-text.ts';
import type { Chunk, RevisionFacts } from '../../domain/events.ts';
import type { ChunkWrite } from '../../ports/chunk-search.ts';
import { words } from '../../text/words.ts';
import { chunkIndexes, type Place, revKey } from './redis-chunk-keys.ts';
import { type Analysed, type CutText, Plan, stemsOf, toRevision } from './redis-chunk-plan.ts';
import { type Command, portions, runStep, type Step } from './redis-commit.ts';
import { type RedisConnection, script } from './redis-connection.ts';
import { ensureIndex, type Index } from './redis-index.ts';

/** The vector of a text by a deterministic embedder; null for one that is not known. */
export type ComputeVector = (embedder: string, text: string) => Float32Array | null;

const maxKnownWords = 400_000;

/** Kills up to `limit` chunks of dead revisions; says how many. */
const sweepScript = script(`
local P, left, swept = ARGV[1], tonumber(ARGV[2]), 0
while left > 0 do
  local rev = redis.call('SRANDMEMBER', P .. 'dead')
  if not rev then break end
  local r = redis.call('HMGET', P .. 'r:' .. rev, 'space', 'runs', 'kinds', 'swept')
  local space, done, seen = r[1], tonumber(r[4] or '0'), 0
  local kinds = r[3] and cjson.decode(r[3]) or {}
  for _, run in ipairs(r[2] and cjson.decode(r[2]) or {}) do
    for n = 0, run[2] - 1 do
      seen = seen + 1
      if seen > done and left > 0 then
        local id = string.format('%d', run[3] + n)
        local c = redis.call('HMGET', P .. 'c:' .. id, 'number', 'unit')
        if c[1] then
          local at = rev .. '/' .. string.format('%d', run[1] + n)
          redis.call('SREM', P .. 'n:' .. space .. ':' .. c[1], at .. '/' .. id .. '/' .. (c[2] or ''))
          if c[2] then redis.call('SREM', P .. 'u:' .. space .. ':' .. c[2], at .. '/' .. c[1]) end
        end
        redis.call('DEL', P .. 'c:' .. id, P .. 't:' .. space .. ':' .. id)
        for _, kind in ipairs(kinds) do redis.call('DEL', P .. 'v:' .. kind .. ':' .. space .. ':' .. id) end
        done, left, swept = done + 1, left - 1, swept + 1
      end
    end
  end
  if done < seen then
    redis.call('HSET', P .. 'r:' .. rev, 'swept', done)
  else
    redis.call('DEL', P .. 'r:' .. rev)
    redis.call('SREM', P .. 'dead', rev)
  end
end
return swept`);

/** Turns chunk writes into commands; one for each process that runs projections. */
export class ChunkWriter {
  readonly #redis: RedisConnection;
  readonly #base: string;
  readonly #compute: ComputeVector;
  /** Ids of words of the build they were last asked of. */
  readonly #wordIds = new Map<string, number>();
  #wordsOf = '';
  readonly #spaces = new Set<string>();

  /** `base`: what the keys of the projection begin with. `compute`: for `chunks.embed`. */
  constructor(redis: RedisConnection, base: string, compute: ComputeVector = () => null) {
    this.#redis = redis;
    this.#base = base;
    this.#compute = compute;
  }

  #prefix(build: string): string {
    return `${this.#base}:${build}:`;
  }

  /** The indexes a build must have. */
  async indexes(build: string): Promise<Index[]> {
    const prefix = this.#prefix(build);
    const meta = await this.#redis.call<Record<string, string>>(prefix, 'HGETALL', `${prefix}meta`);
    return chunkIndexes(prefix, meta);
  }

  /** Cuts the texts of a commit into words: what can be done before the commits ahead of it are. */
  cut(writes: readonly ChunkWrite[]): Map<Chunk, CutText> {
    const cut = new Map<Chunk, CutText>();
    for (const write of writes) {
      if (write.op !== 'chunks.add') continue;
      for (const chunk of write.chunks) {
        const body = words(chunk.text);
        cut.set(chunk, { body, stems: stemsOf(body, chunk.lang) });
      }
    }
    return cut;
  }

  /**
   * Makes the plan of a commit, and sends what can be written ahead of it. Chunks and vectors of a revision that is not
   * announced, or dead, are left out. Null where there is nothing to write.
   */
  async plan(
    step: Step,
    writes: readonly ChunkWrite[],
    cut: ReadonlyMap<Chunk, CutText>,
  ): Promise<Plan | null> {
    if (writes.length === 0) return null;
    if (this.#wordsOf !== step.build) this.#forget(step.build);
    const plan = await this.#load(this.#prefix(step.build), writes);
    const analysed = await this.#analyse(plan, writes, cut);
    for (const write of writes) {
      switch (write.op) {
        case 'chunks.revision':
          plan.announce(write);
          break;
        case 'chunks.add':
          for (const _ of plan.add(write, analysed)) await this.#sendAhead(plan, step);
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
          const places = plan.placed(write, write.vectors.length);
          plan.setVectors(
            write,
            places.map((at, n) => ({ ...at, vector: write.vectors[n]! })),
          );
          break;
        }
        case 'chunks.embed':
          plan.setVectors(write, await this.#computed(plan, write));
      }
    }
    await this.#sendAhead(plan, step);
    return plan;
  }

  /** What the commit itself has to write, once the rest has been. Null: the build does not stand where it should. */
  async finish(plan: Plan): Promise<Command[] | null> {
    return (await Promise.all(plan.sent)).every(Boolean) ? plan.finish() : null;
  }

  /** Sends what is to be written ahead; the server works on it while the next chunks are analysed. */
  async #sendAhead(plan: Plan, step: Step): Promise<void> {
    await this.#makeIndexes(step.build, plan);
    for (const portion of portions(plan.takeAhead())) {
      const sent = runStep(this.#redis, step, null, portion);
      sent.catch(() => {});
      plan.sent.push(sent);
    }
    await setImmediate();
  }

  /** Told how a commit ended: after one that failed, ids given to new words are void. */
  settled(done: boolean): void {
    if (!done) this.#forget('');
  }

  #forget(build: string): void {
    this.#wordIds.clear();
    this.#spaces.clear();
    this.#wordsOf = build;
  }

  /** All that stands of what the writes touch. */
  async #load(prefix: string, writes: readonly ChunkWrite[]): Promise<Plan> {
    const plan = new Plan(prefix, this.#wordIds);
    const redis = this.#redis;
    const loading: Promise<void>[] = [
      redis.call<Record<string, string>>(prefix, 'HGETALL', `${prefix}meta`).then((meta) => {
        plan.meta = { ...meta };
      }),
    ];
    for (const write of writes) {
      const [docId, revision] =
        write.op === 'chunks.revision'
          ? [write.facts.doc_id, write.facts.revision]
          : [write.doc_id, 'revision' in write ? write.revision : null];
      if (!plan.living.has(docId)) {
        plan.living.set(docId, []);
        loading.push(
          redis.call<string | null>(prefix, 'GET', `${prefix}d:${docId}`).then((json) => {
            plan.living.set(docId, json === null ? [] : JSON.parse(json));
          }),
          redis.call<string | null>(prefix, 'HGET', `${prefix}docs`, String(docId)).then((visible) => {
            plan.visible.set(docId, visible === null ? null : Number(visible));
          }),
        );
      }
      if (revision === null || plan.revisions.has(revKey(docId, revision))) continue;
      const key = revKey(docId, revision);
      plan.revisions.set(key, null);
      loading.push(
        redis.call<Record<string, string>>(prefix, 'HGETALL', `${prefix}r:${key}`).then((fields) => {
          if (fields.facts !== undefined) plan.revisions.set(key, toRevision(fields));
        }),
      );
    }
    await Promise.all(loading);
    return plan;
  }

  /** Adds the words of titles and headings, and learns the ids of those that are known. */
  async #analyse(
    plan: Plan,
    writes: readonly ChunkWrite[],
    cut: ReadonlyMap<Chunk, CutText>,
  ): Promise<Map<Chunk, Analysed>> {
    if (this.#wordIds.size > maxKnownWords) this.#wordIds.clear();
    const analysed = new Map<Chunk, Analysed>();
    const facts = new Map<string, RevisionFacts>();
    const unknown = new Set<string>();
    for (const write of writes) {
      if (write.op === 'chunks.revision')
        facts.set(revKey(write.facts.doc_id, write.facts.revision), write.facts);
      if (write.op !== 'chunks.add') continue;
      const key = revKey(write.doc_id, write.revision);
      const of = facts.get(key) ?? plan.revisions.get(key)?.facts ?? { title: '', metadata: {} };
      for (const chunk of write.chunks) {
        const whole = { heads: words(searchTitle(of, chunk)), ...cut.get(chunk)! };
        analysed.set(chunk, whole);
        for (const part of [whole.heads, whole.body])
          for (const word of part) if (!this.#wordIds.has(word)) unknown.add(word);
      }
    }
    await this.#learn(plan, [...unknown]);
    return analysed;
  }

  async #learn(plan: Plan, unknown: readonly string[]): Promise<void> {
    const key = `${plan.prefix}words`;
    const slice = 2_000;
    const asked: Promise<void>[] = [];
    for (let at = 0; at < unknown.length; at += slice) {
      const part = unknown.slice(at, at + slice);
      asked.push(
        this.#redis.call<(string | null)[]>(key, 'HMGET', key, ...part).then((ids) => {
          for (const [n, id] of ids.entries()) if (id !== null) this.#wordIds.set(part[n]!, Number(id));
        }),
      );
    }
    await Promise.all(asked);
  }

  async #computed(
    plan: Plan,
    write: ChunkWrite & { op: 'chunks.embed' },
  ): Promise<(Place & { vector: Float32Array })[]> {
    const revision = plan.alive(write.doc_id, write.revision);
    if (revision === null) return [];
    const made = await Promise.all(
      plan.placed(write, write.count).map(async ({ ordinal, id }) => {
        const known = plan.texts.get(id) ?? (await this.#text(plan, id));
        if (known === null) return null;
        const text = embeddedText(revision.facts.title, known.chunk, known.text);
        const vector = this.#compute(write.embedder, text);
        return vector && { ordinal, id, vector };
      }),
    );
    return made.filter((one) => one !== null);
  }

  async #text(plan: Plan, id: number): Promise<{ chunk: Chunk; text: string } | null> {
    const key = `${plan.prefix}c:${id}`;
    const [chunk, text] = await this.#redis.call<(string | null)[]>(key, 'HMGET', key, 'chunk', 'text');
    return chunk ? { chunk: JSON.parse(chunk), text: text ?? '' } : null;
  }

  /** Indexes of new spaces and kinds of vectors, before anything is written there. */
  async #makeIndexes(build: string, plan: Plan): Promise<void> {
    const stamp = `${plan.meta.spaces ?? 0} ${plan.meta.kinds ?? 0}`;
    if (this.#spaces.has(stamp)) return;
    for (const index of chunkIndexes(plan.prefix, plan.meta)) await ensureIndex(this.#redis, index);
    if (this.#wordsOf === build) this.#spaces.add(stamp);
  }

  /** Deletes up to `limit` chunks of dead revisions; returns how many there were. */
  async sweep(build: string, limit: number): Promise<number> {
    const prefix = this.#prefix(build);
    return this.#redis.run<number>(sweepScript, prefix, prefix, String(limit));
  }
}
