/** Whether a question that goes on from another asks for something else of the same sentence. */

import type { AnswerKind } from '../../text/languages/index.ts';
import { foldLetters } from '../../text/words.ts';
import { kindsAskedFor } from '../reading/answer-kinds.ts';

/** Kinds of answers of which one sentence may hold several: who is appointed by whom, when and for how long. */
const together: readonly AnswerKind[] = ['date', 'duration', 'frequency', 'age', 'number', 'money', 'person'];

/** Whether a question asks for such a kind, and the one before it ("" for none) did not. */
export function asksAnew(question: string, before: string): boolean {
  const known = kindsAskedFor(foldLetters(before).trim());
  return kindsAskedFor(foldLetters(question).trim()).some(
    (kind) => together.includes(kind) && !known.includes(kind),
  );
}
