/** If `keep` is false, the value is returned to waiting callers but not stored. */
export interface Computed<T> {
  value: T;
  keep: boolean;
}

/**
 * Computes a value once for all concurrent callers, and stores it for later ones. Values are JSON; the key covers
 * everything on which they depend. The cache is optional: while it is unreachable, values are computed again.
 */
export interface ResponseCache {
  /**
   * The value stored under a key. If there is none, one caller among all instances computes it while the others wait
   * (`cached` is true for them). If that caller fails, each of the others runs its own `make`. Rejects with the error
   * of the caller's own `make`, or with `cancelled` as soon as the caller's signal aborts. `deserted` aborts when all
   * callers waiting in this process have left.
   */
  once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Computed<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }>;
  /** Drops all stored values. Values that are being computed are not stored either. May fail with `unavailable`. */
  clear(): Promise<void>;
}
