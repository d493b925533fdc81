/**
 * The signing secret shared by all instances on a Redis server. The first instance stores its secret, and the others
 * adopt it. Each instance checks again every minute, so that any running instance restores the secret if Redis was
 * emptied, and instances that started while Redis was unreachable end up with the same one.
 */
import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../../storage/redis-connection.ts';

const lookMs = 60_000;

export class RedisSecret {
  readonly #redis: RedisConnection;
  readonly #key: string;
  readonly #timer: NodeJS.Timeout;
  #secret = randomBytes(32);

  constructor({ redis, namespace }: { redis: RedisConnection; namespace: string }) {
    this.#redis = redis;
    this.#key = `${namespace}:{secret}`;
    // While Redis is unreachable, the known secret stays in use.
    this.#timer = setInterval(() => void this.agree().catch(() => {}), lookMs).unref();
  }

  get value(): Buffer {
    return this.#secret;
  }

  /** Adopts the stored secret, or stores this one. May fail with `unavailable`. */
  async agree(): Promise<void> {
    const mine = this.#secret.toString('base64url');
    const theirs = await this.#redis.call<string | null>('SET', this.#key, mine, 'NX', 'GET');
    if (theirs !== null) this.#secret = Buffer.from(theirs, 'base64url');
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
