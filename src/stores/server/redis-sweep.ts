/**
 * Deletes builds that are no longer served, some keys at a time. The server's keys are not looked through for them,
 * however many others there are: hashes are found by their indexes, what belongs to a chunk by the chunk, the rest by
 * name.
 */
import { listOf, revKey } from './redis-chunk-keys.ts';
import { isNoIndex, type Redis } from './redis-connection.ts';
import { dropIndex, indexedKeys, isIndexing, listIndexes, searchIndex } from './redis-index.ts';

/** Keys of a build of the chunk projection of which there is one each. */
const single = ['meta', 'stems', 'sounds', 'docs', 'changed', 'living', 'dead'];

export class BuildSweeper {
  readonly #redis: Redis;
  /** By what the keys of a build begin with: its indexes that are left. */
  readonly #indexes = new Map<string, string[]>();
  /** By index: its keys that are still to be read. */
  readonly #reading = new Map<string, AsyncGenerator<string[]>>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Deletes up to about `limit` records or chunks of a build, whose keys begin with `prefix`; false when nothing is left.
   * Rejects as the connection does, and then begins anew.
   */
  async sweep(prefix: string, limit: number): Promise<boolean> {
    try {
      const [index] = await this.#left(prefix);
      if (index !== undefined) {
        await this.#sweepIndex(prefix, index, limit);
        return true;
      }
      if (await this.#sweepRevisions(prefix, limit)) return true;
      await this.#redis.call(prefix, 'UNLINK', ...single.map((name) => prefix + name));
      this.#indexes.delete(prefix);
      return false;
    } catch (error) {
      this.#indexes.delete(prefix);
      this.#reading.clear();
      // Another process may sweep as well.
      if (isNoIndex(error)) return true;
      throw error;
    }
  }

  async #left(prefix: string): Promise<string[]> {
    let left = this.#indexes.get(prefix);
    if (left === undefined) {
      const names = new Set((await listIndexes(this.#redis)).flatMap((known) => [...known]));
      left = [...names].filter((name) => name.startsWith(prefix));
      this.#indexes.set(prefix, left);
    }
    return left;
  }

  async #sweepIndex(prefix: string, index: string, limit: number): Promise<void> {
    const reading = this.#reading.get(index) ?? indexedKeys(this.#redis, index, limit);
    this.#reading.set(index, reading);
    const { value: keys, done } = await reading.next();
    if (!done) {
      if (keys.length > 0) await this.#delete(prefix, index, keys);
      return;
    }
    this.#reading.delete(index);
    // What is there is found by it alone: it goes last.
    if (await isIndexing(this.#redis, index)) return;
    if ((await searchIndex(this.#redis, index, '*', [0, 0])).total > 0) return;
    await dropIndex(this.#redis, index);
    this.#indexes.set(
      prefix,
      (await this.#left(prefix)).filter((name) => name !== index),
    );
  }

  /** Together with the hash of a chunk's stems goes all that is kept of the chunk but its vectors, which have an index. */
  async #delete(prefix: string, index: string, keys: readonly string[]): Promise<void> {
    const stems = `${prefix}t:`;
    const all = [...keys];
    if (index.startsWith(stems)) {
      const partition = index.slice(stems.length);
      const chunks = keys.map(async (key) => {
        const chunk = `${prefix}c:${key.slice(index.length + 1)}`;
        const [number, unit] = await this.#redis.call<(string | null)[]>(
          ...[chunk, 'HMGET', chunk, 'number', 'unit'],
        );
        all.push(chunk);
        if (number != null) all.push(`${prefix}n:${partition}:${number}`);
        if (unit != null) all.push(`${prefix}u:${partition}:${unit}`);
      });
      await Promise.all(chunks);
    }
    await this.#redis.call(index, 'UNLINK', ...all);
  }

  /** What is kept of revisions: of those that live and of those that are dead. */
  async #sweepRevisions(prefix: string, limit: number): Promise<boolean> {
    const [living, dead] = [`${prefix}living`, `${prefix}dead`];
    const count = String(limit);
    const [[, pairs], killed] = await Promise.all([
      this.#redis.call<[string, string[]]>(living, 'HSCAN', living, '0', 'COUNT', count),
      this.#redis.call<string[]>(dead, 'SRANDMEMBER', dead, count),
    ]);
    if (pairs.length + killed.length === 0) return false;
    const docs = pairs.filter((_, n) => n % 2 === 0);
    const revisions = docs.flatMap((doc, n) =>
      listOf<number>(pairs[2 * n + 1]).map((revision) => revKey(Number(doc), revision)),
    );
    await this.#redis.call(prefix, 'UNLINK', ...[...revisions, ...killed].map((key) => `${prefix}r:${key}`));
    if (docs.length > 0) await this.#redis.call(living, 'HDEL', living, ...docs);
    if (killed.length > 0) await this.#redis.call(dead, 'SREM', dead, ...killed);
    return true;
  }
}
