import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryLimiter } from '../../src/read-models/memory-limiter.ts';
import { RedisLimiter } from '../../src/read-models/redis/limiter.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { limiterContract } from './limiter.contract.ts';

const limits = { perMinute: 3, perHour: 10 };

withRedis('limits in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  limiterContract('Redis', async (now) => {
    const redis = RedisConnection.open({ url: server.url });
    const limiter = new RedisLimiter({ redis, namespace: testNamespace(), now });
    return { limiter, close: () => redis.close() };
  });

  it('allows no more than the limit, regardless of the number of instances', async () => {
    const namespace = testNamespace();
    const connections = [1, 2, 3].map(() => RedisConnection.open({ url: server.url }));
    const limiters = connections.map((redis) => new RedisLimiter({ redis, namespace }));
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, i) => limiters[i % 3]!.take('k', { perMinute: 20, perHour: 30 })),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(20);
    await Promise.all(connections.map((redis) => redis.close()));
  });

  it("limits no caller for longer than a window if the server's clock changes in either direction", async () => {
    const redis = RedisConnection.open({ url: server.url });
    let ms = Date.UTC(2026, 0, 1, 10);
    const limiter = new RedisLimiter({ redis, namespace: testNamespace(), now: () => ms });
    const drain = async () => {
      for (let i = 0; i < limits.perMinute; i++) await limiter.take('k', limits);
      return limiter.take('k', limits);
    };
    expect(await drain()).toMatchObject({ allowed: false, retryAfterS: 60 });
    ms -= 2 * 3_600_000;
    expect(await limiter.take('k', limits)).toMatchObject({ allowed: false, retryAfterS: 60, resetS: 60 });
    ms += 60_000;
    expect(await drain()).toMatchObject({ allowed: false, retryAfterS: 60 });
    ms += 5 * 3_600_000;
    expect((await limiter.take('k', limits)).allowed).toBe(true);
    ms -= 9 * 3_600_000;
    expect(await limiter.take('k', limits)).toMatchObject({ allowed: true, remaining: 1 });
    await redis.close();
  });

  it('stores nothing permanently', async () => {
    const namespace = testNamespace();
    const redis = RedisConnection.open({ url: server.url });
    await new RedisLimiter({ redis, namespace }).take('k', limits);
    for (const key of [`${namespace}:{limit:k}`, `${namespace}:{limit:k}:n`])
      expect(await redis.call<number>('PTTL', key)).toBeGreaterThan(3_600_000);
    await redis.close();
  });
});

it('counts locally while Redis is unavailable, and fails if that is not allowed', async () => {
  const redis = RedisConnection.open({ url: 'redis://127.0.0.1:1', callTimeoutMs: 200 });
  const fallback = new MemoryLimiter();
  const shared = new RedisLimiter({ redis, namespace: 'test', fallback });
  const allowed = [];
  for (let i = 0; i < 4; i++) allowed.push((await shared.take('k', limits)).allowed);
  expect(allowed).toEqual([true, true, true, false]);
  const alone = new RedisLimiter({ redis, namespace: 'test' });
  await expect(alone.take('k', limits)).rejects.toMatchObject({ code: 'unavailable' });
  await redis.close();
});
