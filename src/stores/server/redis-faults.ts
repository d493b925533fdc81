/**
 * What must hold within a build in Redis, in portions. What belongs together is read at one checkpoint; a portion that
 * the build moves away from says nothing, and is looked at again the next time.
 */
import type { Balance, Doc } from '../../ports/read-models.ts';
import { holdsOrdinal, type Run } from '../runs.ts';
import { embeddedField, type IdRun, locationsOf, revKey, vectorKinds } from './redis-chunk-keys.ts';
import { BuildMoved, fieldsOf, readAt } from './redis-commit.ts';
import type { Redis } from './redis-connection.ts';
import { isIndexing, searchIndex } from './redis-index.ts';

/** Documents, and chunks, looked at in one step: a chunk takes five commands. */
const documentsMax = 40;
const chunksMax = 40;
/** A collection that must balance and has more records is passed over: they are read at once. */
const balancedMax = 20_000;

export interface CheckedBuild {
  redis: Redis;
  /** The hash of its projection's builds. */
  builds: string;
  build: string;
  /** Begins all its keys. */
  prefix: string;
}

type Read = (commands: readonly (readonly string[])[]) => Promise<unknown[]>;

/** What `look` finds while the build stands still. All that `read` reads is of one checkpoint. */
async function still(place: CheckedBuild, look: (read: Read) => Promise<string[]>): Promise<string[]> {
  const { redis, builds: key, build } = place;
  let stood: string | null = null;
  const mayStand = (at: string) => {
    stood ??= at;
    return at === stood;
  };
  try {
    return await look((commands) => readAt(redis, { key, build }, mayStand, commands));
  } catch (error) {
    if (error instanceof BuildMoved) return [];
    throw error;
  }
}

/** A collection. */
export interface CheckedRecords {
  name: string;
  /** Its index. */
  index: string;
  /** Where the build counts the records it holds. */
  held: string;
}

/** The index of a collection finds as many records as were made and not deleted, and they balance. */
export async function* recordFaults(
  place: CheckedBuild,
  { name, index, held }: CheckedRecords,
  balance: Balance | undefined,
): AsyncGenerator<string[]> {
  const { redis, builds } = place;
  const count = [['HGET', builds, held]];
  yield await still(place, async (read) => {
    const [counted] = await read(count);
    if (await isIndexing(redis, index)) return [];
    const { total } = await searchIndex(redis, index, '*', [0, 0]);
    await read(count);
    return total === Number(counted ?? 0) ? [] : [`${name} holds ${total} records of ${counted ?? 0}`];
  });
  if (balance?.collection !== name) return;
  yield await still(place, async (read) => {
    await read(count);
    if (await isIndexing(redis, index)) return [];
    const found = await searchIndex(redis, index, '*', [0, balancedMax], ...['RETURN', '1', 'doc']);
    await read(count);
    if (found.total > balancedMax) return [];
    const records = found.hits.map(({ key, fields }): [string, Doc] => [key, JSON.parse(fields.doc ?? '{}')]);
    const fault = balance.fault(new Map(records));
    return fault === null ? [] : [fault];
  });
}

/** Each visible chunk stands once in the full-text index, with its words and its vectors, and is found by its number. */
export async function* chunkFaults(place: CheckedBuild): AsyncGenerator<string[]> {
  yield await still(place, (read) => countFaults(place, read));
  let cursor = '0';
  do {
    const [next, pairs] = await place.redis.call<[string, string[]]>(
      place.prefix,
      ...['HSCAN', `${place.prefix}docs`, cursor, 'COUNT', String(documentsMax)],
    );
    for (let at = 0; at < pairs.length; at += 2 * documentsMax) {
      const docs = pairs.slice(at, at + 2 * documentsMax).filter((_, n) => n % 2 === 0);
      yield* documentFaults(place, docs);
    }
    cursor = next;
  } while (cursor !== '0');
}

async function countFaults({ prefix }: CheckedBuild, read: Read): Promise<string[]> {
  const [counted, last] = await read([
    ['HGET', `${prefix}meta`, 'changed'],
    ['ZREVRANGE', `${prefix}changed`, '0', '0', 'WITHSCORES'],
  ]);
  const changed = Number(counted ?? 0);
  const [, newest = 0] = last as string[];
  return Number(newest) === changed ? [] : [`${changed} changes are counted, the last is number ${newest}`];
}

interface VisibleChunk {
  id: number;
  ordinal: number;
  /** Its revision, and that one's partition. */
  at: string;
  partition: string;
  /** Numbers of the kinds of vectors it has. */
  kinds: string[];
}

/** The documents, then their chunks, some at a time. */
async function* documentFaults(place: CheckedBuild, docs: readonly string[]): AsyncGenerator<string[]> {
  const { prefix } = place;
  let partitions: string[] = [];
  let chunks: VisibleChunk[] = [];
  yield await still(place, async (read) => {
    const faults: string[] = [];
    const [meta, visible, living] = await read([
      ['HGETALL', `${prefix}meta`],
      ['HMGET', `${prefix}docs`, ...docs],
      ['HMGET', `${prefix}living`, ...docs],
    ]);
    const seen = docs.flatMap((doc, n) => {
      const revision = (visible as (string | null)[])[n];
      return revision == null ? [] : [{ doc, revision, living: (living as (string | null)[])[n] }];
    });
    const hashes = await read(
      seen.map(({ doc, revision }) => ['HGETALL', `${prefix}r:${revKey(Number(doc), Number(revision))}`]),
    );
    const numbers = fieldsOf(meta);
    const kinds = vectorKinds(numbers);
    partitions = Object.keys(numbers)
      .filter((field) => field.startsWith('partition '))
      .map((field) => numbers[field]!);
    const found: VisibleChunk[] = [];
    for (const [n, { doc, revision, living }] of seen.entries()) {
      const fields = fieldsOf(hashes[n]);
      const alive = (JSON.parse(living ?? '[]') as number[]).includes(Number(revision));
      if (!alive || fields.runs === undefined) {
        faults.push(`revision ${revision} of document ${doc} is visible and not there`);
        continue;
      }
      const embedded = kinds.map(({ embedder, kind }) => ({
        kind,
        runs: JSON.parse(fields[embeddedField(embedder)] ?? '[]') as Run[],
      }));
      for (const { id, ordinal } of locationsOf(JSON.parse(fields.runs) as IdRun[])) {
        const has = embedded.filter(({ runs }) => holdsOrdinal(runs, ordinal));
        found.push({
          ...{ id, ordinal, at: `${doc}/${revision}`, partition: fields.partition ?? '' },
          kinds: has.map(({ kind }) => kind),
        });
      }
    }
    chunks = found;
    return faults;
  });
  for (let at = 0; at < chunks.length; at += chunksMax)
    yield await still(place, (read) => partFaults(place, read, partitions, chunks.slice(at, at + chunksMax)));
}

async function partFaults(
  { prefix }: CheckedBuild,
  read: Read,
  partitions: readonly string[],
  chunks: readonly VisibleChunk[],
): Promise<string[]> {
  const found = await read(
    chunks.flatMap(({ id, at, partition, kinds }) => [
      ['HMGET', `${prefix}c:${id}`, 'r', 'o', 'number', 'unit'],
      ['HEXISTS', `${prefix}c:${id}`, 'tokens'],
      ['EXISTS', `${prefix}t:${partition}:${id}`],
      ['EXISTS', ...partitions.map((one) => `${prefix}t:${one}:${id}`)],
      ['EXISTS', `${prefix}c:${id}`, ...kinds.map((kind) => `${prefix}v:${kind}:${partition}:${id}`)],
      ['HGET', `${prefix}docs`, at.split('/')[0]!],
    ]),
  );
  const faults: string[] = [];
  const numbered: { id: number; command: string[] }[] = [];
  for (const [n, { id, ordinal, at, partition, kinds }] of chunks.entries()) {
    const [own, tokens, indexed, everywhere, vectors, visible] = found.slice(n * 6, n * 6 + 6);
    // Another revision is seen since it was looked up.
    if (visible !== at.split('/')[1]) continue;
    const [r, o, number, unit] = own as (string | null)[];
    if (r !== at || o !== String(ordinal)) faults.push(`chunk ${id} is not there`);
    else if (tokens !== 1) faults.push(`chunk ${id} has no words`);
    else if (indexed !== 1 || everywhere !== 1)
      faults.push(`chunk ${id} is ${everywhere} times in the full-text index`);
    else if (vectors !== kinds.length + 1) faults.push(`chunk ${id} lacks a vector`);
    else if (number != null) {
      const [numbers, member] = [`${prefix}n:${partition}:${number}`, `${at}/${ordinal}/${id}/${unit ?? ''}`];
      numbered.push({ id, command: ['SISMEMBER', numbers, member] });
      if (unit != null)
        numbered.push({
          id,
          command: ['SISMEMBER', `${prefix}u:${partition}:${unit}`, `${at}/${ordinal}/${number}`],
        });
    }
  }
  const listed = await read(numbered.map(({ command }) => command));
  for (const [n, { id }] of numbered.entries())
    if (listed[n] !== 1) faults.push(`chunk ${id} is not found by its number`);
  return faults;
}
