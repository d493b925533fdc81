/** What one Redis holds: the read models and the search index, opened for writing or reading; limits and answers. */
import type { ComputeVector } from '../../ports/chunk-search.ts';
import type { Limiter } from '../../ports/limiter.ts';
import type { BuildChecks, BuildContents, ProjectionSchema } from '../../ports/read-models.ts';
import type { ReadSide } from '../read-side.ts';
import { chunkProjection, projectionKey } from './redis-builds.ts';
import { RedisCache } from './redis-cache.ts';
import { openRedisChunkSearch } from './redis-chunk-search.ts';
import { ChunkWriter } from './redis-chunks.ts';
import { RedisConnection, type RedisOptions } from './redis-connection.ts';
import { RedisLeases } from './redis-leases.ts';
import { RedisLimiter } from './redis-limiter.ts';
import { RedisModels } from './redis-models.ts';
import { RedisSecret } from './redis-secret.ts';
import { RedisSharedLeases } from './redis-shared-leases.ts';

export interface RedisConfig extends RedisOptions {
  /** Begins every key. */
  namespace: string;
}

/** `compute`: vectors of a deterministic embedder. Connects in the background. */
export function openRedisWriter(
  { namespace, ...options }: RedisConfig,
  projections: readonly ProjectionSchema[],
  compute?: ComputeVector,
): { models: RedisModels; leases: RedisLeases } {
  const redis = RedisConnection.open(options);
  const chunks = new ChunkWriter(redis, projectionKey(namespace, chunkProjection), compute);
  const leases = new RedisLeases({ redis, namespace, projections });
  return { models: new RedisModels({ redis, namespace, projections, chunks, leases }), leases };
}

export function openRedisReader(
  { namespace, ...options }: RedisConfig,
  projections: readonly ProjectionSchema[],
): ReadSide {
  const redis = RedisConnection.open(options);
  const models = new RedisModels({ redis, namespace, projections });
  const base = projectionKey(namespace, chunkProjection);
  return {
    get: (collection, key) => models.get(collection, key),
    getMany: (collection, keys) => models.getMany(collection, keys),
    find: (collection, query) => models.find(collection, query),
    poisoned: () => models.poisoned(),
    liveIndex: () => models.completeBuild(chunkProjection),
    openIndex: (build) => openRedisChunkSearch(redis, `${base}:${build}:`),
    close: () => models.close(),
  };
}

/** What the builds hold, read-only. */
export function openRedisContents(
  { namespace, ...options }: RedisConfig,
  projections: readonly ProjectionSchema[],
): BuildContents & BuildChecks & { close(): Promise<void> } {
  const models = new RedisModels({ redis: RedisConnection.open(options), namespace, projections });
  return {
    builds: () => models.foundBuilds(),
    names: (build) => models.names(build),
    values: (build, names) => models.values(build, names),
    faults: (build) => models.faults(build),
    close: () => models.close(),
  };
}

/** Limits, leases, answers and the secret shared by all instances. `fallback` counts while Redis is away. */
export async function openRedisShared({ namespace, ...options }: RedisConfig, fallback: Limiter) {
  const redis = RedisConnection.open(options);
  warnOfEviction(redis, namespace, options.onTrouble).catch(() => {});
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

/** A server that drops what was not used for a while would leave holes in the read models that nothing tells of. */
async function warnOfEviction(
  redis: RedisConnection,
  key: string,
  onTrouble: RedisConfig['onTrouble'],
): Promise<void> {
  const memory = await redis.call<string>(key, 'INFO', 'memory');
  const [, policy = ''] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
  if (policy.startsWith('allkeys'))
    onTrouble?.(
      `Redis drops read models when its memory is full (maxmemory-policy ${policy}): set it to noeviction.`,
    );
}
