/**
 * What one process at a time does, of all that share a folder or a server. A lease lives for some seconds after it was
 * last taken. Whoever holds one may have lost it unknown to him, so nothing that must be right rests on it alone.
 */
export interface Leases {
  /** Takes a lease that is free, or keeps one held; false where another process holds it. Failure `unavailable`. */
  take(name: string): Promise<boolean>;
  /** Whether any process holds it. Failure `unavailable`. */
  isHeld(name: string): Promise<boolean>;
  /** Gives up a lease that is held; nothing happens to another's. */
  release(name: string): Promise<void>;
}

/** How long a lease outlives its last taking, in ms. */
export const leaseMs = 5_000;
/** How often a lease is taken again, in ms. */
export const renewMs = 1_500;
