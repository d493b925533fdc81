/** Whether an answer has a second sentence. */

import { isStopWord, stem, words as wordsOf } from '../../../text/words.ts';
import { covers } from '../../reading/matching.ts';
import type { Chosen, Quotable } from '../../writing/sentences.ts';

/**
 * A second sentence is quoted where it may be the answer as well as the first, and says something else. With so much
 * below it, it hardly ever is: the first one alone is right in nine answers of ten, and in two of three nearer to it.
 */
export const secondMargin = 0.45;
/** After so many words nothing more is quoted unless more was asked for. */
export const wordsEnough = 45;
const newWords = 0.5;

/** The sentence that may be the answer as well as one that is quoted. `sentences`: best first. */
export function alternative(
  quoted: Chosen,
  sentences: readonly Chosen[],
  margin: number,
): Chosen | undefined {
  const text = textOf(quoted);
  if (wordsOf(text).length > wordsEnough) return undefined;
  return sentences.find(
    (one) =>
      one.score >= quoted.score - margin &&
      !overlaps(one, quoted) &&
      !isOfAnother(one, quoted) &&
      addsTo(text, textOf(one)),
  );
}

/**
 * Whether a sentence tells of another thing than the one that is quoted: it lacks the number asked about, or is a row
 * whose values have less of the question.
 */
export const isOfAnother = (one: Chosen, quoted: Chosen): boolean =>
  (one.lacksNumber === true && quoted.lacksNumber !== true) ||
  (one.row !== undefined && quoted.row !== undefined && one.own < quoted.own);

export const textOf = ({ hit, start, end }: Quotable): string => hit.text.slice(start, end);

export const overlaps = (one: Quotable, other: Quotable): boolean =>
  one.hit.id === other.hit.id && one.start < other.end && other.start < one.end;

/** Whether a text says something that has not been said. */
export function addsTo(said: string, text: string): boolean {
  const known = wordsOf(said).map(stem);
  const content = wordsOf(text).filter((word) => !isStopWord(word));
  const fresh = content.filter((word) => !known.some((one) => covers(stem(word), one)));
  return fresh.length >= newWords * content.length;
}
