/** The reads that the use cases need: the read models, and retrieval for a question. */
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ModelReads } from '../ports/model-reads.ts';
import type { Wording } from '../text/language.ts';
import type { RetrievalRequest, RetrievalResult, Retrieved } from './reading/passages.ts';

export interface Reads extends ModelReads {
  /** Evidence about the language of a question from the visible words of a scope; null if nothing is visible. */
  wording(scope: SearchScope, question: string): Promise<Wording | null>;
  /** Visible passages that contain all of the words in any form, best first; at most `limit`. */
  holding(scope: SearchScope, words: string, limit: number): Promise<Passage[]>;
  /** Fails with `cancelled` when the signal aborts. The thread then stops its work. */
  retrieve(request: RetrievalRequest, signal?: AbortSignal): Promise<RetrievalResult>;
  /** Only the passages that `retrieve` would find; for another query than the question if one is given. */
  candidates(
    request: RetrievalRequest,
    query: string | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Retrieved>;
}
