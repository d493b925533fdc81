/** ResponseCache of one process: the latest answers in memory. */
import type { Made, ResponseCache } from '../../ports/response-cache.ts';
import { SingleFlight } from '../single-flight.ts';

/** Entries kept; those read or made last stay. */
const entriesMax = 1_000;

export class MemoryCache implements ResponseCache {
  readonly #flights = new SingleFlight();
  readonly #kept = new Map<string, unknown>();

  async once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Made<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }> {
    if (this.#kept.has(key)) {
      const value = this.#kept.get(key) as T;
      this.#keep(key, value);
      return { value, cached: true };
    }
    const makeAndKeep = async (deserted: AbortSignal) => {
      const made = await make(deserted);
      if (made.keep) this.#keep(key, made.value);
      return made.value;
    };
    const { value, shared } = await this.#flights.run(key, makeAndKeep, signal);
    return { value, cached: shared };
  }

  #keep(key: string, value: unknown): void {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > entriesMax && oldest !== undefined) this.#kept.delete(oldest);
  }
}
