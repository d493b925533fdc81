/** Opens the chunk index in a Redis server. */
import type { ComputeVector } from '../../ports/chunk-search.ts';
import type { ProjectionSchema } from '../../ports/read-models.ts';
import { type RedisConfig, RedisConnection } from '../../storage/redis-connection.ts';
import type { IndexReader } from '../index-reader.ts';
import { openRedisChunkSearch } from './chunk-search.ts';
import { RedisChunkStore } from './chunk-store.ts';

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
