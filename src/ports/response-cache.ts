/** `keep` false: the value goes to those who wait for it, and is not stored. */
export interface Made<T> {
  value: T;
  keep: boolean;
}

/**
 * Computes a value once for all callers that ask for it at the same time, and keeps it for later ones. Values are JSON;
 * the key covers everything they depend on. Optional: while the cache cannot be reached, values are computed again.
 */
export interface ResponseCache {
  /**
   * The value stored under a key. If there is none, one caller among all instances makes it while the others wait
   * (`cached` is true for them). When that caller fails, each of the others makes its own. Rejects as the caller's own
   * `make` does, and with Failure `cancelled` as soon as the caller's signal aborts. `deserted` aborts when all callers
   * waiting in this process have left.
   */
  once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Made<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }>;
  /** Drops all stored values; those being made are not stored either. Failure `unavailable`. */
  clear(): Promise<void>;
}
