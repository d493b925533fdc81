/** Read access to the builds of the search index, independent of the store. */
import type { ChunkSearch } from '../ports/chunk-search.ts';

export interface IndexReader {
  /** The live build. Fails with `unavailable` while it does not exist or is incomplete. */
  liveIndex(): Promise<string>;
  openIndex(build: string): ChunkSearch;
  /** Runs `work` over a single snapshot if the index is in a file. Otherwise each read sees the latest state. */
  inOneState<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
