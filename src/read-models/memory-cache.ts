/**
 * In-process ResponseCache that keeps the most recent answers in memory as JSON, which takes a third of the space of
 * the objects.
 */
import { createHash } from 'node:crypto';
import { Lru } from '../async/lru.ts';
import type { Computed, ResponseCache } from '../ports/response-cache.ts';
import { SingleFlight } from './single-flight.ts';

/** Maximum total size of the stored answers in bytes. The least recently used answers are evicted. */
const bytesMaxDefault = 16 * 1024 * 1024;
/** Size of an entry in addition to its text. */
const entryBytes = 256;

export class MemoryCache implements ResponseCache {
  readonly #bytesMax: number;
  readonly #flights = new SingleFlight();
  #kept: Lru<string, Buffer>;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
    this.#kept = new Lru(bytesMax);
  }

  async once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Computed<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }> {
    // The key contains the question and the corpus settings, so it may be longer than the answer. It is hashed to save
    // space.
    const digest = createHash('sha256').update(key).digest('base64');
    const before = this.#kept;
    const kept = before.get(digest);
    if (kept !== undefined) return { value: JSON.parse(kept.toString()), cached: true };
    const makeAndKeep = async (deserted: AbortSignal) => {
      const made = await make(deserted);
      if (made.keep && this.#kept === before) {
        const json = apart(JSON.stringify(made.value));
        before.set(digest, json, json.length + entryBytes);
      }
      return made.value;
    };
    const { value, shared } = await this.#flights.run(digest, makeAndKeep, signal);
    return { value, cached: shared };
  }

  async clear(): Promise<void> {
    this.#kept = new Lru(this.#bytesMax);
  }
}

/**
 * Copies the text into a separate buffer. Small buffers share a pool, so a single stored answer would keep the whole
 * pool alive.
 */
function apart(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
