/**
 * Leases for work that one process at a time does, among all that share a folder or a server. A lease expires some
 * seconds after it was last taken. A holder may have lost its lease without noticing, so correctness must not depend
 * on it alone.
 */
export interface Leases {
  /** Takes a free lease or renews one held; false if another process holds it. Failure `unavailable`. */
  take(name: string): Promise<boolean>;
  /** Whether any process holds it. Failure `unavailable`. */
  isHeld(name: string): Promise<boolean>;
  /** Gives up a held lease; leaves a lease of another process alone. */
  release(name: string): Promise<void>;
}

/** How long a lease lasts after it was last taken, in ms. */
export const leaseMs = 5_000;
/** How often a lease is renewed, in ms. */
export const renewMs = 1_500;
