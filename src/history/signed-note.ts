/**
 * Signed notes (c2sp.org/signed-note) with Ed25519: a text, an empty line, and a line for each signature. Keys are
 * encoded as in that specification: `name+hash+base64` for public keys, `PRIVATE+KEY+name+hash+base64` for secret keys.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { Failure } from '../failures.ts';
import { sha256 } from './merkle.ts';

/** Ed25519 in C2SP's list of signature types. */
const ed25519 = 1;
/** The DER prefixes for the 32 bytes of a secret and a public Ed25519 key (RFC 8410). */
const secretDer = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicDer = Buffer.from('302a300506032b6570032100', 'hex');

export interface VerifyingKey {
  name: string;
  /** The first four bytes of the SHA-256 of name and key, which identify the key of a signature. */
  hash: Buffer;
  /** The encoded public key. */
  text: string;
  key: KeyObject;
}

export interface SigningKey {
  secret: KeyObject;
  verifying: VerifyingKey;
}

export interface SignedNote {
  /** Ends with a line break. */
  text: string;
  signatures: { name: string; hash: Buffer; signature: Buffer }[];
}

const isName = (name: string) => name !== '' && !/[\s+]/.test(name);

function keyHash(name: string, typed: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).subarray(0, 4);
}

function verifyingKey(name: string, raw: Buffer): VerifyingKey {
  const typed = Buffer.concat([Buffer.of(ed25519), raw]);
  const hash = keyHash(name, typed);
  return {
    name,
    hash,
    text: `${name}+${hash.toString('hex')}+${typed.toString('base64')}`,
    key: createPublicKey({ key: Buffer.concat([publicDer, raw]), format: 'der', type: 'spki' }),
  };
}

const rawPublic = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicDer.length);

/** Fails with `invalid` if the text is not a public key of this kind, or its hash does not match. */
export function readVerifyingKey(text: string): VerifyingKey {
  const [, name, hash, base64] = /^([^\s+]+)\+([\da-f]{8})\+([A-Za-z\d+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(base64 ?? '', 'base64');
  if (name !== undefined && typed.length === 33 && typed[0] === ed25519) {
    const key = verifyingKey(name, typed.subarray(1));
    if (key.hash.toString('hex') === hash) return key;
  }
  throw new Failure('invalid', 'This is not a public key of the form name+hash+base64 for Ed25519.');
}

/** Fails with `invalid` if the text is not a secret key of this kind. The message does not repeat the key. */
export function readSigningKey(text: string): SigningKey {
  const [, name, hash, base64] =
    /^PRIVATE\+KEY\+([^\s+]+)\+([\da-f]{8})\+([A-Za-z\d+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(base64 ?? '', 'base64');
  if (name !== undefined && typed.length === 33 && typed[0] === ed25519) {
    const seed = Buffer.concat([secretDer, typed.subarray(1)]);
    const secret = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
    const verifying = verifyingKey(name, rawPublic(secret));
    if (verifying.hash.toString('hex') === hash) return { secret, verifying };
  }
  throw new Failure(
    'invalid',
    'This is not a secret key of the form PRIVATE+KEY+name+hash+base64 for Ed25519.',
  );
}

/** Generates an encoded secret key. Fails with `invalid` if the name is empty or contains a space or plus sign. */
export function newSigningKey(name: string): string {
  if (!isName(name))
    throw new Failure('invalid', 'A key name must not be empty or contain spaces or plus signs.');
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(secretDer.length);
  const hash = verifyingKey(name, rawPublic(privateKey)).hash.toString('hex');
  return `PRIVATE+KEY+${name}+${hash}+${Buffer.concat([Buffer.of(ed25519), seed]).toString('base64')}`;
}

/** Signs the text with each key. `text` must end with a line break. */
export function signNote(text: string, ...keys: readonly SigningKey[]): string {
  const lines = keys.map(({ secret, verifying }) => {
    const signature = Buffer.concat([verifying.hash, sign(null, Buffer.from(text), secret)]);
    return `— ${verifying.name} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Null if the text is not a signed note. */
export function readNote(note: string): SignedNote | null {
  const split = note.lastIndexOf('\n\n');
  if (split === -1 || !note.endsWith('\n')) return null;
  const signatures: SignedNote['signatures'] = [];
  for (const line of note.slice(split + 2, -1).split('\n')) {
    const [, name, base64] = /^— ([^\s+]+) ([A-Za-z\d+/]+=*)$/.exec(line) ?? [];
    const bytes = Buffer.from(base64 ?? '', 'base64');
    if (name === undefined || bytes.length < 5) return null;
    signatures.push({ name, hash: bytes.subarray(0, 4), signature: bytes.subarray(4) });
  }
  return { text: note.slice(0, split + 1), signatures };
}

/** Whether a note has a valid signature by that key over its text. */
export function isSignedBy({ text, signatures }: SignedNote, { name, hash, key }: VerifyingKey): boolean {
  return signatures.some(
    (one) =>
      one.name === name && one.hash.equals(hash) && verify(null, Buffer.from(text), key, one.signature),
  );
}
