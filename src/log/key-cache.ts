/**
 * Short-lived cache of subjects' keys. A conversation looks up its keys only once, and a destroyed key leaves the cache
 * within half a second.
 */
import type { Destroyed, KeyPurpose, StoredKey, SubjectKey, SubjectKeys } from '../ports/subject-keys.ts';

/** Lifetime of a cached key in ms. A key destroyed by another process may still be used here for this long. */
const keptMs = 500;
const keysMax = 4_096;

export class KeyCache implements SubjectKeys {
  readonly #keys: SubjectKeys;
  readonly #taken = new Recent<SubjectKey>();
  readonly #found = new Recent<Uint8Array | null>();

  constructor(keys: SubjectKeys) {
    this.#keys = keys;
  }

  take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]> {
    return this.#taken.get(
      purposes.map(({ subject, day }) => JSON.stringify([subject, day])),
      (missing) => this.#keys.take(missing.map((n) => purposes[n]!)),
    );
  }

  find(ids: readonly string[]): Promise<(Uint8Array | null)[]> {
    return this.#found.get(ids, (missing) => this.#keys.find(missing.map((n) => ids[n]!)));
  }

  knows(id: string): Promise<boolean> {
    return this.#keys.knows(id);
  }

  giveUpMissing(): Promise<void> {
    return this.#keys.giveUpMissing();
  }

  stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }> {
    return this.#keys.stored(from);
  }

  putBack(keys: readonly StoredKey[]): Promise<number> {
    return this.#keys.putBack(keys);
  }

  async destroy(which: Destroyed): Promise<number> {
    try {
      return await this.#keys.destroy(which);
    } finally {
      this.#taken.clear();
      this.#found.clear();
    }
  }

  close(): Promise<void> {
    return this.#keys.close();
  }
}

/** Caches values by name, each for `keptMs`. */
class Recent<T> {
  #kept = new Map<string, { value: T; until: number }>();

  clear(): void {
    // Replace the map instead of clearing it, because lookups in progress write to the old one.
    this.#kept = new Map();
  }

  /** `read` returns the values for the names at the given indices. */
  async get(names: readonly string[], read: (indices: number[]) => Promise<T[]>): Promise<T[]> {
    const kept = this.#kept;
    const now = performance.now();
    const values = new Map<string, T>();
    const missing = new Map<string, number>();
    for (const [n, name] of names.entries()) {
      const one = kept.get(name);
      if (one !== undefined && one.until > now) values.set(name, one.value);
      else missing.set(name, n);
    }
    if (missing.size > 0) {
      const found = await read([...missing.values()]);
      for (const [n, name] of [...missing.keys()].entries()) {
        values.set(name, found[n]!);
        kept.delete(name);
        kept.set(name, { value: found[n]!, until: now + keptMs });
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= keysMax) break;
        kept.delete(oldest);
      }
    }
    return names.map((name) => values.get(name)!);
  }
}
