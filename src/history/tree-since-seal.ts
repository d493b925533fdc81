/**
 * The Merkle tree of a history that is read in order and sealed periodically. A checkpoint may not cover all events
 * before it, so the leaves since the last checkpoint are kept.
 */
import { GrowingTree, type Hash } from './merkle.ts';

export class TreeSinceSeal {
  /** The tree up to the last checkpoint. */
  readonly #tree = new GrowingTree();
  #since: Hash[] = [];

  /** Number of events. */
  get size(): number {
    return this.#tree.size + this.#since.length;
  }

  /** Number of events up to the last checkpoint. */
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
   * Returns the root of the first `size` events and marks them as sealed; `size` must be between the number of sealed
   * events and the total. `passing` is called with the tree at each size in between.
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
