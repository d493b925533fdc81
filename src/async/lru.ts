/** A least-recently-used cache bounded by total weight. The default weight of a value is 1. */
export class Lru<K, V> {
  readonly #weightMax: number;
  readonly #kept = new Map<K, { value: V; weight: number }>();
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(key: K): V | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  set(key: K, value: V, weight = 1): void {
    this.delete(key);
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#weightMax) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
