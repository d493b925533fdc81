import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisCache } from '../../src/stores/server/redis-cache.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { withRedis } from '../support/servers.ts';
import { responseCacheContract } from './response-cache.contract.ts';

const still = new AbortController().signal;

withRedis('answers kept in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  const open = async (lockMs = 5_000) => {
    const namespace = `test-${randomUUID()}`;
    const connections = [1, 2, 3].map(() => RedisConnection.open({ url: server.url }));
    return {
      connections,
      instances: connections.map((redis) => new RedisCache({ redis, namespace, lockMs })),
      close: async () => {
        await Promise.all(connections.map((redis) => redis.close()));
      },
    };
  };
  responseCacheContract('three instances over Redis', open);

  it('is made by another when the instance that made it has died, and waited for while it lives', async () => {
    const { instances, connections, close } = await open(150);
    const [dying, patient, late] = instances as [RedisCache, RedisCache, RedisCache];
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const making = Promise.withResolvers<void>();
    const makeSlow = async () => {
      making.resolve();
      await gate;
      return { value: 'slow', keep: true };
    };
    const slow = dying.once('slow', makeSlow, still);
    await making.promise;
    // Longer than a lock lives by itself.
    setTimeout(resolve, 500);
    const waited = patient.once('slow', async () => ({ value: 'own', keep: true }), still);
    expect((await slow).value).toBe('slow');
    expect(await waited).toEqual({ value: 'slow', cached: true });

    const { promise: never, reject } = Promise.withResolvers<never>();
    never.catch(() => {});
    const begun = Promise.withResolvers<void>();
    const dead = dying
      .once(
        'k',
        () => {
          begun.resolve();
          return never;
        },
        still,
      )
      .catch((error: Error) => error.message);
    await begun.promise;
    // Nobody renews its lock any more.
    await connections[0]!.close();
    const heir = await late.once('k', async () => ({ value: 'heir', keep: true }), still);
    expect(heir).toEqual({ value: 'heir', cached: false });
    reject(new Error('dead'));
    expect(await dead).toBe('dead');
    await close();
  });
});

it('makes its own while Redis is away', async () => {
  const redis = RedisConnection.open({ url: 'redis://127.0.0.1:1', callTimeoutMs: 100 });
  const cache = new RedisCache({ redis, namespace: 'test' });
  expect(await cache.once('k', async () => ({ value: 1, keep: true }), still)).toEqual({
    value: 1,
    cached: false,
  });
  await redis.close();
});
