/** Subjects' keys as stored: each is wrapped by a master key, which is identified by a check value. */
import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../encryption.ts';
import { Failure } from '../failures.ts';
import type { SubjectKey } from '../ports/subject-keys.ts';

const keyBytes = 32;
const idBytes = 16;
const checkName = 'master key';

/** A new key, in its usable form and in its stored form. */
export function makeKey(master: Uint8Array): SubjectKey & { wrapped: Buffer } {
  const id = randomBytes(idBytes).toString('base64url');
  const key = randomBytes(keyBytes);
  return { id, key, wrapped: wrap(master, id, key) };
}

/** A value that identifies a master key. */
export const newCheck = (master: Uint8Array): Buffer => wrap(master, checkName, randomBytes(keyBytes));

/** Fails with `invalid` if the check value belongs to another master key. */
export function checkMaster(master: Uint8Array, checked: Uint8Array): void {
  unwrap(master, checkName, checked);
}

/** Binds the wrapped key to its id. */
const wrap = (master: Uint8Array, id: string, key: Uint8Array): Buffer =>
  encrypt(master, key, Buffer.from(id));

/** Fails with `invalid` if the key is wrapped by another master key. */
export function unwrap(master: Uint8Array, id: string, wrapped: Uint8Array): Buffer {
  try {
    return decrypt(master, wrapped, Buffer.from(id));
  } catch (error) {
    throw new Failure(
      'invalid',
      "People's words here are sealed with a different master key: use the same DOCENT_MASTER_KEY as before, on all instances.",
      { cause: error },
    );
  }
}

/**
 * The field name for a key copied from another store whose subject already has a key for that day. Such a key is never
 * used to seal new data, and is destroyed together with the others.
 */
export const besides = (day: string, id: string): string => `${day}+${id}`;

/** A reserved id that no key has. If it is among the destroyed ids, all missing keys count as destroyed. */
export const allMissing = '';

/** For a key that was never stored here: it is in another store, or lost. */
export const unknownKey = () =>
  new Failure(
    'unavailable',
    'The keys of some sealed events are missing here: start with the keys they were sealed with (DOCENT_KEYS, REDIS_URL).',
  );
