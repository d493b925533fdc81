/**
 * Opens everything stored in a Redis server: the search index (for writing or reading), limits, leases, answers and the
 * secret.
 */
import type { ComputeVector } from '../../ports/chunk-search.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Limiter } from '../../ports/limiter.ts';
import type { ProjectionSchema } from '../../ports/read-models.ts';
import type { IndexReader } from '../read-side.ts';
import { RedisCache } from './redis-cache.ts';
import { openRedisChunkSearch } from './redis-chunk-search.ts';
import { RedisChunkStore } from './redis-chunk-store.ts';
import { RedisConnection, type RedisOptions } from './redis-connection.ts';
import { RedisLimiter } from './redis-limiter.ts';
import { RedisSecret } from './redis-secret.ts';
import { RedisSharedLeases } from './redis-shared-leases.ts';

export interface RedisConfig extends RedisOptions {
  /** Prefix of every key. */
  namespace: string;
}

/** The chunk index for writing. Connects in the background. */
export function openRedisChunks(
  { namespace, ...options }: RedisConfig,
  projection: ProjectionSchema,
  compute?: ComputeVector,
): RedisChunkStore {
  return new RedisChunkStore({ redis: RedisConnection.open(options), namespace, projection, compute });
}

/** The chunk index for reading. */
export function openRedisIndex(
  { namespace, ...options }: RedisConfig,
  projection: ProjectionSchema,
): IndexReader {
  const redis = RedisConnection.open(options);
  const store = new RedisChunkStore({ redis, namespace, projection });
  return {
    liveIndex: () => store.completeBuild(),
    openIndex: (build) => openRedisChunkSearch(redis, store.prefix(build)),
    inOneState: (work) => work(),
    close: () => store.close(),
  };
}

/** Leases shared by all instances on this Redis server. */
export function openRedisLeases({ namespace, ...options }: RedisConfig): Leases & { close(): Promise<void> } {
  const redis = RedisConnection.open(options);
  const leases = new RedisSharedLeases({ redis, namespace });
  return {
    take: (name) => leases.take(name),
    isHeld: (name) => leases.isHeld(name),
    release: (name) => leases.release(name),
    close: () => redis.close(),
  };
}

/** Limits, leases, answers and the secret, shared by all instances. `fallback` counts while Redis is unreachable. */
export async function openRedisShared({ namespace, ...options }: RedisConfig, fallback: Limiter) {
  const redis = RedisConnection.open(options);
  warnOfEviction(redis, options.onTrouble).catch(() => {});
  const secret = new RedisSecret({ redis, namespace });
  await secret.agree().catch(() => {});
  return {
    limiter: new RedisLimiter({ redis, namespace, fallback }),
    leases: new RedisSharedLeases({ redis, namespace }),
    cache: new RedisCache({ redis, namespace }),
    secret: () => secret.value,
    close: async () => {
      secret.close();
      await redis.close();
    },
  };
}

/** If the server evicts keys, gaps in the search index go undetected. */
async function warnOfEviction(redis: RedisConnection, onTrouble: RedisConfig['onTrouble']): Promise<void> {
  const memory = await redis.call<string>('INFO', 'memory');
  const [, policy = ''] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
  if (policy.startsWith('allkeys'))
    onTrouble?.(
      `Redis drops parts of the search index when its memory is full (maxmemory-policy ${policy}): set it to noeviction.`,
    );
}
