/** The port of the encryption keys of personal data. They are kept apart from the history, so that a key can be destroyed. */

/** Whose words, of which day (UTC, YYYY-MM-DD), a key encrypts. */
export interface KeyPurpose {
  /** Opaque. */
  subject: string;
  day: string;
}

export interface SubjectKey {
  /** Names the key in what it encrypts; 16 bytes in base64url. */
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** A key as stored; of a destroyed one only the id is left. */
export interface StoredKey {
  id: string;
  of: KeyPurpose | null;
  /** Wrapped by the master key, in base64url. */
  wrapped: string | null;
}

/** Which keys to destroy: all of a subject, or those of all days before one. */
export type Destroyed = { subject: string } | { before: string };

/** All methods reject with Failure `unavailable`. */
export interface SubjectKeys {
  /** The keys to encrypt with, in order. Missing ones are created, and are on disk when this resolves. */
  take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]>;
  /**
   * The keys by their ids, in order; null for a destroyed one. Failure `unavailable` also for a key that was never here,
   * unless missing keys were given up.
   */
  find(ids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Whether `find` has an answer for the key: it is here, or was destroyed or given up. */
  knows(id: string): Promise<boolean>;
  /** From now on treats all keys that are not here as destroyed. */
  giveUpMissing(): Promise<void>;
  /** Destroys keys irrecoverably; returns how many. */
  destroy(which: Destroyed): Promise<number>;
  /** A page of all keys. `from`: `next` of the page before (null: the first page); `next` is null on the last page. */
  stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }>;
  /**
   * Imports keys of another store, and destroys those that were destroyed there; what was destroyed here stays destroyed.
   * Returns how many keys are new here. Failure `invalid`: they are wrapped by another master key, and nothing was
   * imported.
   */
  putBack(keys: readonly StoredKey[]): Promise<number>;
  close(): Promise<void>;
}
