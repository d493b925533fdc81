/** Reads the read models: records, and lists of chunks. */
import type { ChunkSearch, Passage } from './chunk-search.ts';
import type { Records } from './read-models.ts';

export interface ReadModelReads extends Records {
  /** Visible chunks of a document in order, and whether they have a vector from the embedder. */
  chunks(
    docId: number,
    limit: number,
    offset: number,
    embedder: string | null,
  ): Promise<{ items: (Passage & { embedded: boolean })[]; total: number }>;
  coverage: ChunkSearch['coverage'];
  embedders: ChunkSearch['embedders'];
  embeddedByDocument: ChunkSearch['embeddedByDocument'];
}
