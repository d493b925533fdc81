/** What the use cases read: the read models, and the retrieval for a question. */
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ModelReads } from '../ports/model-reads.ts';
import type { Wording } from '../text/language.ts';
import type { Retrieved } from './reading/passages.ts';
import type { RetrievalRequest, RetrievalResult } from './reading/read.ts';

export interface Reads extends ModelReads {
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
