/** Whether a follow-up question asks for something else in the same sentence. */

import type { AnswerKind } from '../../text/languages/index.ts';
import { foldLetters } from '../../text/words.ts';
import { kindsAskedFor } from '../reading/answer-kinds.ts';

/** Kinds of answer that one sentence may combine: who is appointed by whom, when and for how long. */
const together: readonly AnswerKind[] = ['date', 'duration', 'frequency', 'age', 'number', 'money', 'person'];

/** Whether a question asks for such a kind and the previous one ("" for none) did not. */
export function asksAnew(question: string, before: string): boolean {
  const known = kindsAskedFor(foldLetters(before).trim());
  return kindsAskedFor(foldLetters(question).trim()).some(
    (kind) => together.includes(kind) && !known.includes(kind),
  );
}
