/** Checkpoints (c2sp.org/tlog-checkpoint), and their signatures (c2sp.org/signed-note) checked with WebCrypto. */
import { type Bytes, isSame, joined, sha256 } from './merkle.ts';

export interface Checkpoint {
  origin: string;
  size: number;
  root: Bytes;
  /** The signed text. */
  text: string;
  signatures: { name: string; hash: Bytes; signature: Bytes }[];
}

export const bytesOf = (base64: string): Bytes | null => {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
};
export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** null: not a checkpoint. */
export function readCheckpoint(note: string): Checkpoint | null {
  const split = note.lastIndexOf('\n\n');
  const text = note.slice(0, split + 1);
  const [origin, size, base64] = text.split('\n');
  const root = bytesOf(base64 ?? '');
  if (split === -1 || !origin || !/^\d{1,15}$/.test(size ?? '') || root?.length !== 32) return null;
  const signatures = note
    .slice(split + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, signed] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const bytes = bytesOf(signed ?? '');
      if (name === undefined || bytes === null || bytes.length < 5) return [];
      return [{ name, hash: bytes.slice(0, 4), signature: bytes.slice(4) }];
    });
  return { origin, size: Number(size), root, text, signatures };
}

export interface PublicKey {
  name: string;
  hash: Bytes;
  key: CryptoKey;
}

const ed25519 = 1;

/** Reads `name+hash+base64`, as printed by `docent seal-key`; null: not such a key. */
export async function readPublicKey(text: string): Promise<PublicKey | null> {
  const [, name, hash, base64] = /^([^\s+]+)\+([\da-f]{8})\+([A-Za-z\d+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = bytesOf(base64 ?? '');
  if (name === undefined || typed?.length !== 33 || typed[0] !== ed25519) return null;
  const own = (await sha256(joined(new TextEncoder().encode(`${name}\n`), typed))).slice(0, 4);
  if ([...own].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== hash) return null;
  const key = await crypto.subtle.importKey('raw', typed.slice(1), 'Ed25519', false, ['verify']);
  return { name, hash: own, key };
}

export async function isSignedBy(
  { text, signatures }: Checkpoint,
  { name, hash, key }: PublicKey,
): Promise<boolean> {
  const bytes = new TextEncoder().encode(text);
  for (const one of signatures)
    if (
      one.name === name &&
      isSame(one.hash, hash) &&
      (await crypto.subtle.verify('Ed25519', key, one.signature, bytes))
    )
      return true;
  return false;
}
