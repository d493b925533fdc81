/**
 * Leases for work that only one of the processes sharing a folder or server does at a time. A lease expires a few
 * seconds after it was last taken. A holder may lose its lease without noticing, so correctness must not depend on it
 * alone.
 */
export interface Leases {
  /**
   * Takes a free lease or renews a held one. Returns false if another process holds it. May fail with `unavailable`.
   */
  take(name: string): Promise<boolean>;
  /** Whether any process holds the lease. May fail with `unavailable`. */
  isHeld(name: string): Promise<boolean>;
  /** Releases a lease held by this process. A lease held by another process is not affected. */
  release(name: string): Promise<void>;
}

/** How long a lease lasts after it was last taken, in ms. */
export const leaseMs = 5_000;
/** How often a lease is renewed, in ms. */
export const renewMs = 1_500;
