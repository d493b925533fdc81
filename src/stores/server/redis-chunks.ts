/**
 * The search index over chunks in Redis; redis-chunk-search.ts reads it. Keys, all below `…:<build>:`, so that they
 * are in the slot of their projection:
 *
 *   meta                hash: last ids of chunks (`id`), words, changes (`changed`), spaces; number of each space
 *                       (`space <corpus> <generation>`) and of each kind of vector (`vectors <dimension> <embedder>`)
 *   words, wordlist     hash: word → id; list: word, stem, second stem, the n-th of id n
 *   docs, changed       hash: document → visible revision; sorted set: document by the number of its last change
 *   d:<doc>             its living revisions, JSON
 *   r:<doc>/<rev>       hash: facts, space, layer, `runs` of chunk ids, per embedder which ordinals have vectors
 *   c:<id>              hash: a chunk, its text and its words as ids
 *   t:<space>:<id>      hash: its stems and prefixes, indexed by `t:<space>`
 *   v:<kind>:<space>:<id>  hash: its vector, indexed by `v:<kind>:<space>`
 *   n:<space>:<number>, u:<space>:<unit>   sets: where a structural number stands; the numbers of a unit
 *   dead                set of revisions to be swept
 *
 * All ids are given in the order of the events and count from the committed ones: whoever makes the same commit
 * writes the same. So chunks can be written ahead of it, nobody sees them before their revision is published.
 */
import { setImmediate } from 'node:timers/promises';
import { embeddedText, searchTitle } from '../../domain/chunk-text.ts';
import type { Chunk, Language, RevisionFacts } from '../../domain/events.ts';
import type { ChunkWrite, Generation } from '../../ports.ts';
import { kazakhStem, prefix as prefixOf, stem, words } from '../../text/words.ts';
import {
  type Command,
  indexedMs,
  plainMs,
  portions,
  runStep,
  type Step,
  spread,
  stepMs,
  wordMs,
} from './redis-commit.ts';
import { type RedisConnection, script } from './redis-connection.ts';
import { ensureIndex, type Index } from './redis-index.ts';

/** The vector of a text by a deterministic embedder; null for one that is not known. */
export type ComputeVector = (embedder: string, text: string) => Float32Array | null;

/** Stands before a prefix, so that it is never taken for a stem: the server counts a term over all fields. */
export const prefixMark = '·';

/** Weights of FTS5's first stage; that of a prefix is given with the query. */
const textFields = [
  { name: 'title', type: 'TEXT', options: ['NOSTEM', 'WEIGHT', '3'] },
  { name: 'body', type: 'TEXT', options: ['NOSTEM'] },
] as const;

export const textIndex = (name: string): Index => ({ name, fields: textFields });

/** Without approximation: 50,000 vectors of 256 dimensions are compared in a few milliseconds, and load quickly. */
const vectorIndex = (name: string, dimension: number): Index => ({
  name,
  fields: [
    {
      name: 'v',
      type: 'VECTOR',
      options: ['FLAT', '6', 'TYPE', 'FLOAT32', 'DIM', String(dimension), 'DISTANCE_METRIC', 'COSINE'],
    },
  ],
});

export const spaceField = (corpusId: string, generation: Generation) => `space ${generation} ${corpusId}`;
export const vectorField = (embedder: string, dimension: number) => `vectors ${dimension} ${embedder}`;

/** A stretch of ordinals, or of chunks with the id of the first. */
type Run = [first: number, count: number];
type IdRun = [first: number, count: number, id: number];

interface Revision {
  facts: RevisionFacts;
  space: string;
  generation: Generation;
  runs: IdRun[];
  embedded: Map<string, Run[]>;
  /** Numbers of the kinds of vectors it has. */
  kinds: Set<string>;
  changed: boolean;
}

/** The key of a revision below its document's. */
const revKey = (docId: number, revision: number) => `${docId}/${revision}`;

export const embeddedField = (embedder: string) => `e ${embedder}`;

export const countOf = (runs: readonly (Run | IdRun)[]): number => runs.reduce((sum, [, n]) => sum + n, 0);

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

/** A chunk's words, the first `titled` of them of title and headings. */
interface Analysed {
  all: string[];
  titled: number;
}

/** What one commit makes of the index. */
interface Plan {
  prefix: string;
  meta: Record<string, string>;
  metaChanged: Set<string>;
  living: Map<number, number[]>;
  visible: Map<number, number | null>;
  revisions: Map<string, Revision | null>;
  changedDocs: Set<number>;
  newWords: string[];
  texts: Map<number, { facts: RevisionFacts; chunk: Chunk; text: string }>;
  /** What is still to be written ahead of the commit, and how long it will take. */
  ahead: Command[];
  aheadMs: number;
  /** What was sent of it. */
  sent: Promise<boolean>[];
  commands: Command[];
}

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
    const spaces = Object.entries(meta).filter(([field]) => field.startsWith('space '));
    const kinds = Object.entries(meta).filter(([field]) => field.startsWith('vectors '));
    return spaces
      .filter(([field]) => !field.startsWith('space restricted '))
      .flatMap(([, space]) => [
        textIndex(`${prefix}t:${space}`),
        ...kinds.map(([field, kind]) =>
          vectorIndex(`${prefix}v:${kind}:${space}`, Number(field.split(' ')[1])),
        ),
      ]);
  }

  /**
   * What the commit has to write, after what can be written ahead of it has been. Null: the build does not stand where
   * it should. Chunks and vectors of a revision that is not announced, or dead, are left out.
   */
  async plan(step: Step, writes: readonly ChunkWrite[]): Promise<Command[] | null> {
    if (writes.length === 0) return [];
    if (this.#wordsOf !== step.build) this.#forget(step.build);
    const plan = await this.#load(this.#prefix(step.build), writes);
    const analysed = await this.#analyse(plan, writes);
    for (const write of writes) {
      switch (write.op) {
        case 'chunks.revision':
          this.#announce(plan, write);
          break;
        case 'chunks.add':
          await this.#add(plan, step, write, analysed);
          break;
        case 'chunks.publish':
          if (!this.#alive(plan, write.doc_id, write.revision)) break;
          show(plan, write.doc_id, write.revision);
          this.#kill(plan, write.doc_id, (revision) => revision < write.revision);
          break;
        case 'chunks.drop':
          if (plan.visible.get(write.doc_id) === write.revision) show(plan, write.doc_id, null);
          this.#kill(plan, write.doc_id, (revision) => revision === write.revision);
          break;
        case 'chunks.withdraw':
          if (plan.visible.get(write.doc_id) != null) show(plan, write.doc_id, null);
          this.#kill(plan, write.doc_id, () => true);
          break;
        case 'chunks.vectors':
          this.#setVectors(
            plan,
            write,
            placed(plan, write, write.vectors.length).map((at, n) => ({ ...at, vector: write.vectors[n]! })),
          );
          break;
        case 'chunks.embed':
          this.#setVectors(plan, write, await this.#computed(plan, write));
      }
    }
    await this.#sendAhead(plan, step);
    return (await Promise.all(plan.sent)).every(Boolean) ? finished(plan) : null;
  }

  /** Sends what is to be written ahead; the server works on it while the next chunks are analysed. */
  async #sendAhead(plan: Plan, step: Step): Promise<void> {
    await this.#makeIndexes(step.build, plan);
    for (const portion of portions(plan.ahead.splice(0))) {
      const sent = runStep(this.#redis, step, null, portion);
      sent.catch(() => {});
      plan.sent.push(sent);
    }
    plan.aheadMs = 0;
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
    const plan: Plan = {
      prefix,
      meta: {},
      metaChanged: new Set(),
      living: new Map(),
      visible: new Map(),
      revisions: new Map(),
      changedDocs: new Set(),
      newWords: [],
      texts: new Map(),
      ahead: [],
      aheadMs: 0,
      sent: [],
      commands: [],
    };
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

  /** Cuts all chunks into words and learns the ids of those that are known. */
  async #analyse(plan: Plan, writes: readonly ChunkWrite[]): Promise<Map<Chunk, Analysed>> {
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
        const heads = words(searchTitle(of, chunk));
        const all = [...heads, ...words(chunk.text)];
        analysed.set(chunk, { all, titled: heads.length });
        for (const word of all) if (!this.#wordIds.has(word)) unknown.add(word);
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

  #alive(plan: Plan, docId: number, revision: number): boolean {
    return plan.living.get(docId)!.includes(revision);
  }

  #announce(plan: Plan, { facts, generation }: ChunkWrite & { op: 'chunks.revision' }): void {
    const key = revKey(facts.doc_id, facts.revision);
    const before = plan.revisions.get(key);
    const space = numbered(plan, spaceField(facts.corpus_id, generation), 'spaces');
    plan.revisions.set(key, {
      facts,
      space,
      generation,
      runs: before?.runs ?? [],
      embedded: before?.embedded ?? new Map(),
      kinds: before?.kinds ?? new Set(),
      changed: true,
    });
    const living = plan.living.get(facts.doc_id)!;
    if (!living.includes(facts.revision)) living.push(facts.revision);
    plan.changedDocs.add(facts.doc_id);
  }

  #kill(plan: Plan, docId: number, which: (revision: number) => boolean): void {
    const living = plan.living.get(docId)!;
    const dead = living.filter(which);
    if (dead.length === 0) return;
    plan.living.set(
      docId,
      living.filter((revision) => !which(revision)),
    );
    plan.changedDocs.add(docId);
    const members = dead.map((revision) => revKey(docId, revision));
    plan.commands.push({ args: ['SADD', `${plan.prefix}dead`, ...members], ms: plainMs });
  }

  async #add(
    plan: Plan,
    step: Step,
    write: ChunkWrite & { op: 'chunks.add' },
    analysed: Map<Chunk, Analysed>,
  ): Promise<void> {
    const at = revKey(write.doc_id, write.revision);
    const revision = plan.revisions.get(at);
    if (!revision || !this.#alive(plan, write.doc_id, write.revision) || write.chunks.length === 0) return;
    const { prefix } = plan;
    const { space, facts } = revision;
    const firstId = Number(plan.meta.id ?? 0) + 1;
    for (const [n, entry] of write.chunks.entries()) {
      const { text, ...chunk } = entry;
      const ordinal = write.first + n;
      const id = firstId + n;
      plan.texts.set(id, { facts, chunk, text });
      const own = ['HSET', `${prefix}c:${id}`, 'r', at, 'o', String(ordinal)];
      own.push('chunk', JSON.stringify(chunk), 'text', text);
      if (chunk.number !== null) {
        own.push('number', chunk.number);
        const member = `${at}/${ordinal}`;
        const key = `${prefix}n:${space}:${chunk.number}`;
        plan.ahead.push({ args: ['SADD', key, `${member}/${id}/${chunk.unit ?? ''}`], ms: plainMs });
        if (chunk.unit !== null) {
          const unitKey = `${prefix}u:${space}:${chunk.unit}`;
          own.push('unit', chunk.unit);
          plan.ahead.push({ args: ['SADD', unitKey, `${member}/${chunk.number}`], ms: plainMs });
        }
      }
      if (revision.generation === 'restricted') {
        plan.ahead.push({ args: own, ms: plainMs });
        continue;
      }
      const { all, titled } = analysed.get(entry)!;
      const tokens = Uint32Array.from(all, (word) => this.#wordId(plan, word));
      const bytes = Buffer.from(tokens.buffer);
      plan.ahead.push({
        args: [...own, 'lang', chunk.lang, 'titled', String(titled), 'tokens', bytes],
        ms: plainMs,
      });
      const prefixes = [...new Set(all.map(prefixOf))].map((p) => prefixMark + p);
      const heads = stemsOf(all.slice(0, titled), chunk.lang);
      const body = stemsOf(all.slice(titled), chunk.lang);
      plan.ahead.push({
        args: [
          ...['HSET', `${prefix}t:${space}:${id}`, 'title', heads.join(' ')],
          ...['body', [...body, ...prefixes].join(' ')],
        ],
        ms: indexedMs + (heads.length + body.length + prefixes.length) * wordMs,
      });
      plan.aheadMs += plan.ahead.at(-1)!.ms;
      if (plan.aheadMs > stepMs) await this.#sendAhead(plan, step);
    }
    setMeta(plan, 'id', firstId + write.chunks.length - 1);
    revision.runs.push([write.first, write.chunks.length, firstId]);
    revision.changed = true;
  }

  #wordId(plan: Plan, word: string): number {
    let id = this.#wordIds.get(word);
    if (id === undefined) {
      id = Number(plan.meta.words ?? 0) + 1;
      setMeta(plan, 'words', id);
      plan.newWords.push(word);
      this.#wordIds.set(word, id);
    }
    return id;
  }

  async #computed(
    plan: Plan,
    write: ChunkWrite & { op: 'chunks.embed' },
  ): Promise<{ ordinal: number; id: number; vector: Float32Array }[]> {
    const revision = plan.revisions.get(revKey(write.doc_id, write.revision));
    if (!revision || !this.#alive(plan, write.doc_id, write.revision)) return [];
    const made = await Promise.all(
      placed(plan, write, write.count).map(async ({ ordinal, id }) => {
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

  #setVectors(
    plan: Plan,
    write: { doc_id: number; revision: number; embedder: string },
    vectors: readonly { ordinal: number; id: number; vector: Float32Array }[],
  ): void {
    const revision = plan.revisions.get(revKey(write.doc_id, write.revision));
    if (!revision) return;
    for (const { ordinal, id, vector } of vectors) {
      const kind = numbered(plan, vectorField(write.embedder, vector.length), 'kinds');
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      plan.ahead.push({
        args: ['HSET', `${plan.prefix}v:${kind}:${revision.space}:${id}`, 'v', bytes],
        ms: indexedMs,
      });
      revision.kinds.add(kind);
      const before = revision.embedded.get(write.embedder) ?? [];
      revision.embedded.set(write.embedder, withOrdinal(before, ordinal));
      revision.changed = true;
    }
  }

  /** Indexes of new spaces and kinds of vectors, before anything is written there. */
  async #makeIndexes(build: string, plan: Plan): Promise<void> {
    const stamp = `${plan.meta.spaces ?? 0} ${plan.meta.kinds ?? 0}`;
    if (this.#spaces.has(stamp)) return;
    const { prefix, meta } = plan;
    const kinds = Object.keys(meta).filter((field) => field.startsWith('vectors '));
    for (const field of Object.keys(meta)) {
      if (!field.startsWith('space ') || field.startsWith('space restricted ')) continue;
      await ensureIndex(this.#redis, textIndex(`${prefix}t:${meta[field]}`));
      for (const kind of kinds) {
        const name = `${prefix}v:${meta[kind]}:${meta[field]}`;
        await ensureIndex(this.#redis, vectorIndex(name, Number(kind.split(' ')[1])));
      }
    }
    if (this.#wordsOf === build) this.#spaces.add(stamp);
  }

  /** Deletes up to `limit` chunks of dead revisions; returns how many there were. */
  async sweep(build: string, limit: number): Promise<number> {
    const prefix = this.#prefix(build);
    return this.#redis.run<number>(sweepScript, prefix, prefix, String(limit));
  }
}

function toRevision(fields: Record<string, string>): Revision {
  const embedded = new Map<string, Run[]>();
  for (const [field, json] of Object.entries(fields)) {
    if (field.startsWith(embeddedField(''))) embedded.set(field.slice(2), JSON.parse(json));
  }
  return {
    facts: JSON.parse(fields.facts!),
    space: fields.space!,
    generation: fields.generation as Generation,
    runs: JSON.parse(fields.runs!),
    embedded,
    kinds: new Set<string>(JSON.parse(fields.kinds!)),
    changed: false,
  };
}

function setMeta(plan: Plan, field: string, value: number | string): void {
  plan.meta[field] = String(value);
  plan.metaChanged.add(field);
}

/** The number of a space or kind of vectors, a new one where it has none. */
function numbered(plan: Plan, field: string, counter: 'spaces' | 'kinds'): string {
  const known = plan.meta[field];
  if (known !== undefined) return known;
  const next = Number(plan.meta[counter] ?? 0) + 1;
  setMeta(plan, counter, next);
  setMeta(plan, field, next);
  return String(next);
}

/** This revision of a document, or none, is now what is seen of it. */
function show(plan: Plan, docId: number, revision: number | null): void {
  const { prefix } = plan;
  plan.visible.set(docId, revision);
  const changed = Number(plan.meta.changed ?? 0) + 1;
  setMeta(plan, 'changed', changed);
  plan.commands.push(
    {
      args:
        revision === null
          ? ['HDEL', `${prefix}docs`, String(docId)]
          : ['HSET', `${prefix}docs`, String(docId), String(revision)],
      ms: plainMs,
    },
    { args: ['ZADD', `${prefix}changed`, String(changed), String(docId)], ms: plainMs },
  );
}

/** Ordinals and ids of a revision's chunks from the `first`-th on. */
function placed(
  plan: Plan,
  { doc_id, revision, first }: { doc_id: number; revision: number; first: number },
  limit: number,
): { ordinal: number; id: number }[] {
  const runs = plan.revisions.get(revKey(doc_id, revision))?.runs ?? [];
  return placesOf(runs)
    .filter(({ ordinal }) => ordinal >= first)
    .slice(0, limit);
}

/** The chunks of a revision in order. */
export function placesOf(runs: readonly IdRun[]): { ordinal: number; id: number }[] {
  return runs
    .flatMap(([first, count, id]) =>
      Array.from({ length: count }, (_, n) => ({ ordinal: first + n, id: id + n })),
    )
    .sort((a, b) => a.ordinal - b.ordinal);
}

/** Stretches with one more ordinal in them. */
function withOrdinal(runs: readonly Run[], ordinal: number): Run[] {
  if (runs.some(([first, count]) => ordinal >= first && ordinal < first + count)) return [...runs];
  const next: Run[] = [];
  for (const [first, count] of [...runs, [ordinal, 1] as Run].sort(([a], [b]) => a - b)) {
    const last = next.at(-1);
    if (last && last[0] + last[1] === first) last[1] += count;
    else next.push([first, count]);
  }
  return next;
}

/** The commands of the commit itself. */
function finished(plan: Plan): Command[] {
  const { prefix, commands } = plan;
  for (const docId of plan.changedDocs) {
    const living = plan.living.get(docId)!;
    const key = `${prefix}d:${docId}`;
    commands.push({
      args: living.length > 0 ? ['SET', key, JSON.stringify(living)] : ['DEL', key],
      ms: plainMs,
    });
  }
  for (const [key, revision] of plan.revisions) {
    if (!revision?.changed) continue;
    const { facts, space, generation, runs, embedded, kinds } = revision;
    commands.push({
      args: [
        ...[
          'HSET',
          `${prefix}r:${key}`,
          'facts',
          JSON.stringify(facts),
          'space',
          space,
          'generation',
          generation,
        ],
        ...['corpus', facts.corpus_id, 'layer', facts.layer.name, 'count', String(countOf(runs))],
        ...['runs', JSON.stringify(runs), 'kinds', JSON.stringify([...kinds])],
        ...[...embedded].flatMap(([name, ordinals]) => [embeddedField(name), JSON.stringify(ordinals)]),
      ],
      ms: plainMs,
    });
  }
  if (plan.newWords.length > 0) {
    const first = Number(plan.meta.words) - plan.newWords.length + 1;
    const ids = plan.newWords.flatMap((word, n) => [word, String(first + n)]);
    const list = plan.newWords.map((word) => `${word} ${stem(word)} ${kazakhStem(word) ?? ''}`);
    commands.push(...spread(['HSET', `${prefix}words`], ids, 2));
    commands.push(...spread(['RPUSH', `${prefix}wordlist`], list));
  }
  const meta = [...plan.metaChanged].flatMap((field) => [field, plan.meta[field]!]);
  if (meta.length > 0) commands.push({ args: ['HSET', `${prefix}meta`, ...meta], ms: plainMs });
  return commands;
}

function stemsOf(list: readonly string[], lang: Language): string[] {
  const found: string[] = [];
  for (const word of list) {
    found.push(stem(word));
    const second = lang === 'kk' ? kazakhStem(word) : null;
    if (second !== null) found.push(second);
  }
  return found;
}
