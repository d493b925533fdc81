/** Leases shared by all instances, stored in Redis. Each has a key that contains the holder's name and expires. */
import { randomUUID } from 'node:crypto';
import { type Leases, leaseMs } from '../../ports/leases.ts';
import { type Redis, script } from '../../storage/redis-connection.ts';

const takeScript = script(`
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`);

export class RedisSharedLeases implements Leases {
  readonly #redis: Redis;
  readonly #base: string;
  readonly #holder = randomUUID();

  constructor({ redis, namespace }: { redis: Redis; namespace: string }) {
    this.#redis = redis;
    this.#base = `${namespace}:lease:`;
  }

  async take(name: string): Promise<boolean> {
    const key = this.#base + name;
    return (await this.#redis.run<number>(takeScript, key, this.#holder, String(leaseMs))) === 1;
  }

  async isHeld(name: string): Promise<boolean> {
    const key = this.#base + name;
    return (await this.#redis.call<string | null>('GET', key)) !== null;
  }

  async release(name: string): Promise<void> {
    await this.#redis.run(releaseScript, this.#base + name, this.#holder).catch(() => {});
  }
}
