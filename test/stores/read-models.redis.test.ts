import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { ProjectionSchema } from '../../src/ports.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { RedisModels } from '../../src/stores/server/redis-models.ts';
import { withRedis } from '../support/servers.ts';
import { readModelsContract } from './read-models.contract.ts';

withRedis('read models in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  readModelsContract('Redis', async (projections: readonly ProjectionSchema[]) => {
    const redis = RedisConnection.open({ url: server.url });
    const models = new RedisModels({ redis, namespace: `test-${randomUUID()}`, projections });
    return { models, close: () => models.close() };
  });
});
