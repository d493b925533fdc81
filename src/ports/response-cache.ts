/** `keep` false: it is handed to whoever waits for it, and not kept. */
export interface Made<T> {
  value: T;
  keep: boolean;
}

/**
 * Answers made once for all who ask the same at the same time, and kept for those who ask again. Values are JSON; the
 * key holds all they depend on. It is optional: while it cannot be reached, everything is computed again.
 */
export interface ResponseCache {
  /**
   * What is kept under a key; else it is made by one caller of all, here and in other instances, while the others wait
   * (`cached` for them). When that one fails, each of them makes its own: rejects as the caller's own `make` does, and
   * with Failure `cancelled` as soon as the caller's signal aborts. The signal that `make` is given aborts when all
   * who wait for it in this process have left.
   */
  once<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<Made<T>>,
    signal: AbortSignal,
  ): Promise<{ value: T; cached: boolean }>;
  /** Drops all that is kept; what is being made is not kept either. Failure `unavailable`. */
  clear(): Promise<void>;
}
