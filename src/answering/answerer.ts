/** Writes an answer from the findings, as an alternative to composing quotations. */
import type { Findings } from './kinds/kind.ts';
import type { AnswerContext } from './writing/context.ts';
import type { AnswerPart } from './writing/parts.ts';

export interface Answerer {
  /** Everything besides the input that the answers depend on; part of the cache key. Default: nothing. */
  identity?(): Promise<string>;
  /**
   * Answers from findings that name no provision by number, or states that they contain no answer. Rejects with a
   * Failure of its model. The signal stops the work.
   */
  answer(context: AnswerContext, findings: Findings, signal: AbortSignal): AsyncIterable<AnswerPart>;
}
