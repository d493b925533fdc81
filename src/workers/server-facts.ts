/** Facts about the service's servers, for `docent doctor`. */

export interface RedisFacts {
  version: string;
  /** Whether it has the Query Engine. */
  hasSearch: boolean;
  /** Its eviction policy when its memory is full. */
  policy: string;
}

/** Rejects if the server cannot be reached or refuses the credentials. */
export async function redisFacts(url: string, limitMs: number): Promise<RedisFacts> {
  const { RedisConnection } = await import('../storage/redis-connection.ts');
  const redis = RedisConnection.open({ url, callTimeoutMs: limitMs });
  try {
    const info = await redis.call<string>('INFO');
    const value = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
    const hasSearch = await redis.call('FT._LIST').then(
      () => true,
      () => false,
    );
    return { version: value('redis_version'), hasSearch, policy: value('maxmemory_policy') };
  } finally {
    await redis.close();
  }
}
