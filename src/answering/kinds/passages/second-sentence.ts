/** Decides whether an answer gets a second sentence. */

import { isStopWord, stem, words as wordsOf } from '../../../text/words.ts';
import { covers } from '../../reading/matching.ts';
import type { Chosen, Quotable } from '../../writing/sentences.ts';

/**
 * Maximum score distance of a second sentence that adds information. A more distant one is hardly ever an answer: the
 * first sentence alone is then right in nine of ten cases. Within this distance, it is right in two of three.
 */
export const secondMargin = 0.45;
/** After this many words, nothing more is quoted unless more was asked for. */
export const wordsEnough = 45;
const newWords = 0.5;

/** A sentence that may be the answer just as well as the quoted one. `sentences`: best first. */
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
 * Whether a sentence has a different subject from the quoted one: it lacks the number asked about, or is a row with
 * fewer matching values.
 */
export const isOfAnother = (one: Chosen, quoted: Chosen): boolean =>
  (one.lacksNumber === true && quoted.lacksNumber !== true) ||
  (one.row !== undefined && quoted.row !== undefined && one.own < quoted.own);

export const textOf = ({ hit, start, end }: Quotable): string => hit.text.slice(start, end);

export const overlaps = (one: Quotable, other: Quotable): boolean =>
  one.hit.id === other.hit.id && one.start < other.end && other.start < one.end;

/** Whether a text adds new information. */
export function addsTo(said: string, text: string): boolean {
  const known = wordsOf(said).map(stem);
  const content = wordsOf(text).filter((word) => !isStopWord(word));
  const fresh = content.filter((word) => !known.some((one) => covers(stem(word), one)));
  return fresh.length >= newWords * content.length;
}
