/**
 * The port of the encryption keys of personal data. They are stored separately from the history, so that a key can be
 * destroyed.
 */

/** The subject and the day (UTC, YYYY-MM-DD) whose words a key encrypts. */
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

/** A key as stored; of a destroyed key only the id remains. */
export interface StoredKey {
  id: string;
  of: KeyPurpose | null;
  /** Wrapped by the master key, in base64url. */
  wrapped: string | null;
}

/** The keys to destroy: all keys of a subject, or all keys of days before a day. */
export type Destroyed = { subject: string } | { before: string };

/** All methods reject with Failure `unavailable`. */
export interface SubjectKeys {
  /** The keys for encryption, in order. Missing keys are created and are on disk when this resolves. */
  take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]>;
  /**
   * The keys by their ids, in order; null for a destroyed one. Failure `unavailable`, also for a key that was never
   * stored here, unless missing keys were given up.
   */
  find(ids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Whether the key is stored here, destroyed or given up, so that `find` does not fail. */
  knows(id: string): Promise<boolean>;
  /** From now on, treats all missing keys as destroyed. */
  giveUpMissing(): Promise<void>;
  /** Destroys keys irrecoverably; returns their number. */
  destroy(which: Destroyed): Promise<number>;
  /**
   * A page of all keys. `from`: `next` of the previous page (null: the first page); `next` is null on the last page.
   */
  stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }>;
  /**
   * Imports keys of another store, and destroys those that were destroyed there; keys destroyed here stay destroyed.
   * Returns the number of new keys. Failure `invalid`: they are wrapped by another master key, and nothing was
   * imported.
   */
  putBack(keys: readonly StoredKey[]): Promise<number>;
  close(): Promise<void>;
}
