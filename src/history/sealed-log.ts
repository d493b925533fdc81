/** Follows a history for the sealer: maintains its Merkle tree, and checks that it still matches the checkpoints. */
import { storedPages } from '../event-sourcing/stored-pages.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { readCheckpoint } from './checkpoint.ts';
import { eventLeaf } from './event-leaf.ts';
import { sealingEvent } from './sealing-events.ts';
import { TreeSinceSeal } from './tree-since-seal.ts';

export interface TreeHead {
  /** Number of events, and the root of their tree in base64. */
  size: number;
  root: string;
  /** Whether there are events since the last checkpoint other than those written by sealing itself. */
  unsealed: boolean;
  /** The last checkpoint as appended; null if there is none. */
  checkpoint: string | null;
  /** The size of the first checkpoint that does not match the events; null if all match. */
  broken: number | null;
  /**
   * Whether the log ends before events that were read earlier, because it was truncated or is read from a lagging node.
   */
  cut: boolean;
}

export class SealedLog {
  readonly #log: Pick<EventLog, 'readStored' | 'head'>;
  readonly #tree = new TreeSinceSeal();
  #after: Position | null = null;
  /** Number of events up to the last one that was not written by sealing itself. */
  #lastOfOthers = 0;
  #checkpoint: string | null = null;
  #broken: number | null = null;

  constructor(log: Pick<EventLog, 'readStored' | 'head'>) {
    this.#log = log;
  }

  /**
   * Reads new events and returns the current tree head. Rejects if the log fails; the next call resumes where this one
   * stopped.
   */
  async head(signal?: AbortSignal): Promise<TreeHead> {
    const end = await this.#log.head();
    if ((end ?? '') < (this.#after ?? '')) return this.#headNow(true);
    for await (const events of storedPages(this.#log, { after: this.#after, signal })) {
      for (const event of events) {
        this.#tree.add(eventLeaf(event));
        const sealing = sealingEvent(event);
        if (sealing === null) this.#lastOfOthers = this.#tree.size;
        if (sealing?.type === 'HistorySealed') this.#seal(sealing.data.checkpoint);
      }
      this.#after = events.at(-1)!.position;
    }
    return this.#headNow(false);
  }

  #headNow(cut: boolean): TreeHead {
    return {
      size: this.#tree.size,
      root: this.#tree.root().toString('base64'),
      unsealed: this.#lastOfOthers > this.#tree.sealed,
      checkpoint: this.#checkpoint,
      broken: this.#broken,
      cut,
    };
  }

  #seal(text: string): void {
    const checkpoint = readCheckpoint(text);
    const { sealed, size } = this.#tree;
    const sound = checkpoint !== null && checkpoint.size >= sealed && checkpoint.size < size;
    const same = sound && this.#tree.seal(checkpoint.size).equals(checkpoint.root);
    if (!same) this.#broken ??= checkpoint?.size ?? size;
    this.#checkpoint = text;
  }
}
