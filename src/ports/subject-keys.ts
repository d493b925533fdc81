/**
 * The port for the encryption keys of personal data. They are stored separately from the history, so that a key can be
 * destroyed.
 */

/** The subject and the day (UTC, YYYY-MM-DD) whose words are encrypted with a key. */
export interface KeyPurpose {
  /** Opaque. */
  subject: string;
  day: string;
}

export interface SubjectKey {
  /** Identifies the key in encrypted data; 16 bytes in base64url. */
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** A key as stored. Only the id remains of a destroyed key. */
export interface StoredKey {
  id: string;
  of: KeyPurpose | null;
  /** Wrapped by the master key, in base64url. */
  wrapped: string | null;
}

/** The keys to destroy: all keys of a subject, or all keys for days before a given day. */
export type Destroyed = { subject: string } | { before: string };

/** All methods may fail with `unavailable`. */
export interface SubjectKeys {
  /** The keys for encryption, in order. Missing keys are created, and are on disk when this resolves. */
  take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]>;
  /**
   * The keys with the given ids, in order; null for a destroyed key. Fails with `unavailable`, also for a key that was
   * never stored here, unless missing keys were given up.
   */
  find(ids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Whether the key is stored here, destroyed or given up, in which case `find` does not fail. */
  knows(id: string): Promise<boolean>;
  /** From now on, treats all missing keys as destroyed. */
  giveUpMissing(): Promise<void>;
  /** Destroys keys irrecoverably and returns their number. */
  destroy(which: Destroyed): Promise<number>;
  /**
   * A page of all keys. `from` is the `next` value of the previous page (null: the first page); `next` is null on the
   * last page.
   */
  stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }>;
  /**
   * Imports keys from another store, and destroys those that were destroyed there. Keys destroyed here stay destroyed.
   * Returns the number of new keys. Fails with `invalid` if they are wrapped by another master key, in which case
   * nothing was imported.
   */
  putBack(keys: readonly StoredKey[]): Promise<number>;
  close(): Promise<void>;
}
