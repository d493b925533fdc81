import { afterAll, beforeAll } from 'vitest';
import { projections } from '../../projections/index.ts';
import { chunkProjection, projectionKey } from '../../src/stores/server/redis-builds.ts';
import { openRedisChunkSearch } from '../../src/stores/server/redis-chunk-search.ts';
import { ChunkWriter } from '../../src/stores/server/redis-chunks.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { RedisModels } from '../../src/stores/server/redis-models.ts';
import { startRedisCluster } from '../support/own-server.ts';
import { testNamespace, withOwnRedis, withRedis } from '../support/servers.ts';
import { chunkStoreContract, lengthEmbedder, type OpenedChunkStore } from './chunks.contract.ts';
import { readModelsContract } from './read-models.contract.ts';

/** A store of chunks in a namespace of its own. */
async function openChunks(url: string): Promise<OpenedChunkStore> {
  const redis = RedisConnection.open({ url });
  const namespace = testNamespace();
  const base = projectionKey(namespace, chunkProjection);
  const chunks = new ChunkWriter(redis, base, lengthEmbedder);
  const schemas = projections.filter(({ name }) => name === chunkProjection);
  const models = new RedisModels({ redis, namespace, projections: schemas, chunks });
  const [build] = await models.builds();
  let commits = 0;
  return {
    search: openRedisChunkSearch(redis, `${base}:${build!.build}:`),
    write: async (writes) => {
      const checkpoint = String(++commits).padStart(9, '0');
      if (!(await models.commit(build!, checkpoint, writes))) throw new Error('The commit lost.');
      build!.checkpoint = checkpoint;
    },
    sweep: (limit) => chunks.sweep(String(build!.build), limit),
    close: () => models.close(),
  };
}

withRedis('chunks in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  chunkStoreContract('Redis', () => openChunks(server.url));
});

withOwnRedis('a Redis cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());
  chunkStoreContract('a cluster', () => openChunks(cluster.url));
  readModelsContract('a cluster', async (schemas) => {
    const redis = RedisConnection.open({ url: cluster.url });
    const models = new RedisModels({ redis, namespace: testNamespace(), projections: schemas });
    return { models, close: () => models.close() };
  });
});
