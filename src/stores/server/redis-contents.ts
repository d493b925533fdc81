/**
 * The entries of a build in Redis, by name (src/stores/entries.ts). Nothing is held still meanwhile: whoever reads
 * compares the build's checkpoint before and after.
 */
import type { Entry } from '../../ports/read-models.ts';
import {
  type ChunkFacts,
  chunkEntry,
  countEntries,
  documentEntry,
  recordEntry,
  revisionEntry,
  spaceEntry,
  wordEntry,
} from '../entries.ts';
import { countOf, embeddedField, placesOf, type Run, revKey } from './redis-chunk-keys.ts';
import { type Arg, escapeGlob, type Redis } from './redis-connection.ts';

/** Commands sent in one go, and keys asked for at once. */
const sliceSize = 500;

/** What follows `prefix` in the keys that begin with it; each once, in no order. */
export async function keysBelow(redis: Redis, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.call<[string, string[]]>(
      prefix,
      ...['SCAN', cursor, 'MATCH', `${escapeGlob(prefix)}*`, 'COUNT', '1000'],
    );
    for (const key of keys) found.add(key.slice(prefix.length));
    cursor = next;
  } while (cursor !== '0');
  return [...found];
}

/** Reads for one item after the other, many at a time, in order. */
export async function* readEach<T, U>(
  items: readonly T[],
  read: (item: T) => Promise<U>,
): AsyncGenerator<readonly [T, U]> {
  for (let at = 0; at < items.length; at += sliceSize) {
    const slice = items.slice(at, at + sliceSize);
    const found = await Promise.all(slice.map(read));
    for (const [n, item] of slice.entries()) yield [item, found[n]!] as const;
  }
}

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The records of a collection, whose keys begin with its index's name. */
export async function* recordEntries(
  redis: Redis,
  indexName: string,
  collection: string,
): AsyncGenerator<Entry> {
  const keys = (await keysBelow(redis, `${indexName}:`)).sort(byUnits);
  const read = (key: string) =>
    redis.call<(string | null)[]>(indexName, 'HMGET', `${indexName}:${key}`, 'doc', 'made');
  for await (const [key, [doc, made]] of readEach(keys, read))
    if (doc) yield recordEntry(collection, key, Number.parseInt(made ?? '', 36), doc);
}

/** A living revision as its hash holds it. */
export interface LivingRevision {
  docId: number;
  revision: number;
  /** The fields of its hash; empty where it is missing. */
  fields: Record<string, string>;
}

/** All living revisions, by document and revision. */
export async function* livingRevisions(redis: Redis, prefix: string): AsyncGenerator<LivingRevision> {
  const docs = (await keysBelow(redis, `${prefix}d:`)).map(Number).sort((a, b) => a - b);
  const living = (doc: number) => redis.call<string | null>(prefix, 'GET', `${prefix}d:${doc}`);
  const all: { docId: number; revision: number }[] = [];
  for await (const [docId, json] of readEach(docs, living))
    for (const revision of (json === null ? [] : (JSON.parse(json) as number[])).sort((a, b) => a - b))
      all.push({ docId, revision });
  const read = ({ docId, revision }: { docId: number; revision: number }) =>
    redis.call<Record<string, string>>(prefix, 'HGETALL', `${prefix}r:${revKey(docId, revision)}`);
  for await (const [at, fields] of readEach(all, read)) yield { ...at, fields };
}

/** The search index over the chunks whose keys begin with `prefix`. */
export async function* chunkIndexEntries(redis: Redis, prefix: string): AsyncGenerator<Entry> {
  const call = <T>(...args: Arg[]) => redis.call<T>(prefix, ...args);
  const meta = await call<Record<string, string>>('HGETALL', `${prefix}meta`);
  const revisions: LivingRevision[] = [];
  for await (const revision of livingRevisions(redis, prefix)) revisions.push(revision);

  /** Numbers of the kinds of vectors by embedder: one for each dimension. */
  const kinds = Object.entries(meta).flatMap(([field, kind]) => {
    const [, , embedder] = /^vectors (\d+) (.*)$/.exec(field) ?? [];
    return embedder === undefined ? [] : [{ embedder, kind }];
  });
  const chunks = revisions.flatMap(({ docId, revision, fields }) =>
    placesOf(JSON.parse(fields.runs ?? '[]')).map(({ id, ordinal }) => ({
      id,
      ordinal,
      at: revKey(docId, revision),
      space: fields.space ?? '',
      kinds: kinds.filter(({ kind }) => (JSON.parse(fields.kinds ?? '[]') as string[]).includes(kind)),
    })),
  );
  chunks.sort((a, b) => a.id - b.id);
  const read = async ({ id, ordinal, at, space, kinds }: (typeof chunks)[number]): Promise<ChunkFacts> => {
    const key = `${prefix}c:${id}`;
    const [own, tokens, ...vectors] = await Promise.all([
      call<(string | null)[]>('HMGET', key, 'lang', 'titled', 'chunk', 'text', 'number', 'unit'),
      redis.callBytes<Buffer | null>(prefix, 'HGET', key, 'tokens'),
      ...kinds.map(({ kind }) =>
        redis.callBytes<Buffer | null>(prefix, 'HGET', `${prefix}v:${kind}:${space}:${id}`, 'v'),
      ),
    ]);
    const [lang, titled, chunk, text, number, unit] = own;
    const numbers = `${prefix}n:${space}:${number}`;
    const units = `${prefix}u:${space}:${unit}`;
    const [numbered, listed] = await Promise.all([
      number == null ? 0 : call<number>('SISMEMBER', numbers, `${at}/${ordinal}/${id}/${unit ?? ''}`),
      unit == null ? 0 : call<number>('SISMEMBER', units, `${at}/${ordinal}/${number}`),
    ]);
    return {
      revision: at,
      ordinal,
      space: Number(space),
      lang: lang ?? '',
      titled: Number(titled),
      tokens: tokens ?? new Uint8Array(),
      chunk: chunk ?? 'null',
      text: text ?? '',
      numbered: numbered === 1,
      listed: listed === 1,
      vectors: kinds.flatMap(({ embedder }, n) => {
        const vector = vectors[n];
        return vector ? [{ embedder, vector }] : [];
      }),
    };
  };
  for await (const [{ id }, facts] of readEach(chunks, read)) yield chunkEntry(id, facts);

  yield* countEntries({
    changes: Number(meta.changed ?? 0),
    chunks: Number(meta.id ?? 0),
    spaces: Number(meta.spaces ?? 0),
    words: Number(meta.words ?? 0),
  });

  const visible = await call<Record<string, string>>('HGETALL', `${prefix}docs`);
  const changes = await call<[string, number][]>('ZRANGE', `${prefix}changed`, '0', '-1', 'WITHSCORES');
  for (const [doc, changed] of changes.sort(([a], [b]) => Number(a) - Number(b)))
    yield documentEntry(
      Number(doc),
      visible[doc] === undefined ? null : Number(visible[doc]),
      Number(changed),
    );

  for (const { docId, revision, fields } of revisions) {
    const embedded = Object.entries(fields).flatMap(([field, json]) =>
      field.startsWith(embeddedField(''))
        ? [[field.slice(embeddedField('').length), countOf(JSON.parse(json) as Run[])]]
        : [],
    );
    yield revisionEntry(
      [docId, revision],
      Number(fields.space),
      fields.facts ?? 'null',
      Object.fromEntries(embedded),
    );
  }

  const spaces = Object.entries(meta).flatMap(([field, number]) => {
    const [, corpusId, layer] = /^space (\S+) (.*)$/.exec(field) ?? [];
    return layer === undefined ? [] : [{ number: Number(number), corpusId: corpusId!, layer }];
  });
  for (const { number, corpusId, layer } of spaces.sort((a, b) => a.number - b.number))
    yield spaceEntry(number, corpusId, layer);

  for (let id = 1; ; id += sliceSize) {
    const lines = await call<string[]>(
      'LRANGE',
      `${prefix}wordlist`,
      String(id - 1),
      String(id + sliceSize - 2),
    );
    for (const [n, line] of lines.entries()) {
      const [word, stem, second] = line.split(' ');
      yield wordEntry(id + n, word!, stem ?? '', second || null);
    }
    if (lines.length < sliceSize) return;
  }
}
