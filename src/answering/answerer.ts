/** Who writes an answer from what was found, where it is not composed of quotations. */
import type { Findings } from './kinds/kind.ts';
import type { AnswerContext } from './writing/context.ts';
import type { AnswerPart } from './writing/parts.ts';

export interface Answerer {
  /** What its answers depend on besides what it is given: an answer of another making is another answer. Default: nothing. */
  identity?(): Promise<string>;
  /**
   * Answers from findings that name no provision by number, or says that they hold no answer. Rejects with a Failure
   * of its model; the signal ends its work.
   */
  answer(context: AnswerContext, findings: Findings, signal: AbortSignal): AsyncIterable<AnswerPart>;
}
