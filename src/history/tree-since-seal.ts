/**
 * The Merkle tree of a history that is read in order and sealed periodically. A checkpoint is of an earlier size than
 * that at which it is met, so the leaves since the last one are kept.
 */
import { GrowingTree, type Hash } from './merkle.ts';

export class TreeSinceSeal {
  /** Of the events up to the last checkpoint. */
  readonly #tree = new GrowingTree();
  #since: Hash[] = [];

  /** Events in all. */
  get size(): number {
    return this.#tree.size + this.#since.length;
  }

  /** Events up to the last checkpoint. */
  get sealed(): number {
    return this.#tree.size;
  }

  add(leaf: Hash): void {
    this.#since.push(leaf);
  }

  /** The root of all events. */
  root(): Hash {
    const all = this.#tree.copy();
    for (const leaf of this.#since) all.append(leaf);
    return all.root();
  }

  /**
   * The root of the first `size` events, which are from now on those up to the last checkpoint; not fewer than they
   * were and not more than there are. `passing` is told of each size on the way, and of its tree.
   */
  seal(size: number, passing: (tree: GrowingTree) => void = () => {}): Hash {
    const count = size - this.#tree.size;
    for (let i = 0; i < count; i++) {
      this.#tree.append(this.#since[i]!);
      passing(this.#tree);
    }
    this.#since = this.#since.slice(count);
    return this.#tree.root();
  }
}
