/** Reading read models, whatever the store. */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { PoisonedEvent, Records } from '../ports/read-models.ts';

/** The search index over chunks. */
export interface IndexReader {
  /** Events that were set aside while it was built. */
  poisoned(): Promise<PoisonedEvent[]>;
  /** The live build. Failure `unavailable` while there is none, or not all of it. */
  liveIndex(): Promise<string>;
  openIndex(build: string): ChunkSearch;
  /** Does `work` over one state of the index, where it is in a file; elsewhere that of each reading. */
  inOneState<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ReadSide extends Records, IndexReader {}
