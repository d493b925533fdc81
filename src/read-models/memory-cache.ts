/**
 * In-process ResponseCache that keeps the most recent answers in memory as JSON, which takes a third of the space of
 * the objects.
 */
import { createHash } from 'node:crypto';
import type { Computed, ResponseCache } from '../ports/response-cache.ts';
import { SingleFlight } from './single-flight.ts';

/** Maximum total size of the stored answers in bytes. The least recently used answers are evicted. */
const bytesMaxDefault = 16 * 1024 * 1024;
/** Size of an entry in addition to its text. */
const entryBytes = 256;

export class MemoryCache implements ResponseCache {
  readonly #bytesMax: number;
  readonly #flights = new SingleFlight();
  #kept = new Map<string, Buffer>();
  #bytes = 0;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
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
    if (kept !== undefined) {
      this.#keep(digest, kept);
      return { value: JSON.parse(kept.toString()), cached: true };
    }
    const makeAndKeep = async (deserted: AbortSignal) => {
      const made = await make(deserted);
      if (made.keep && this.#kept === before) this.#keep(digest, apart(JSON.stringify(made.value)));
      return made.value;
    };
    const { value, shared } = await this.#flights.run(digest, makeAndKeep, signal);
    return { value, cached: shared };
  }

  async clear(): Promise<void> {
    this.#kept = new Map();
    this.#bytes = 0;
  }

  #keep(digest: string, json: Buffer): void {
    this.#drop(digest);
    this.#kept.set(digest, json);
    this.#bytes += json.length + entryBytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest);
    }
  }

  #drop(digest: string): void {
    const json = this.#kept.get(digest);
    if (json === undefined) return;
    this.#kept.delete(digest);
    this.#bytes -= json.length + entryBytes;
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
