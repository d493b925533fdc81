/** The Query Engine's indexes: made, compared with what they should be, and asked. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import { type Arg, isIndexExists, isNoIndex, type Redis } from './redis-connection.ts';

export interface IndexField {
  name: string;
  type: 'TAG' | 'TEXT' | 'VECTOR';
  /** What follows the type in FT.CREATE. */
  options: readonly string[];
}

export interface Index {
  /** Also begins the keys of its hashes, with a colon after it. */
  name: string;
  fields: readonly IndexField[];
}

const waitMs = 50;

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

/** Makes an index where there is none or a different one, and waits until it holds what is there already. */
export async function ensureIndex(redis: Redis, index: Index): Promise<void> {
  const { name, fields } = index;
  const wanted = fields.map((f) => `${f.name} ${f.type}`).join();
  let found = await info(redis, name);
  if (found !== null && found.attributes.join() !== wanted) {
    await dropIndex(redis, name);
    found = null;
  }
  if (found === null) {
    await redis
      .call(
        name,
        ...['FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', `${name}:`, 'NOOFFSETS', 'STOPWORDS', '0'],
        ...['SCHEMA', ...fields.flatMap((f) => [f.name, f.type, ...f.options])],
      )
      .catch((error: unknown) => {
        if (!isIndexExists(error)) throw error;
      });
    found = await info(redis, name);
  }
  while (found?.indexing) {
    await delay(waitMs);
    found = await info(redis, name);
  }
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
  let reply: Reply;
  try {
    reply = await redis.call<Reply>(
      name,
      ...['FT.SEARCH', name, query, ...options, 'LIMIT', String(offset), String(limit)],
      ...['TIMEOUT', String(queryMs), 'DIALECT', '2'],
    );
  } catch (error) {
    if (isNoIndex(error)) throw notThere(error);
    throw error;
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
