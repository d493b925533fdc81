/**
 * Values derived from a read model, kept until its stamp moves (ProjectionProgress.changes). A value may be newer than
 * its stamp says, never older; callers at the same time share one making, and one that fails is forgotten.
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

  /** Rejects as `make` does. */
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

  /** What is kept counts no longer: this process has just changed what it was made from. */
  clear(): void {
    this.#keptAt = Number.NaN;
  }
}
