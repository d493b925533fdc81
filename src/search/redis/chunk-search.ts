/**
 * ChunkSearch over the keys described in chunk-keys.ts. All keys that must be consistent are read by a single
 * script.
 */
import { statedByField } from '../../domain/chunk-text.ts';
import type { Language, RevisionFacts } from '../../domain/events.ts';
import { languages } from '../../language/index.ts';
import type {
  ChunkChanges,
  ChunkSearch,
  CorpusCoverage,
  DocumentFacts,
  IndexedChunk,
  Passage,
  SearchScope,
  TermCounts,
  Terms,
} from '../../ports/chunk-search.ts';
import { type Arg, type Redis, script } from '../../storage/redis-connection.ts';
import { toTokens } from '../../text/fingerprint.ts';
import { prefixWeight } from '../counts.ts';
import {
  countOf,
  embeddedField,
  embedderOf,
  locationsOf,
  partitionField,
  prefixMark,
  sizeField,
  vectorField,
} from './chunk-keys.ts';
import { sizeOf } from './chunk-plan.ts';
import { groupsIn, searchIndex } from './query-engine.ts';

/** From the given chunks, returns the visible ones, each with its ordinal, chunk, text and facts. */
const passagesScript = script(`
local P, found = ARGV[1], {}
for i = 2, #ARGV do
  local c = redis.call('HMGET', P .. 'c:' .. ARGV[i], 'r', 'o', 'chunk', 'text')
  if c[1] then
    local doc, rev = string.match(c[1], '^(%d+)/(%d+)$')
    if redis.call('HGET', P .. 'docs', doc) == rev then
      found[#found + 1] = { ARGV[i], c[2], c[3], c[4], redis.call('HGET', P .. 'r:' .. c[1], 'facts') }
    end
  end
end
return found`);

/** Returns the ids of those given chunks that are visible. */
const visibleScript = script(`
local P, found = ARGV[1], {}
for i = 2, #ARGV do
  local at = redis.call('HGET', P .. 'c:' .. ARGV[i], 'r')
  if at then
    local doc, rev = string.match(at, '^(%d+)/(%d+)$')
    if redis.call('HGET', P .. 'docs', doc) == rev then found[#found + 1] = ARGV[i] end
  end
end
return found`);

/** Maximum number of chunks of a partition with the same structural number, which is also the server's limit. */
const numberedMax = 1_000_000;
/** Number of commands sent at the same time. */
const sliceSize = 1_000;

async function inSlices<T, U>(items: readonly T[], act: (item: T) => Promise<U>): Promise<U[]> {
  const all: U[] = [];
  for (let at = 0; at < items.length; at += sliceSize)
    all.push(...(await Promise.all(items.slice(at, at + sliceSize).map(act))));
  return all;
}

/** Reads the build whose keys begin with `prefix`. */
export function openRedisChunkSearch(redis: Redis, prefix: string): ChunkSearch {
  const numbers = new Map<string, string>();

  /** The number of a partition or vector kind, which never changes. */
  async function numberOf(field: string): Promise<string | null> {
    const known = numbers.get(field);
    if (known !== undefined) return known;
    const found = await redis.call<string | null>('HGET', `${prefix}meta`, field);
    if (found !== null) numbers.set(field, found);
    return found;
  }

  async function partitionsOf({ corpus_id, layers }: SearchScope): Promise<string[]> {
    const found = await Promise.all(layers.map((layer) => numberOf(partitionField(corpus_id, layer))));
    return found.filter((partition) => partition !== null);
  }

  async function passages(ids: readonly number[]): Promise<Passage[]> {
    if (ids.length === 0) return [];
    const found: Passage[] = [];
    for (let at = 0; at < ids.length; at += sliceSize) {
      const part = ids.slice(at, at + sliceSize).map(String);
      const rows = await redis.run<string[][]>(passagesScript, prefix, prefix, ...part);
      for (const [id, ordinal, chunk, text, facts] of rows) {
        found.push({
          id: Number(id),
          ordinal: Number(ordinal),
          facts: JSON.parse(facts!),
          chunk: JSON.parse(chunk!),
          text: text!,
        });
      }
    }
    return found;
  }

  async function visible(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await redis.run<string[]>(visibleScript, prefix, prefix, ...ids.map(String));
    return new Set(rows.map(Number));
  }

  /** Ids of the chunks in a document's visible revision, in order. */
  async function chunksOf(docId: number): Promise<{ ordinal: number; id: number }[]> {
    const revision = await redis.call<string | null>('HGET', `${prefix}docs`, String(docId));
    if (revision === null) return [];
    const runs = await redis.call<string | null>('HGET', `${prefix}r:${docId}/${revision}`, 'runs');
    return runs === null ? [] : locationsOf(JSON.parse(runs));
  }

  /** The visible revision of a document. */
  async function factsOf(docId: number): Promise<RevisionFacts | null> {
    const revision = await redis.call<string | null>('HGET', `${prefix}docs`, String(docId));
    if (revision === null) return null;
    const facts = await redis.call<string | null>(...['HGET', `${prefix}r:${docId}/${revision}`, 'facts']);
    return facts === null ? null : JSON.parse(facts);
  }

  async function stated(docId: number): Promise<DocumentFacts | null> {
    const facts = await factsOf(docId);
    if (facts === null) return null;
    const { corpus_id, layer, title, lang, event_date, metadata } = facts;
    return {
      doc_id: docId,
      corpus_id,
      layer: layer.name,
      title,
      lang,
      event_date,
      stated: statedByField(metadata),
    };
  }

  /** The results of a query in the index of each partition in the scope. */
  const inEach = async <T>(scope: SearchScope, query: (index: string) => Promise<T[]>): Promise<T[]> =>
    (await Promise.all((await partitionsOf(scope)).map((one) => query(`${prefix}t:${one}`)))).flat();

  /** The number of chunks in a partition that match a query. */
  async function found(partition: string, query: string): Promise<number> {
    const { total } = await searchIndex(redis, `${prefix}t:${partition}`, query, [0, 0], 'VERBATIM');
    return total;
  }

  /** Counts for one language in a partition; null if it has no chunks there. */
  async function countsIn(partition: string, lang: Language, terms: Terms): Promise<TermCounts | null> {
    const ofLanguage = `@lang:{${lang}}`;
    const chunks = await found(partition, ofLanguage);
    if (chunks === 0) return null;
    const size = sizeOf(await redis.call<string | null>('HGET', `${prefix}meta`, sizeField(partition)));
    const share = chunks / (size.chunks || 1);
    const holding = (list: readonly string[]) =>
      Promise.all(list.map((term) => found(partition, `${ofLanguage} ${term}`)));
    const [stems, prefixes] = await Promise.all([
      holding(terms.stems),
      holding(terms.prefixes.map((one) => prefixMark + one)),
    ]);
    return { lang, chunks, words: size.words * share, titled: size.titled * share, stems, prefixes };
  }

  /** The visible revision of each document, or of each given document. */
  async function visibleDocuments(docIds: readonly number[] | undefined): Promise<[string, string][]> {
    if (docIds === undefined)
      return Object.entries(await redis.call<Record<string, string>>('HGETALL', `${prefix}docs`));
    if (docIds.length === 0) return [];
    const docs = docIds.map(String);
    const revisions = await redis.call<(string | null)[]>('HMGET', `${prefix}docs`, ...docs);
    return docs.flatMap((doc, i): [string, string][] => (revisions[i] ? [[doc, revisions[i]]] : []));
  }

  /** The visible documents (all of them, or the given ones), with fields of their revisions. */
  async function visibleRevisions(
    fields: readonly string[],
    docIds?: readonly number[],
  ): Promise<{ doc_id: number; values: (string | null)[] }[]> {
    return inSlices(await visibleDocuments(docIds), async ([doc, revision]) => ({
      doc_id: Number(doc),
      values: await redis.call<(string | null)[]>('HMGET', `${prefix}r:${doc}/${revision}`, ...fields),
    }));
  }

  /** The visible chunks in an index with the most similar vectors. */
  async function nearestIn(
    index: string,
    vector: Buffer,
    limit: number,
  ): Promise<{ id: number; similarity: number }[]> {
    // More hits are requested than needed, because those in invisible revisions are dropped.
    for (let asked = limit * 2; ; asked *= 4) {
      const { hits } = await searchIndex(
        redis,
        index,
        `*=>[KNN ${asked} @v $q AS distance]`,
        [0, asked],
        ...(['PARAMS', '2', 'q', vector, 'SORTBY', 'distance'] as Arg[]),
        ...['RETURN', '1', 'distance'],
      );
      const found = hits.map(({ key, fields }) => ({
        id: Number(key),
        similarity: 1 - Number(fields.distance),
      }));
      const seen = await visible(found.map(({ id }) => id));
      const shown = found.filter(({ id }) => seen.has(id));
      if (shown.length >= limit || hits.length < asked) return shown;
    }
  }

  const embeddedIn = (json: string | null | undefined): number => (json ? countOf(JSON.parse(json)) : 0);

  return {
    passages,
    async changes(stamp, limit): Promise<ChunkChanges> {
      const rows = await redis.call<[string, number][]>(
        ...['ZRANGEBYSCORE', `${prefix}changed`, `(${stamp}`, '+inf', 'WITHSCORES'],
        ...['LIMIT', '0', String(limit)],
      );
      const changed = await Promise.all(
        rows.map(async ([doc]) => ({ doc_id: Number(doc), document: await stated(Number(doc)) })),
      );
      return { stamp: Number(rows.at(-1)?.[1] ?? stamp), changed };
    },
    async counts(scope, terms) {
      const partitions = await partitionsOf(scope);
      const all = await Promise.all(
        partitions.flatMap((partition) => languages.map((lang) => countsIn(partition, lang, terms))),
      );
      const byLanguage = new Map<Language, TermCounts>();
      for (const one of all) {
        if (one === null) continue;
        const sum = byLanguage.get(one.lang);
        byLanguage.set(one.lang, sum ? together(sum, one) : one);
      }
      return [...byLanguage.values()];
    },
    async candidates(scope, terms, limit, only) {
      if (terms.stems.length + terms.prefixes.length === 0 || only?.size === 0) return [];
      const within = only ? `@doc:{${[...only].join('|')}} ` : '';
      const query = `${within}(${anyOf(terms)})`;
      const found = await Promise.all(
        (await partitionsOf(scope)).map(async (partition) => {
          const { hits } = await searchIndex(
            redis,
            `${prefix}t:${partition}`,
            query,
            [0, limit],
            ...['VERBATIM', 'NOCONTENT', 'SCORER', 'BM25STD', 'WITHSCORES'],
          );
          return hits.map(({ key, score }) => ({ id: Number(key), score }));
        }),
      );
      // Scores from two layers are based on different statistics, but are comparable enough to select candidates.
      const all =
        found.length === 1 ? found[0]! : found.flat().sort((a, b) => b.score - a.score || a.id - b.id);
      return all.slice(0, limit).map(({ id }) => id);
    },
    async indexed(ids) {
      const shown = await visible(ids);
      const facts = new Map<number, Promise<RevisionFacts | null>>();
      const chunks = await inSlices(
        ids.filter((id) => shown.has(id)),
        async (id): Promise<IndexedChunk | null> => {
          const [at, ordinal, lang, titled, tokens] = await redis.callBytes<(Buffer | null)[]>(
            ...['HMGET', `${prefix}c:${id}`, 'r', 'o', 'lang', 'titled', 'tokens'],
          );
          if (!at || !lang || !tokens) return null;
          const doc_id = Number.parseInt(String(at), 10);
          const known = facts.get(doc_id) ?? factsOf(doc_id);
          facts.set(doc_id, known);
          const layer = (await known)?.layer.name;
          return layer === undefined
            ? null
            : {
                id,
                doc_id,
                ordinal: Number(String(ordinal)),
                layer,
                lang: String(lang) as Language,
                titled: Number(String(titled)),
                tokens: toTokens(tokens),
              };
        },
      );
      return chunks.filter((chunk) => chunk !== null);
    },
    async stemsSounding(keys) {
      const found = await Promise.all(
        keys.map((key) => redis.call<string[]>('ZRANGE', `${prefix}sounds`, `[${key} `, `(${key}!`, 'BYLEX')),
      );
      return found.flat().map((member) => member.slice(member.indexOf(' ') + 1));
    },
    async stemsBeginning(letters, shortest, longest) {
      const found = await redis.call<string[]>(
        ...['ZRANGE', `${prefix}stems`, `[${letters}`, `(${letters}\u{10ffff}`, 'BYLEX'],
      );
      return found.filter(({ length }) => shortest <= length && length <= longest);
    },
    async nearest(scope, embedder, vector, limit) {
      const [partitions, kind] = await Promise.all([
        partitionsOf(scope),
        numberOf(vectorField(embedder, vector.length)),
      ]);
      if (kind === null || limit === 0) return [];
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      const found = await Promise.all(
        partitions.map((partition) => nearestIn(`${prefix}v:${kind}:${partition}`, bytes, limit)),
      );
      return found
        .flat()
        .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
        .slice(0, limit);
    },
    async embedders() {
      const fields = await redis.call<string[]>('HKEYS', `${prefix}meta`);
      return [...new Set(fields.flatMap((field) => embedderOf(field) ?? []))];
    },
    async byNumber(scope, number, unit) {
      const query = `${tagged('number', number)}${unit === null ? '' : tagged('unit', unit)}`;
      const hits = await inEach(
        scope,
        async (index) => (await searchIndex(redis, index, query, [0, numberedMax], 'NOCONTENT')).hits,
      );
      return (await passages(hits.map(({ key }) => Number(key)))).sort(inTextOrder);
    },
    async numbers(scope, unit) {
      const [docs, groups] = await Promise.all([
        redis.call<Record<string, string>>('HGETALL', `${prefix}docs`),
        inEach(scope, (index) => groupsIn(redis, index, tagged('unit', unit), 'number', 'at')),
      ]);
      const found = groups.flatMap(({ value: number, with: locations }) =>
        locations.flatMap((location) => {
          const [doc, revision, ordinal] = location.split('/');
          return docs[doc!] === revision ? [{ number, doc: Number(doc), ordinal: Number(ordinal) }] : [];
        }),
      );
      found.sort((a, b) => a.doc - b.doc || a.ordinal - b.ordinal);
      return [...new Set(found.map(({ number }) => number))];
    },
    async neighbours(id, distance) {
      const [at, place] = await redis.call<(string | null)[]>('HMGET', `${prefix}c:${id}`, 'r', 'o');
      if (!at) return [];
      const ordinal = Number(place);
      const around = (await chunksOf(Number(at.split('/')[0]))).filter(
        (chunk) => Math.abs(chunk.ordinal - ordinal) <= distance,
      );
      return (await passages(around.map((chunk) => chunk.id))).sort(inTextOrder);
    },
    async list(docId, limit, offset) {
      const all = await chunksOf(docId);
      const page = all.slice(offset, offset + limit).map(({ id }) => id);
      return { items: await passages(page), total: all.length };
    },
    async coverage(embedder, docIds) {
      const byCorpus = new Map<string, CorpusCoverage>();
      for (const { values } of await visibleRevisions(['corpus', 'count', embeddedField(embedder)], docIds)) {
        const [corpus_id, count, runs] = values;
        if (!corpus_id || !Number(count)) continue;
        const sum = byCorpus.get(corpus_id) ?? { corpus_id, chunks: 0, embedded: 0 };
        byCorpus.set(corpus_id, sum);
        sum.chunks += Number(count);
        sum.embedded += embeddedIn(runs);
      }
      return [...byCorpus.values()].sort((a, b) => (a.corpus_id < b.corpus_id ? -1 : 1));
    },
    async embedded(ids, embedder) {
      const found = await inSlices(ids, async (id) => {
        const [at, ordinal] = await redis.call<(string | null)[]>(...['HMGET', `${prefix}c:${id}`, 'r', 'o']);
        if (!at) return null;
        const runs = await redis.call<string | null>(
          ...['HGET', `${prefix}r:${at}`, embeddedField(embedder)],
        );
        const n = Number(ordinal);
        const has =
          runs && JSON.parse(runs).some(([first, count]: number[]) => n >= first! && n < first! + count!);
        return has ? id : null;
      });
      return found.filter((id) => id !== null);
    },
    async embeddedByDocument(embedder, docIds) {
      const revisions = await visibleRevisions([embeddedField(embedder)], docIds);
      return revisions
        .map(({ doc_id, values: [runs] }) => ({ doc_id, embedded: embeddedIn(runs) }))
        .filter(({ embedded }) => embedded > 0)
        .sort((a, b) => a.doc_id - b.doc_id);
    },
  };
}

const inTextOrder = (a: Passage, b: Passage) => a.facts.doc_id - b.facts.doc_id || a.ordinal - b.ordinal;

/** A query for the value of a TAG field. */
const tagged = (field: string, value: string): string =>
  `@${field}:{${value.replace(/[^\p{L}\p{N}_]/gu, '\\$&')}}`;

/** Terms contain only letters, digits and "_". A term given n times counts n times. */
function anyOf({ stems, prefixes }: { stems: readonly string[]; prefixes: readonly string[] }): string {
  const weights = new Map<string, number>();
  for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + 1);
  for (const prefix of prefixes)
    weights.set(prefixMark + prefix, (weights.get(prefixMark + prefix) ?? 0) + prefixWeight);
  return [...weights]
    .map(([term, weight]) => (weight === 1 ? term : `(${term})=>{$weight: ${weight.toFixed(2)}}`))
    .join(' | ');
}

/** Sums the counts of one language over two partitions. */
function together(one: TermCounts, other: TermCounts): TermCounts {
  const sums = (a: readonly number[], b: readonly number[]) => a.map((n, at) => n + b[at]!);
  return {
    lang: one.lang,
    chunks: one.chunks + other.chunks,
    words: one.words + other.words,
    titled: one.titled + other.titled,
    stems: sums(one.stems, other.stems),
    prefixes: sums(one.prefixes, other.prefixes),
  };
}
