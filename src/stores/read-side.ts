/** Read access to read models, independent of the store. */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { Records } from '../ports/read-models.ts';

/** The search index over chunks. */
export interface IndexReader {
  /** The live build. Failure `unavailable` while there is none or it is incomplete. */
  liveIndex(): Promise<string>;
  openIndex(build: string): ChunkSearch;
  /** Runs `work` over one snapshot of the index if it is in a file; otherwise each read sees the latest state. */
  inOneState<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ReadSide extends Records, IndexReader {}
