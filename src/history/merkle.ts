/**
 * Merkle trees as defined in RFC 6962 (section 2.1; verification of proofs: RFC 9162, sections 2.1.3.2 and 2.1.4.2). A
 * single hash represents a whole list. A short proof shows that an entry is in the list, or that one list is a prefix
 * of another. Hashes are 32 bytes.
 */
import { hash } from 'node:crypto';

export type Hash = Buffer;

/**
 * SHA-256 with one character per byte, because Node returns a string three times as fast as a new buffer (0.5 µs
 * instead of 1.5).
 */
export const sha256Latin1 = (data: Uint8Array | string): string => hash('sha256', data, 'binary');

export const sha256 = (data: Uint8Array | string): Hash => Buffer.from(sha256Latin1(data), 'latin1');

/** The root of an empty tree. */
const emptyRoot = sha256('');

/** Prefix of a leaf's bytes before hashing. It differs from a node's prefix, so that the two cannot be confused. */
export const leafPrefix = 0;

/** A buffer for a node's bytes. It is hashed immediately after it is filled. */
const node = Buffer.alloc(65, 1);

function nodeHash(left: Hash, right: Hash): Hash {
  node.set(left, 1);
  node.set(right, 33);
  return sha256(node);
}

/** A growing tree. Instead of its leaves, it keeps only the roots of complete subtrees, at most one for each height. */
export class GrowingTree {
  #size = 0;
  /** Keyed by height. */
  readonly #subtrees: (Hash | null)[] = [];

  get size(): number {
    return this.#size;
  }

  copy(): GrowingTree {
    const copy = new GrowingTree();
    copy.#size = this.#size;
    copy.#subtrees.push(...this.#subtrees);
    return copy;
  }

  append(leaf: Hash): void {
    let [root, height] = [leaf, 0];
    for (; this.#subtrees[height]; height++) {
      root = nodeHash(this.#subtrees[height]!, root);
      this.#subtrees[height] = null;
    }
    this.#subtrees[height] = root;
    this.#size++;
  }

  root(): Hash {
    let root: Hash | null = null;
    for (const subtree of this.#subtrees) {
      if (subtree) root = root === null ? subtree : nodeHash(subtree, root);
    }
    return root ?? emptyRoot;
  }
}

/** The root of the leaves from one index to another (exclusive). */
export function rootOf(leaves: readonly Hash[], from = 0, to = leaves.length): Hash {
  const tree = new GrowingTree();
  for (let i = from; i < to; i++) tree.append(leaves[i]!);
  return tree.root();
}

/** The largest power of two below n, for n of at least 2. */
const splitOf = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/**
 * Proves that the leaf at `index` is in the tree of the first `size` leaves. Returns the hashes from its sibling up to
 * the level below the root.
 */
export function inclusionProof(leaves: readonly Hash[], index: number, size = leaves.length): Hash[] {
  const proof: Hash[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      proof.push(rootOf(leaves, middle, to));
      to = middle;
    } else {
      proof.push(rootOf(leaves, from, middle));
      from = middle;
    }
  }
  return proof.reverse();
}

/** Proves that the tree of the first `size` leaves begins with the tree of the first `first` leaves. */
export function consistencyProof(leaves: readonly Hash[], first: number, size = leaves.length): Hash[] {
  return first === 0 ? [] : subproof(leaves, first, [0, size], true);
}

/** SUBPROOF in the RFC. `known`: the verifier already has the root of this range, because it is the first tree. */
function subproof(
  leaves: readonly Hash[],
  first: number,
  [from, to]: readonly [number, number],
  known: boolean,
): Hash[] {
  if (first === to - from) return known ? [] : [rootOf(leaves, from, to)];
  const split = splitOf(to - from);
  const middle = from + split;
  return first <= split
    ? [...subproof(leaves, first, [from, middle], known), rootOf(leaves, middle, to)]
    : [...subproof(leaves, first - split, [middle, to], false), rootOf(leaves, from, middle)];
}

/** Whether the proof shows that `leaf` is at `index` in the tree with that size and root. */
export function includes(
  { root, size }: { root: Hash; size: number },
  index: number,
  leaf: Hash,
  proof: readonly Hash[],
): boolean {
  if (index < 0 || index >= size) return false;
  let [node, last] = [index, size - 1];
  let hashed = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hashed = nodeHash(sibling, hashed);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      hashed = nodeHash(hashed, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hashed.equals(root);
}

/** Whether the proof shows that the second tree begins with the first. */
export function isConsistent(
  first: { root: Hash; size: number },
  second: { root: Hash; size: number },
  proof: readonly Hash[],
): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  if (first.size === 0) return proof.length === 0 && first.root.equals(emptyRoot);
  const wholeTree = Number.isInteger(Math.log2(first.size));
  const [seed, ...path] = wholeTree ? [first.root, ...proof] : proof;
  if (seed === undefined || path.length === 0) return false;
  let [node, last] = [first.size - 1, second.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [older, newer] = [seed, seed];
  for (const next of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      older = nodeHash(next, older);
      newer = nodeHash(next, newer);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      newer = nodeHash(newer, next);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && older.equals(first.root) && newer.equals(second.root);
}
