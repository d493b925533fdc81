/** Opens the state that instances share in a Redis server: limits, leases, answers and the secret. */
import type { Leases } from '../../ports/leases.ts';
import type { Limiter } from '../../ports/limiter.ts';
import { type RedisConfig, RedisConnection } from '../../storage/redis-connection.ts';
import { RedisCache } from './cache.ts';
import { RedisSharedLeases } from './leases.ts';
import { RedisLimiter } from './limiter.ts';
import { RedisSecret } from './secret.ts';

/** Leases shared by all instances on this Redis server. */
export function openRedisLeases({ namespace, ...options }: RedisConfig): Leases & { close(): Promise<void> } {
  const redis = RedisConnection.open(options);
  return Object.assign(new RedisSharedLeases({ redis, namespace }), { close: () => redis.close() });
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
