import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseMs } from '../../src/ports/leases.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { RedisSharedLeases } from '../../src/stores/server/redis-shared-leases.ts';
import { withRedis } from '../support/servers.ts';

withRedis('leases in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  it('are held by one of all instances, until it gives them up or they run out', async () => {
    const redis = RedisConnection.open({ url: server.url });
    const namespace = `test-${randomUUID()}`;
    const [one, other] = [1, 2].map(() => new RedisSharedLeases({ redis, namespace }));
    expect(await one!.take('a')).toBe(true);
    expect(await other!.take('a')).toBe(false);
    expect(await other!.isHeld('a')).toBe(true);
    expect(await one!.take('a')).toBe(true);
    const key = `${namespace}:lease:a`;
    const left = await redis.call<number>(key, 'PTTL', key);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(leaseMs);
    await other!.release('a');
    expect(await one!.isHeld('a')).toBe(true);
    await one!.release('a');
    expect(await other!.take('a')).toBe(true);
    await redis.close();
  });
});
