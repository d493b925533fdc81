/**
 * Checks a proof in the browser: hashes of RFC 6962, proofs of RFC 9162 (2.1.3.2, 2.1.4.2), and the leaf of an event as
 * specified in docs/sealing.md. Makes no requests to the service.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function joined(...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, n) => byte === b[n]);

const nodeHash = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(joined(Uint8Array.of(1), left, right));

export interface EventBytes {
  id: string;
  stream: string;
  revision: number;
  type: string;
  data: Bytes;
  metadata: Bytes;
}

export async function eventLeaf({ id, stream, revision, type, data, metadata }: EventBytes): Promise<Bytes> {
  const fields = [id, stream, String(revision), type, 'application/json'].map(
    (text): Uint8Array => new TextEncoder().encode(text),
  );
  const parts = [...fields, await sha256(data), await sha256(metadata)].flatMap((part) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    return [length, part];
  });
  return sha256(joined(Uint8Array.of(0), ...parts));
}

export interface Step {
  sibling: Bytes;
  side: 'left' | 'right';
  hash: Bytes;
}

/** The hashes from a leaf to the root; null: the proof has the wrong length. */
export async function climb(
  leaf: Bytes,
  index: number,
  size: number,
  proof: readonly Bytes[],
): Promise<Step[] | null> {
  if (index >= size) return null;
  let [node, last, hash] = [index, size - 1, leaf];
  const steps: Step[] = [];
  for (const sibling of proof) {
    if (last === 0) return null;
    const isRight = node % 2 === 1 || node === last;
    hash = isRight ? await nodeHash(sibling, hash) : await nodeHash(hash, sibling);
    steps.push({ sibling, side: isRight ? 'left' : 'right', hash });
    if (isRight) while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? steps : null;
}

/**
 * The roots that a consistency proof yields, which must equal those of the checkpoints. Null: it has the wrong length.
 */
export async function roots(
  from: { size: number; root: Bytes },
  size: number,
  proof: readonly Bytes[],
): Promise<{ first: Bytes; second: Bytes } | null> {
  if (from.size === 0 || from.size > size) return null;
  if (from.size === size) return proof.length === 0 ? { first: from.root, second: from.root } : null;
  // A power of two is itself a subtree, and not repeated in the proof.
  const isWhole = Number.isInteger(Math.log2(from.size));
  const [seed, ...rest] = isWhole ? [from.root, ...proof] : proof;
  if (seed === undefined) return null;
  let [node, last] = [from.size - 1, size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [first, second] = [seed, seed];
  for (const sibling of rest) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      first = await nodeHash(sibling, first);
      second = await nodeHash(sibling, second);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      second = await nodeHash(second, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { first, second } : null;
}
