/** The reads that the use cases need: the read models, and retrieval for a question. */
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ModelReads } from '../ports/model-reads.ts';
import type { RetrievalRequest, RetrievalResult, Retrieved } from './reading/passages.ts';
import type { TypedQuestion } from './understanding/in-corpus.ts';
import type { Question } from './understanding/question.ts';

export interface Reads extends ModelReads {
  /** Interprets a question with evidence from the visible words of a scope. Fails with `cancelled` when the signal aborts. */
  understand(scope: SearchScope, typed: TypedQuestion, signal: AbortSignal): Promise<Question>;
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
