/**
 * Leases for work that only one of the processes on a folder or a server does at a time. A lease expires some seconds
 * after it was last taken. A holder may lose its lease without noticing, so correctness must not depend on it alone.
 */
export interface Leases {
  /** Takes a free lease or renews a held one; false if another process holds it. Failure `unavailable`. */
  take(name: string): Promise<boolean>;
  /** Whether any process holds the lease. Failure `unavailable`. */
  isHeld(name: string): Promise<boolean>;
  /** Releases a lease held by this process; a lease of another process is unchanged. */
  release(name: string): Promise<void>;
}

/** How long a lease lasts after it was last taken, in ms. */
export const leaseMs = 5_000;
/** How often a lease is renewed, in ms. */
export const renewMs = 1_500;
