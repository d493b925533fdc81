/** Creates Query Engine indexes, compares them with their definition, and queries them. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import { type Arg, isIndexExists, isNoIndex, isUnreached, type Redis } from './redis-connection.ts';

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

const waitMsDefault = 50;
/** Maximum number of attempts to change an index until every node has applied the change. */
const changeTries = 40;

/** The result of FT.INFO, independent of the protocol's format. */
interface Info {
  attributes: string[];
  indexing: boolean;
}

async function info(redis: Redis, name: string, tries = 1): Promise<Info | null> {
  try {
    const reply = await redis.call<Record<string, unknown>>(name, 'FT.INFO', name);
    const attributes = (reply.attributes as Record<string, unknown>[]) ?? [];
    return {
      attributes: attributes.map(({ identifier, type }) => `${identifier} ${type}`),
      // A cluster reports how many of its shards are still indexing.
      indexing: Number(reply.indexing) > 0,
    };
  } catch (error) {
    if (isNoIndex(error)) return null;
    if (!isUnreached(error) || tries === changeTries) throw error;
    await delay(waitMsDefault);
    return info(redis, name, tries + 1);
  }
}

async function create(redis: Redis, { name, fields }: Index, ...options: string[]): Promise<void> {
  await redis
    .call(
      name,
      ...['FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', `${name}:`, 'NOOFFSETS', 'STOPWORDS', '0'],
      ...options,
      ...['SCHEMA', ...fields.flatMap((f) => [f.name, f.type, ...f.options])],
    )
    .catch((error: unknown) => {
      if (!isIndexExists(error) && !isUnreached(error)) throw error;
    });
}

/**
 * Changes the set of indexes. In a cluster, this is repeated until every node has applied the change, because the
 * contacted node passes the command on but does not report nodes to which its connection is down. FT._LIST is answered
 * by each node separately. Fails with `unavailable` if a node does not apply the change.
 */
async function everywhere(
  redis: Redis,
  name: string,
  there: boolean,
  change: () => Promise<void>,
  waitMs = waitMsDefault,
): Promise<void> {
  if (!redis.clustered) return change();
  for (let tries = 1; tries <= changeTries; tries++) {
    if (tries > 2) await delay(waitMs);
    const lists = await listIndexes(redis);
    if (lists.every((names) => names.has(name) === there)) return;
    await change();
  }
  throw notThere();
}

/**
 * Creates a missing index, or replaces one with a different definition, on every node, and waits until it has indexed
 * the existing data. Fails with `unavailable` if a node does not apply it. `waitMs` is the pause between two checks.
 * Default: 50.
 */
export async function ensureIndex(redis: Redis, index: Index, waitMs = waitMsDefault): Promise<void> {
  const { name, fields } = index;
  const wanted = fields.map((f) => `${f.name} ${f.type}`).join();
  let found = await info(redis, name);
  if (found !== null && found.attributes.join() !== wanted) {
    await dropIndex(redis, name, waitMs);
    found = null;
  }
  if (found === null || redis.clustered) {
    await everywhere(redis, name, true, () => create(redis, index), waitMs);
    found = await info(redis, name);
  }
  while (found?.indexing) {
    await delay(waitMs);
    found = await info(redis, name);
  }
  if (redis.clustered) await ensureBeacon(redis, name, waitMs);
}

/**
 * A beacon is a one-record index in the same slot as the indexes, used only in a cluster. All hashes of an index are in
 * one slot and therefore on one node. If the coordinator of a search has lost its connection to that node, the search
 * returns nothing and reports no error. If the beacon is not found either, the connection is lost.
 */
const beaconOf = (name: string): string => `${name.slice(0, name.indexOf('}') + 1)}:beacon`;

async function ensureBeacon(redis: Redis, name: string, waitMs: number): Promise<void> {
  const beacon: Index = { name: beaconOf(name), fields: [{ name: 'lit', type: 'TAG', options: [] }] };
  await redis.call(name, 'HSET', `${beacon.name}:1`, 'lit', '1');
  await everywhere(redis, beacon.name, true, () => create(redis, beacon), waitMs);
}

export async function dropIndex(redis: Redis, name: string, waitMs = waitMsDefault): Promise<void> {
  const drop = async () => {
    await redis.call(name, 'FT.DROPINDEX', name).catch((error: unknown) => {
      if (!isNoIndex(error) && !isUnreached(error)) throw error;
    });
  };
  await everywhere(redis, name, false, drop, waitMs);
}

/** Names of the indexes on each node. */
export async function listIndexes(redis: Redis): Promise<ReadonlySet<string>[]> {
  return (await redis.onMasters<string[]>('FT._LIST')).map((names) => new Set(names));
}

export interface Found {
  total: number;
  /** The part of the hash's key after the index name and colon, and the requested fields. */
  hits: { key: string; fields: Record<string, string>; score: number }[];
}

/** Time limit of a query. A query that exceeds it would return incomplete results. */
const queryMs = 2_000;
/**
 * Maximum number of attempts for a search whose index is missing or whose node is unreachable; both are usually
 * temporary.
 */
const searchTries = 30;

interface Reply {
  total_results: number;
  results: { id: string; extra_attributes?: Record<string, string>; score?: number | string }[];
  warning: string[];
}

/** Runs a search; null if the contacted node reaches no other node, or one that does not have the index. */
async function search(redis: Redis, name: string, ...args: Arg[]): Promise<Reply | null> {
  try {
    return await redis.call<Reply>(
      name,
      ...['FT.SEARCH', name, ...args, 'TIMEOUT', String(queryMs), 'DIALECT', '2'],
    );
  } catch (error) {
    if (isNoIndex(error) || isUnreached(error)) return null;
    throw error;
  }
}

/** Whether the contacted node can reach the node that holds the index; see `beaconOf`. */
async function isReached(redis: Redis, name: string): Promise<boolean> {
  const beacon = await search(redis, beaconOf(name), '*', 'LIMIT', '0', '0');
  return beacon !== null && beacon.total_results > 0;
}

/**
 * Runs an FT.SEARCH query (dialect 2). `page` contains the offset and limit. In a cluster, an empty result is trusted
 * only if the node was reachable before and after the query, because lost connections are restored one by one. Fails
 * with `unavailable` if the index is missing, unreachable or too slow.
 */
export async function searchIndex(
  redis: Redis,
  name: string,
  query: string,
  [offset, limit]: readonly [number, number],
  ...options: Arg[]
): Promise<Found> {
  const args = [query, ...options, 'LIMIT', String(offset), String(limit)];
  let reply = await search(redis, name, ...args);
  let reached = false;
  for (let tries = 1; reply === null || (reply.total_results === 0 && redis.clustered); tries++) {
    if (tries === searchTries) throw notThere();
    const before: boolean = reached;
    reached = reply !== null && (await isReached(redis, name));
    if (before && reached && reply !== null) break;
    if (!reached) await delay(waitMsDefault);
    reply = await search(redis, name, ...args);
  }
  if (reply.warning.length > 0)
    throw new Failure('unavailable', 'Redis did not finish a search in time.', { retryAfterS: 1 });
  // If all hits are on one shard, a cluster does not apply the offset (8.0).
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
  new Failure('unavailable', 'The read models are being built; try again shortly.', {
    retryAfterS: 1,
    cause,
  });
