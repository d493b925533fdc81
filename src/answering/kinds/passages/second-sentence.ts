/** Decides whether an answer contains a second sentence. */

import { covers } from '../../../reading/matching.ts';
import { contentWords, stem, words as wordsOf } from '../../../text/words.ts';
import type { Quotable } from '../../writing/sentences.ts';

/**
 * Maximum score difference between the first sentence and a second one. If the difference is larger, the first sentence
 * alone is the right answer in nine out of ten cases; otherwise, in two out of three.
 */
export const secondMargin = 0.45;
/** If an answer is longer than this number of words, nothing is added unless the question asks for more. */
export const wordsEnough = 45;
const newWords = 0.5;

export const textOf = ({ hit, start, end }: Quotable): string => hit.text.slice(start, end);

export const overlaps = (one: Quotable, other: Quotable): boolean =>
  one.hit.id === other.hit.id && one.start < other.end && other.start < one.end;

/** Whether at least half of the content words in `text` are new. */
export function addsTo(said: string, text: string): boolean {
  const known = wordsOf(said).map(stem);
  const content = contentWords(text);
  const fresh = content.filter((word) => !known.some((one) => covers(stem(word), one)));
  return fresh.length >= newWords * content.length;
}
