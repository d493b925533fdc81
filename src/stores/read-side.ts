/** Reading read models, whatever the store. */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { Doc, PoisonedEvent, Query } from '../ports/read-models.ts';

export interface ReadSide {
  get(collection: string, key: string): Promise<Doc | null>;
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  poisoned(): Promise<PoisonedEvent[]>;
  /** The live build of the search index. Failure `unavailable` while there is none, or not all of it. */
  liveIndex(): Promise<string>;
  openIndex(build: string): ChunkSearch;
  close(): Promise<void>;
}
