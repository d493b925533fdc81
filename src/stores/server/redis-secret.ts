/**
 * The secret that all instances on one Redis sign with. Whoever comes first puts its own there; the others take that.
 * Each looks again every minute, so that a Redis that was emptied gets it back from any instance that lives on, and
 * instances that started while Redis was away come to agree.
 */
import { randomBytes } from 'node:crypto';
import type { RedisConnection } from './redis-connection.ts';

const lookMs = 60_000;

export class RedisSecret {
  readonly #redis: RedisConnection;
  readonly #key: string;
  readonly #timer: NodeJS.Timeout;
  #secret = randomBytes(32);

  constructor({ redis, namespace }: { redis: RedisConnection; namespace: string }) {
    this.#redis = redis;
    this.#key = `${namespace}:{secret}`;
    // While Redis is away what is known goes on being used.
    this.#timer = setInterval(() => void this.agree().catch(() => {}), lookMs).unref();
  }

  get value(): Buffer {
    return this.#secret;
  }

  /** Takes the secret that is there, or leaves this one. Failure `unavailable`. */
  async agree(): Promise<void> {
    const mine = this.#secret.toString('base64url');
    const theirs = await this.#redis.call<string | null>(this.#key, 'SET', this.#key, mine, 'NX', 'GET');
    if (theirs !== null) this.#secret = Buffer.from(theirs, 'base64url');
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
