/** The port of the keys that people's words are sealed with: apart from the history, so that one can be destroyed. */

/** Whose words of which day (UTC, YYYY-MM-DD) a key is for. */
export interface KeyPurpose {
  /** Opaque. */
  subject: string;
  day: string;
}

export interface SubjectKey {
  /** Names the key in what is sealed with it; 16 bytes in base64url. */
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** A key as it lies in a store; of a destroyed one the id is all there is. */
export interface StoredKey {
  id: string;
  of: KeyPurpose | null;
  /** Wrapped by the master key, in base64url. */
  wrapped: string | null;
}

/** Which keys are destroyed: all of a subject, or all of the days before one. */
export type Destroyed = { subject: string } | { before: string };

/** All methods reject with Failure `unavailable`. */
export interface SubjectKeys {
  /** The keys to seal with, in order; where there is none it is made, and is on disk when this resolves. */
  take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]>;
  /**
   * The keys by their ids, in order; null for one that was destroyed. Failure `unavailable` also for one never kept here,
   * unless what is not here was given up.
   */
  find(ids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Whether `find` can tell of the key: it is here, or was destroyed or given up. */
  knows(id: string): Promise<boolean>;
  /** Takes all keys that are not here for destroyed, from now on. */
  giveUpMissing(): Promise<void>;
  /** Destroys keys for ever, which leaves nothing of them; how many. */
  destroy(which: Destroyed): Promise<number>;
  /** Some of all keys, from where `next` of the portion before says (null: the beginning); its `next` is null at the end. */
  stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }>;
  /**
   * Puts keys of another store here, and destroys those that were destroyed there; what was destroyed here stays so. How many are
   * here now that were not known before. Failure `invalid`: they are wrapped by another master key; nothing was put then.
   */
  putBack(keys: readonly StoredKey[]): Promise<number>;
  close(): Promise<void>;
}
