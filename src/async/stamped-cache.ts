/**
 * Caches values derived from a read model until its stamp changes (ProjectionProgress.changes). A value may be newer
 * than its stamp, but never older. Concurrent callers share one computation; failures are not cached.
 */
export class StampedCache<K, V> {
  readonly #stamp: () => number;
  readonly #make: (key: K) => Promise<V>;
  readonly #kept = new Map<K, Promise<V>>();
  #keptAt = Number.NaN;

  constructor(stamp: () => number, make: (key: K) => Promise<V>) {
    this.#stamp = stamp;
    this.#make = make;
  }

  /** Rejects with the error of `make`. */
  get(key: K): Promise<V> {
    const stamp = this.#stamp();
    if (stamp !== this.#keptAt) {
      this.#kept.clear();
      this.#keptAt = stamp;
    }
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const made = this.#make(key);
    this.#kept.set(key, made);
    made.catch(() => {
      if (this.#kept.get(key) === made) this.#kept.delete(key);
    });
    return made;
  }

  /** Discards the cached values, because this process has just changed their source. */
  clear(): void {
    this.#keptAt = Number.NaN;
  }
}
