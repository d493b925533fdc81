/** ResponseCache of one process: the latest answers in memory. */
import type { Made, ResponseCache, RestsOn } from '../../ports.ts';
import { SingleFlight } from '../single-flight.ts';

/** Entries kept; those read or made last stay. */
const entriesMax = 1_000;

export class MemoryCache implements ResponseCache {
  readonly #flights = new SingleFlight();
  readonly #kept = new Map<string, { value: unknown; rests_on: RestsOn }>();

  async once<T>(
    key: string,
    holds: (restsOn: RestsOn) => boolean | Promise<boolean>,
    make: () => Promise<Made<T>>,
  ): Promise<{ value: T; cached: boolean }> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      if (await holds(kept.rests_on)) {
        this.#kept.set(key, kept);
        return { value: kept.value as T, cached: true };
      }
    }
    const { value, shared } = await this.#flights.run(key, async () => {
      const made = await make();
      if (made.rests_on !== null) {
        this.#kept.set(key, { value: made.value, rests_on: made.rests_on });
        const [oldest] = this.#kept.keys();
        if (this.#kept.size > entriesMax && oldest !== undefined) this.#kept.delete(oldest);
      }
      return made.value;
    });
    return { value, cached: shared };
  }
}
