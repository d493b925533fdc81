/** What the use cases read: records and chunks of the read models, and the retrieve for a question. */

import type { Retrieved } from '../answering/reading/passages.ts';
import type { RetrievalRequest, RetrievalResult } from '../answering/reading/read.ts';
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Doc, PoisonedEvent, Query } from '../ports/read-models.ts';
import type { Wording } from '../text/language.ts';

export interface Reads {
  get(collection: string, key: string): Promise<Doc | null>;
  /** One call however many records are wanted: a list is never read record by record. */
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  poisoned(): Promise<PoisonedEvent[]>;
  /** Visible chunks of a document in order, and whether they have a vector of the embedder. */
  chunks(
    docId: number,
    limit: number,
    offset: number,
    embedder: string | null,
  ): Promise<{ items: (Passage & { embedded: boolean })[]; total: number }>;
  coverage: ChunkSearch['coverage'];
  embedders: ChunkSearch['embedders'];
  embeddedByDocument: ChunkSearch['embeddedByDocument'];
  /** What the visible words of a scope say of the language of a question; none where nothing is visible. */
  wording(scope: SearchScope, question: string): Promise<Wording | null>;
  /** Visible passages that hold all of the words, in any of their forms, the best first; at most `limit`. */
  holding(scope: SearchScope, words: string, limit: number): Promise<Passage[]>;
  /** Until the signal aborts: then Failure `cancelled`, and the thread's work on it ends. */
  retrieve(request: RetrievalRequest, signal?: AbortSignal): Promise<RetrievalResult>;
  /** As `retrieve`: the passages alone that it would look for; by another query than the question where one is given. */
  candidates(
    request: RetrievalRequest,
    query: string | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Retrieved>;
}
