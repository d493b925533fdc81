/** The Query Engine's indexes: made, compared with what they should be, and asked. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import { type Arg, isIndexExists, isNoIndex, type Redis } from './redis-connection.ts';

export interface IndexField {
  name: string;
  type: 'TAG' | 'TEXT' | 'VECTOR' | 'NUMERIC';
  /** What follows the type in FT.CREATE. */
  options: readonly string[];
}

export interface Index {
  /** Also begins the keys of its hashes, with a colon after it. */
  name: string;
  fields: readonly IndexField[];
}

const waitMsDefault = 50;

/** What FT.INFO tells, whatever the protocol's shape of it. */
interface Info {
  attributes: string[];
  indexing: boolean;
}

async function info(redis: Redis, name: string): Promise<Info | null> {
  try {
    const reply = await redis.call<Record<string, unknown>>(name, 'FT.INFO', name);
    const attributes = (reply.attributes as Record<string, unknown>[]) ?? [];
    return {
      attributes: attributes.map(({ identifier, type }) => `${identifier} ${type}`),
      // A cluster tells how many of its shards still are.
      indexing: Number(reply.indexing) > 0,
    };
  } catch (error) {
    if (isNoIndex(error)) return null;
    throw error;
  }
}

async function create(redis: Redis, { name, fields }: Index): Promise<void> {
  await redis
    .call(
      name,
      ...['FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', `${name}:`, 'NOOFFSETS', 'STOPWORDS', '0'],
      ...['SCHEMA', ...fields.flatMap((f) => [f.name, f.type, ...f.options])],
    )
    .catch((error: unknown) => {
      if (!isIndexExists(error)) throw error;
    });
}

/** How often a new index is looked for until every shard knows it. */
const knownTries = 40;

/**
 * Waits until every shard of a cluster knows the index: a search is answered only then, FT.INFO passes over those that
 * do not know it. False when one still does not at the last try.
 */
async function known(redis: Redis, name: string, waitMs: number): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await redis.call(name, 'FT.SEARCH', name, '*', 'LIMIT', '0', '0', 'DIALECT', '2');
      return true;
    } catch (error) {
      if (!isNoIndex(error)) throw error;
      if (tries === knownTries) return false;
    }
    await delay(waitMs);
  }
}

/**
 * Makes an index where there is none or a different one, and waits until every shard knows it and it holds what is
 * there already. One that a shard does not come to know (it joined the cluster later) is made once more. Failure
 * `unavailable` where that does not help either. `waitMs`: between two looks; default 50.
 */
export async function ensureIndex(redis: Redis, index: Index, waitMs = waitMsDefault): Promise<void> {
  const { name, fields } = index;
  const wanted = fields.map((f) => `${f.name} ${f.type}`).join();
  const found = await info(redis, name);
  if (found?.attributes.join() !== wanted) {
    if (found !== null) await dropIndex(redis, name);
    await create(redis, index);
  }
  if (!(await known(redis, name, waitMs))) {
    await dropIndex(redis, name);
    await create(redis, index);
    if (!(await known(redis, name, waitMs))) throw notThere();
  }
  while ((await info(redis, name))?.indexing) await delay(waitMs);
}

/** Whether an index does not hold yet what is there: a server that was started again fills its indexes anew. */
export async function isIndexing(redis: Redis, name: string): Promise<boolean> {
  return (await info(redis, name))?.indexing ?? false;
}

export async function dropIndex(redis: Redis, name: string): Promise<void> {
  await redis.call(name, 'FT.DROPINDEX', name).catch((error: unknown) => {
    if (!isNoIndex(error)) throw error;
  });
}

export const listIndexes = (redis: Redis, key: string): Promise<string[]> =>
  redis.call<string[]>(key, 'FT._LIST');

export interface Found {
  total: number;
  /** The hash's key behind the index's name and colon, and the fields asked for. */
  hits: { key: string; fields: Record<string, string>; score: number }[];
}

/** The longest a query may run; what it has found by then would not be all. */
const queryMs = 2_000;
/** How often an index that is missing is looked for: one just made need not be known to every shard. */
const missingTries = 10;

/**
 * A query as FT.SEARCH takes it, dialect 2; `page`: offset and limit. Failure `unavailable` where the index is missing
 * or too slow.
 */
export async function searchIndex(
  redis: Redis,
  name: string,
  query: string,
  [offset, limit]: readonly [number, number],
  ...options: Arg[]
): Promise<Found> {
  interface Reply {
    total_results: number;
    results: { id: string; extra_attributes?: Record<string, string>; score?: number | string }[];
    warning: string[];
  }
  const search = () =>
    redis.call<Reply>(
      name,
      ...['FT.SEARCH', name, query, ...options, 'LIMIT', String(offset), String(limit)],
      ...['TIMEOUT', String(queryMs), 'DIALECT', '2'],
    );
  let reply: Reply | null = null;
  for (let tries = 1; reply === null; tries++) {
    try {
      reply = await search();
    } catch (error) {
      if (!isNoIndex(error)) throw error;
      if (tries === missingTries) throw notThere(error);
      await delay(waitMsDefault);
    }
  }
  if (reply.warning.length > 0)
    throw new Failure('unavailable', 'Redis did not finish a search in time.', { retryAfterS: 1 });
  // A cluster whose hits are all on one shard skips none (8.0).
  const wanted = Math.max(0, Math.min(limit, reply.total_results - offset));
  const results = reply.results.length > wanted ? reply.results.slice(offset) : reply.results;
  return {
    total: reply.total_results,
    hits: results.map(({ id, extra_attributes, score }) => ({
      key: id.slice(name.length + 1),
      fields: extra_attributes ?? {},
      score: Number(score ?? 0),
    })),
  };
}

export const notThere = (cause?: unknown) =>
  new Failure('unavailable', 'The read models are being built, try again shortly.', {
    retryAfterS: 1,
    cause,
  });
