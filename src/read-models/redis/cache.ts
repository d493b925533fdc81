/**
 * ResponseCache shared by all instances. A caller that finds no answer takes an expiring lock and renews it while it
 * computes the answer. Other callers poll until the answer exists, or until the lock is gone and one of them takes it.
 * Within an instance, only one caller does this. While Redis is unreachable, each instance computes its own answers.
 * `<namespace>:{answers}` lists the answers that may exist, sorted by their latest expiry.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import type { Computed, ResponseCache } from '../../ports/response-cache.ts';
import { type Redis, script } from '../../storage/redis-connection.ts';
import { SingleFlight } from '../single-flight.ts';

export interface RedisCacheOptions {
  redis: Redis;
  namespace: string;
  /** How long a lock outlives a crashed instance, in ms. Default: 5000. */
  lockMs?: number;
}

/** How long an answer is stored, in ms. */
const keptMs = 600_000;
const lockMsDefault = 5_000;
/** Maximum time to compute an answer, in ms. */
const madeMsMax = 600_000;
const lookMsMin = 10;
const lookMsMax = 100;

/** Releases the lock if this caller still holds it, and stores the answer if there is one. */
const settleScript = script(`
if redis.call('GET', KEYS[1] .. ':lock') ~= ARGV[1] then return 0 end
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
redis.call('DEL', KEYS[1] .. ':lock')
return 1`);

const renewScript = script(`
if redis.call('GET', KEYS[1] .. ':lock') ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1] .. ':lock', ARGV[2])`);

export class RedisCache implements ResponseCache {
  readonly #redis: Redis;
  readonly #namespace: string;
  readonly #lockMs: number;
  readonly #flights = new SingleFlight();

  constructor(options: RedisCacheOptions) {
    this.#redis = options.redis;
    this.#namespace = options.namespace;
    this.#lockMs = options.lockMs ?? lockMsDefault;
  }

  async once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Computed<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }> {
    // Hashed, because the key contains the question, which must not be stored in Redis.
    const digest = createHash('sha256').update(key).digest('base64url');
    const among = (deserted: AbortSignal) =>
      this.#amongInstances(`${this.#namespace}:{answer:${digest}}`, make, deserted);
    const { value, shared } = await this.#flights.run(digest, among, signal);
    return { value: value.value, cached: shared || value.cached };
  }

  async #amongInstances<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Computed<T>>,
    deserted: AbortSignal,
  ): Promise<{ value: T; cached: boolean }> {
    const token = randomUUID();
    let lookMs = lookMsMin;
    for (;;) {
      let locked: boolean;
      try {
        let kept = await this.#kept<T>(key);
        if (kept !== null) return { ...kept, cached: true };
        locked = await this.#lock(key, token);
        // The previous lock holder may have stored an answer in the meantime.
        kept = locked ? await this.#kept<T>(key) : null;
        if (kept !== null) {
          await this.#redis.run(settleScript, key, token, '', '0');
          return { ...kept, cached: true };
        }
      } catch (error) {
        if (!(error instanceof Failure && error.retryable)) throw error;
        return { value: (await make(deserted)).value, cached: false };
      }
      if (locked) return { value: await this.#make(key, token, () => make(deserted)), cached: false };
      await delay(lookMs, undefined, { signal: deserted });
      lookMs = Math.min(lookMsMax, lookMs * 2);
    }
  }

  /** Key of the list of stored answers. */
  get #all(): string {
    return `${this.#namespace}:{answers}`;
  }

  async clear(): Promise<void> {
    const all = this.#all;
    const keys = await this.#redis.call<string[]>('ZRANGE', all, '0', '-1');
    // Deleting the lock prevents an answer in progress from being stored.
    for (const key of keys) {
      await this.#redis.call('DEL', key, `${key}:lock`);
      await this.#redis.call('ZREM', all, key);
    }
  }

  async #kept<T>(key: string): Promise<{ value: T } | null> {
    const json = await this.#redis.call<string | null>('GET', key);
    return json === null ? null : JSON.parse(json);
  }

  async #lock(key: string, token: string): Promise<boolean> {
    const set = ['SET', `${key}:lock`, token, 'NX', 'PX', String(this.#lockMs)];
    const all = this.#all;
    const now = Date.now();
    const [locked] = await Promise.all([
      this.#redis.call<string | null>(...set),
      this.#redis.call('ZADD', all, String(now + madeMsMax + keptMs), key),
      this.#redis.call('ZREMRANGEBYSCORE', all, '-inf', String(now)),
    ]);
    return locked !== null;
  }

  async #make<T>(key: string, token: string, make: () => Promise<Computed<T>>): Promise<T> {
    const renewing = setInterval(
      () => void this.#redis.run(renewScript, key, token, String(this.#lockMs)).catch(() => {}),
      this.#lockMs / 3,
    );
    let json = '';
    try {
      const { value, keep } = await make();
      if (keep) json = JSON.stringify({ value });
      return value;
    } finally {
      clearInterval(renewing);
      // An answer that cannot be stored is still valid.
      await this.#redis.run(settleScript, key, token, json, String(keptMs)).catch(() => {});
    }
  }
}
