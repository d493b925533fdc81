/** Writes an answer from the findings, instead of composing quotations. */
import type { Findings } from './kinds/kind.ts';
import type { AnswerContext } from './writing/context.ts';
import type { AnswerPart } from './writing/parts.ts';

export interface Answerer {
  /** Identifies everything except the input that affects the answers. It is part of the cache key. Default: nothing. */
  identity?(): Promise<string>;
  /**
   * Answers from findings without a prescribed answer, or states that they contain no answer. Rejects with Failure if
   * the model fails. The signal stops the work.
   */
  answer(context: AnswerContext, findings: Findings, signal: AbortSignal): AsyncIterable<AnswerPart>;
}
