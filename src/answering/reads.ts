/** The reads that use cases need: from read models, and retrieval for questions. */
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { Question, TypedQuestion } from '../question/question.ts';
import type { RetrievalRequest, RetrievalResult, Retrieved } from '../reading/passages.ts';
import type { Holding } from '../search/passages-holding.ts';

export interface Reads extends ReadModelReads {
  /**
   * Interprets a question with evidence from the visible text in a scope. Rejects with Failure `cancelled` on abort.
   */
  understand(scope: SearchScope, typed: TypedQuestion, signal: AbortSignal): Promise<Question>;
  /** Returns at most `limit` visible passages that contain all the words in any form, best first. */
  holding(scope: SearchScope, words: string, limit: number): Promise<Holding<Passage>>;
  /** Rejects with Failure `cancelled` if the signal is aborted. The thread then stops its work. */
  retrieve(request: RetrievalRequest, signal?: AbortSignal): Promise<RetrievalResult>;
  /** Returns only the passages that `retrieve` would find, or those for another query if one is given. */
  candidates(
    request: RetrievalRequest,
    query: string | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Retrieved>;
}
