/** Creates Query Engine indexes, compares them with their definition, and queries them. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import { type Arg, isIndexExists, isNoIndex, type Redis } from '../../storage/redis-connection.ts';

export interface IndexField {
  name: string;
  type: 'TAG' | 'TEXT' | 'VECTOR';
  /** The options after the type in FT.CREATE. */
  options: readonly string[];
}

export interface Index {
  /** Also the prefix of its hash keys, followed by a colon. */
  name: string;
  fields: readonly IndexField[];
}

const waitMs = 50;

/** The result of FT.INFO, independent of the protocol's format. */
interface Info {
  attributes: string[];
  indexing: boolean;
}

async function info(redis: Redis, name: string): Promise<Info | null> {
  try {
    const reply = await redis.call<Record<string, unknown>>('FT.INFO', name);
    const attributes = (reply.attributes as Record<string, unknown>[]) ?? [];
    return {
      attributes: attributes.map(({ identifier, type }) => `${identifier} ${type}`),
      indexing: Number(reply.indexing) > 0,
    };
  } catch (error) {
    if (isNoIndex(error)) return null;
    throw error;
  }
}

async function create(redis: Redis, { name, fields }: Index, ...options: string[]): Promise<void> {
  await redis
    .call(
      ...['FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', `${name}:`, 'NOOFFSETS', 'STOPWORDS', '0'],
      ...options,
      ...['SCHEMA', ...fields.flatMap((f) => [f.name, f.type, ...f.options])],
    )
    .catch((error: unknown) => {
      if (!isIndexExists(error)) throw error;
    });
}

/**
 * Creates a missing index, or replaces one with a different definition, and waits until it has indexed the existing
 * data.
 */
export async function ensureIndex(redis: Redis, index: Index): Promise<void> {
  const { name, fields } = index;
  const wanted = fields.map((f) => `${f.name} ${f.type}`).join();
  let found = await info(redis, name);
  if (found !== null && found.attributes.join() !== wanted) {
    await dropIndex(redis, name);
    found = null;
  }
  if (found === null) {
    await create(redis, index);
    found = await info(redis, name);
  }
  while (found?.indexing) {
    await delay(waitMs);
    found = await info(redis, name);
  }
}

export async function dropIndex(redis: Redis, name: string): Promise<void> {
  await redis.call('FT.DROPINDEX', name).catch((error: unknown) => {
    if (!isNoIndex(error)) throw error;
  });
}

/** Names of all indexes. */
export const listIndexes = async (redis: Redis): Promise<ReadonlySet<string>> =>
  new Set(await redis.call<string[]>('FT._LIST'));

export interface IndexHits {
  total: number;
  /** The part of the hash's key after the index name and colon, and the requested fields. */
  hits: { key: string; fields: Record<string, string>; score: number }[];
}

/** The maximum number of groups. Without a limit, ten would be returned. */
const groupsMax = 1_000_000;
/** Time limit of a query. A query that exceeds it would return incomplete results. */
const queryMs = 2_000;
interface Reply<Fields> {
  total_results: number;
  results: { id: string; extra_attributes?: Fields; score?: number | string }[];
  warning: string[];
}

/** Runs a query (dialect 2). Fails with `unavailable` if the index is missing or too slow. */
async function run<Fields>(redis: Redis, ...query: [command: string, ...Arg[]]): Promise<Reply<Fields>> {
  const reply = await redis
    .call<Reply<Fields>>(...query, 'TIMEOUT', String(queryMs), 'DIALECT', '2')
    .catch((error: unknown) => {
      throw isNoIndex(error) ? notThere(error) : error;
    });
  if (reply.warning.length > 0)
    throw new Failure('unavailable', 'Redis did not finish a search in time.', { retryAfterS: 1 });
  return reply;
}

/**
 * The values of the field `of` among the hashes that match a query, each with the values that the field `by` has with
 * it, in no particular order. Both fields must be sortable, so that no hash is read. Fails like `searchIndex`.
 */
export async function groupsIn(
  redis: Redis,
  name: string,
  query: string,
  of: string,
  by: string,
): Promise<{ value: string; with: string[] }[]> {
  const { results } = await run<Record<string, string> & { list: string[] }>(
    redis,
    ...(['FT.AGGREGATE', name, query, 'GROUPBY', '1', `@${of}`] as const),
    ...['REDUCE', 'TOLIST', '1', `@${by}`, 'AS', 'list', 'LIMIT', '0', String(groupsMax)],
  );
  return results.flatMap(({ extra_attributes: fields }) => {
    const value = fields?.[of];
    return value === undefined ? [] : [{ value, with: fields!.list }];
  });
}

/**
 * Runs an FT.SEARCH query. `page` contains the offset and limit. Fails with `unavailable` if the index is missing or
 * too slow.
 */
export async function searchIndex(
  redis: Redis,
  name: string,
  query: string,
  [offset, limit]: readonly [number, number],
  ...options: Arg[]
): Promise<IndexHits> {
  const page = ['LIMIT', String(offset), String(limit)];
  const { total_results, results } = await run<Record<string, string>>(
    redis,
    'FT.SEARCH',
    ...[name, query, ...options, ...page],
  );
  return {
    total: total_results,
    hits: results.map(({ id, extra_attributes, score }) => ({
      key: id.slice(name.length + 1),
      fields: extra_attributes ?? {},
      score: Number(score ?? 0),
    })),
  };
}

export const notThere = (cause?: unknown) =>
  new Failure('unavailable', 'The read models are being built; try again shortly.', {
    retryAfterS: 1,
    cause,
  });
