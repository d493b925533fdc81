import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseMs } from '../../src/ports/leases.ts';
import { RedisSharedLeases } from '../../src/read-models/redis/leases.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { leasesContract } from './leases.contract.ts';

withRedis('leases in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let redis: RedisConnection;
  beforeAll(async () => {
    server = await start();
    redis = RedisConnection.open({ url: server.url });
  });
  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  leasesContract(() => {
    const namespace = testNamespace();
    return {
      open: () => new RedisSharedLeases({ redis, namespace }),
      runOut: async (name) => {
        const key = `${namespace}:lease:${name}`;
        await redis.call('PEXPIRE', key, '0');
      },
    };
  });

  it('leases expire automatically in Redis', async () => {
    const namespace = testNamespace();
    const leases = new RedisSharedLeases({ redis, namespace });
    await leases.take('a');
    const key = `${namespace}:lease:a`;
    const left = await redis.call<number>('PTTL', key);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(leaseMs);
  });
});
