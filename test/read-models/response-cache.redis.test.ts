import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RedisCache } from '../../src/read-models/redis/cache.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { paused, responseCacheContract } from './response-cache.contract.ts';

const still = new AbortController().signal;
/** A lock duration that does not expire during a test. */
const lockMs = 3_600_000;

withRedis('answers cached in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  const open = async (lockMs?: number) => {
    const namespace = testNamespace();
    const connections = [1, 2, 3].map(() => RedisConnection.open({ url: server.url }));
    return {
      namespace,
      connections,
      instances: connections.map(
        (redis) => new RedisCache({ redis, namespace, ...(lockMs !== undefined && { lockMs }) }),
      ),
      close: async () => {
        await Promise.all(connections.map((redis) => redis.close()));
      },
    };
  };
  responseCacheContract('three instances over Redis', open);

  /** Three instances, and the lock of the only answer in progress. */
  const openLocked = async () => {
    const opened = await open(lockMs);
    const [redis] = opened.connections;
    const lockOf = async (): Promise<string> => {
      const [lock = ''] = await redis!.call<string[]>('KEYS', `${opened.namespace}:*:lock`);
      return lock;
    };
    return { ...opened, redis: redis!, lockOf };
  };

  it('callers wait while the computing instance is alive and renews its lock', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { instances, redis, lockOf, close } = await openLocked();
    const [making, waiting] = instances as [RedisCache, RedisCache];
    const { make, begun, end } = paused();
    const slow = making.once('slow', make, still);
    await begun;
    const lock = await lockOf();
    const leftMs = () => redis.call<number>('PTTL', lock);
    await redis.call('PEXPIRE', lock, String(lockMs / 2));
    const waited = waiting.once('slow', async () => ({ value: 'own', keep: true }), still);
    const scripts = vi.spyOn(redis, 'run');
    vi.advanceTimersByTime(lockMs / 3);
    await scripts.mock.results[0]?.value;
    expect(await leftMs()).toBeGreaterThan(lockMs / 2);
    end({ value: 'slow', keep: true });
    expect((await slow).value).toBe('slow');
    expect(await waited).toEqual({ value: 'slow', cached: true });
    vi.useRealTimers();
    await close();
  });

  it('another instance computes the answer once the lock of a dead one has expired', async () => {
    const { instances, connections, lockOf, close } = await openLocked();
    const [dying, , late] = instances as [RedisCache, RedisCache, RedisCache];
    const { make, begun, fail } = paused();
    const dead = dying.once('k', make, still).catch((error: Error) => error.message);
    await begun;
    const lock = await lockOf();
    // It is no longer renewed, and has expired.
    await connections[0]!.close();
    await connections[1]!.call('PEXPIRE', lock, '1');
    const heir = await late.once('k', async () => ({ value: 'heir', keep: true }), still);
    expect(heir).toEqual({ value: 'heir', cached: false });
    fail(new Error('dead'));
    expect(await dead).toBe('dead');
    await close();
  });
});

it('an instance computes its own answers while Redis is unavailable', async () => {
  const redis = RedisConnection.open({ url: 'redis://127.0.0.1:1', callTimeoutMs: 100 });
  const cache = new RedisCache({ redis, namespace: 'test' });
  expect(await cache.once('k', async () => ({ value: 1, keep: true }), still)).toEqual({
    value: 1,
    cached: false,
  });
  await redis.close();
});
