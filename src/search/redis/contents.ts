/**
 * Lists the contents of a chunk index build in Redis, entry by entry (src/storage/entries.ts). Nothing is locked: a read
 * is valid if the build's checkpoint was the same before and after it. Data written ahead of a commit is included only
 * if it is named in the committed lists of the revisions.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Chunk } from '../../domain/events.ts';
import type { ValuesAt } from '../../ports/read-models.ts';
import {
  type CounterName,
  chunkValue,
  counterNames,
  documentValue,
  type EntryKind,
  nameOf,
  parsed,
  parseName,
  parseRevision,
  partitionValue,
  portionMax,
  revisionValue,
} from '../../storage/entries.ts';
import { type Arg, escapeGlob, type Redis } from '../../storage/redis-connection.ts';
import { holdsOrdinal, type Run } from '../ordinal-ranges.ts';
import {
  countOf,
  embeddedField,
  type IdRun,
  listOf,
  locationsOf,
  revKey,
  vectorKinds,
} from './chunk-keys.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The rest of each key that begins with `prefix`, in pages. Some may be repeated. */
export async function* keysBelow(redis: Redis, prefix: string): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.call<[string, string[]]>(
      ...['SCAN', cursor, 'MATCH', `${escapeGlob(prefix)}*`, 'COUNT', '1000'],
    );
    yield keys.map((key) => key.slice(prefix.length));
    cursor = next;
  } while (cursor !== '0');
}

async function* sorted(portions: AsyncIterable<readonly string[]>): AsyncGenerator<string[]> {
  const texts = new SortedTexts();
  try {
    for await (const portion of portions) texts.add(portion);
    yield* texts.portions(portionMax);
  } finally {
    texts.close();
  }
}

/** Names for the numbers from 1 to `last`. */
function* numbered(last: number, name: (n: number) => string): Generator<string[]> {
  for (let first = 1; first <= last; first += portionMax)
    yield Array.from({ length: Math.min(portionMax, last - first + 1) }, (_, n) => name(first + n));
}

/** Names of the documents, sorted by their last change. A document that changes during the listing is repeated. */
async function* documentNames(redis: Redis, prefix: string): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const rows = await redis.call<[string, number][]>(
      ...['ZRANGEBYSCORE', `${prefix}changed`, `(${after}`, '+inf', 'WITHSCORES'],
      ...['LIMIT', '0', String(portionMax)],
    );
    if (rows.length === 0) return;
    yield rows.map(([docId]) => nameOf.document(Number(docId)));
    after = Number(rows.at(-1)![1]);
  }
}

/** Names of the living revisions, unordered. */
async function* revisionNames(redis: Redis, prefix: string): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, pairs] = await redis.call<[string, string[]]>(
      ...['HSCAN', `${prefix}living`, cursor, 'COUNT', String(portionMax)],
    );
    const names: string[] = [];
    for (let n = 0; n < pairs.length; n += 2)
      for (const revision of listOf<number>(pairs[n + 1]))
        names.push(nameOf.revision(Number(pairs[n]), revision));
    yield names;
    cursor = next;
  } while (cursor !== '0');
}

/** Names of the entries of the chunk index whose keys begin with `prefix`. */
export async function* chunkIndexNames(redis: Redis, prefix: string): AsyncGenerator<string[]> {
  const [chunks, partitions] = await redis.call<(string | null)[]>(
    ...['HMGET', `${prefix}meta`, 'id', 'partitions'],
  );
  yield* numbered(Number(chunks ?? 0), nameOf.chunk);
  yield counterNames.map(nameOf.count);
  yield* sorted(documentNames(redis, prefix));
  yield* sorted(revisionNames(redis, prefix));
  yield* numbered(Number(partitions ?? 0), nameOf.partition);
}

/** A build of a projection in Redis. */
export interface BuildRef {
  redis: Redis;
  /** The hash that lists the builds of its projection. */
  builds: string;
  build: string;
  /** Prefix of all its keys. */
  prefix: string;
}

/**
 * The values for the names; null if the build does not exist. If the build moves during the read, it retries with half
 * as many names. Reading a single name takes less time than a commit.
 */
export async function valuesOf(ref: BuildRef, names: readonly string[]): Promise<ValuesAt | null> {
  const { redis, builds, build } = ref;
  const standsAt = () => redis.call<string | null>('HGET', builds, `${build}:at`);
  for (let part = names; ; part = part.slice(0, Math.ceil(part.length / 2))) {
    const at = await standsAt();
    if (at === null) return null;
    const values = await readAll(ref, part);
    if ((await standsAt()) === at) return { checkpoint: at || null, values };
  }
}

async function readAll(ref: BuildRef, names: readonly string[]): Promise<(string | null)[]> {
  const values = Array<string | null>(names.length).fill(null);
  const byKind = new Map<keyof typeof readers, { rest: string; at: number }[]>();
  for (const [at, name] of names.entries()) {
    const { kind, rest } = parseName(name);
    if (kind === 'record') continue;
    const list = byKind.get(kind) ?? [];
    byKind.set(kind, list);
    list.push({ rest, at });
  }
  for (const [kind, list] of byKind) {
    const found = await readers[kind](
      ref,
      list.map(({ rest }) => rest),
    );
    for (const [n, { at }] of list.entries()) values[at] = found[n]!;
  }
  return values;
}

type Reader = (ref: BuildRef, names: readonly string[]) => Promise<(string | null)[]>;

/** Reads each name separately, all of them concurrently. */
const each =
  (read: (ref: BuildRef, name: string) => Promise<string | null>): Reader =>
  (ref, names) =>
    Promise.all(names.map((name) => read(ref, name)));

const readers: Record<Exclude<EntryKind, 'record'>, Reader> = {
  chunk: readChunks,
  count: async ({ redis, prefix }, names) => {
    const fields: Record<CounterName, string> = {
      changes: 'changed',
      chunks: 'id',
      partitions: 'partitions',
    };
    const found = await redis.call<(string | null)[]>(
      ...['HMGET', `${prefix}meta`, ...names.map((name) => fields[name as CounterName])],
    );
    return found.map((value) => value ?? '0');
  },
  document: each(async ({ redis, prefix }, name) => {
    const docId = String(Number(name));
    const [changed, visible] = await Promise.all([
      redis.call<number | string | null>('ZSCORE', `${prefix}changed`, docId),
      redis.call<string | null>('HGET', `${prefix}docs`, docId),
    ]);
    return changed === null
      ? null
      : documentValue(visible === null ? null : Number(visible), Number(changed));
  }),
  revision: each(async (ref, name) => {
    const revision = await revisionAt(ref, revKey(...parseRevision(name)));
    if (revision === null) return null;
    const embedded = Object.entries(revision.fields).flatMap(([field, json]) =>
      field.startsWith(embeddedField(''))
        ? [[field.slice(embeddedField('').length), countOf(listOf<Run>(json))] as const]
        : [],
    );
    const { partition, facts = 'null' } = revision.fields;
    return revisionValue(Number(partition), facts, locationsOf(revision.runs), embedded);
  }),
  partition: async ({ redis, prefix }, names) => {
    const meta = await redis.call<Record<string, string>>('HGETALL', `${prefix}meta`);
    const partitions = new Map<number, string>();
    for (const [field, number] of Object.entries(meta)) {
      const [, corpusId, layer] = /^partition (\S+) (.*)$/.exec(field) ?? [];
      if (layer !== undefined) partitions.set(Number(number), partitionValue(corpusId!, layer));
    }
    return names.map((name) => partitions.get(Number(name)) ?? null);
  },
};

interface LivingRevision {
  /** The fields of its hash; empty if the hash is missing. */
  fields: Record<string, string>;
  runs: IdRun[];
}

/** A revision by its key; null if it is not living. */
async function revisionAt({ redis, prefix }: BuildRef, at: string): Promise<LivingRevision | null> {
  const [docId, revision] = at.split('/');
  const [living, fields] = await Promise.all([
    redis.call<string | null>('HGET', `${prefix}living`, docId!),
    redis.call<Record<string, string>>('HGETALL', `${prefix}r:${at}`),
  ]);
  if (!listOf<number>(living).includes(Number(revision))) return null;
  return { fields, runs: listOf<IdRun>(fields.runs) };
}

async function readChunks(ref: BuildRef, names: readonly string[]): Promise<(string | null)[]> {
  const { redis, prefix } = ref;
  const call = <T>(...args: Arg[]) => redis.call<T>(...args);
  const meta = await call<Record<string, string>>('HGETALL', `${prefix}meta`);
  const kinds = vectorKinds(meta);
  const revisions = new Map<string, Promise<LivingRevision | null>>();
  const revisionOf = (at: string) => {
    const known = revisions.get(at) ?? revisionAt(ref, at);
    revisions.set(at, known);
    return known;
  };
  const read = async (id: number): Promise<string | null> => {
    const key = `${prefix}c:${id}`;
    const [at, o, lang, titled, chunk, text] = await call<(string | null)[]>(
      ...['HMGET', key, 'r', 'o', 'lang', 'titled', 'chunk', 'text'],
    );
    if (!at) return null;
    const revision = await revisionOf(at);
    const ordinal = Number(o);
    const own = revision?.runs.some(
      ([first, count, firstId]) =>
        ordinal >= first && ordinal < first + count && id - firstId === ordinal - first,
    );
    if (!revision || !own) return null;
    const { partition = '' } = revision.fields;
    const embedded = kinds.filter(({ embedder }) =>
      holdsOrdinal(listOf<Run>(revision.fields[embeddedField(embedder)]), ordinal),
    );
    const [tokens, indexed, ...vectors] = await Promise.all([
      redis.callBytes<Buffer | null>('HGET', key, 'tokens'),
      call<(string | null)[]>('HMGET', `${prefix}t:${partition}:${id}`, 'at', 'number', 'unit'),
      ...embedded.map(({ kind }) =>
        redis.callBytes<Buffer | null>('HGET', `${prefix}v:${kind}:${partition}:${id}`, 'v'),
      ),
    ]);
    const { number, unit } = (parsed(chunk ?? 'null') ?? {}) as Partial<Chunk>;
    return chunkValue({
      revision: at,
      ordinal,
      partition: Number(partition),
      lang: lang ?? '',
      titled: Number(titled),
      tokens: tokens ?? new Uint8Array(),
      chunk: chunk ?? 'null',
      text: text ?? '',
      indexed: isDeepStrictEqual(indexed, [`${at}/${ordinal}`, number, unit]),
      vectors: embedded.flatMap(({ embedder }, n) => {
        const vector = vectors[n];
        return vector ? [{ embedder, vector }] : [];
      }),
    });
  };
  return Promise.all(names.map((name) => read(Number(name))));
}
