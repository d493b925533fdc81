/** Corrects a question typed in the wrong keyboard layout, using the words in the documents. */
import { repairLayout } from '../text/language.ts';
import { otherLayouts } from '../text/variants.ts';
import { isStopWord, words } from '../text/words.ts';

/** Minimum length of a word that shows the layout; shorter words may match by chance. */
const sureLetters = 4;

/** The words that each whitespace-separated token of the text contains in other keyboard layouts. */
export const wordsInOtherLayouts = (typed: string): string[] =>
  typed.split(/\s+/).flatMap((stretch) => otherLayouts(stretch).flatMap(words));

/**
 * Converts a whitespace-separated token to another keyboard layout if the documents contain none of its words as typed
 * and all of its words after conversion. If one token is converted, all other unknown tokens are converted too.
 * `knows`: whether the documents contain a word.
 */
export function inKnownLayout(typed: string, knows: (word: string) => boolean): string {
  const known = (word: string) => isStopWord(word) || knows(word);
  const unknown = (stretch: string) => words(stretch).length > 0 && !words(stretch).some(known);
  const certain = typed.replace(/\S+/g, (stretch) => {
    const found = otherLayouts(stretch).find((other) => {
      const list = words(other);
      return list.every(known) && list.some((word) => word.length >= sureLetters);
    });
    return found !== undefined && unknown(stretch) ? found : stretch;
  });
  if (certain === typed) return typed;
  return certain.replace(/\S+/g, (stretch) =>
    unknown(stretch) ? (otherLayouts(stretch)[0] ?? stretch) : stretch,
  );
}

/**
 * Returns the question in the intended keyboard layout. If only its letters suggest another layout ("vltp eligibility",
 * "sdk vs api"), the question is not converted unless the documents contain more of its words after conversion.
 */
export function asMeant(typed: string, knows: (word: string) => boolean): string {
  const guess = repairLayout(typed);
  const known = (text: string) => words(text).filter((word) => isStopWord(word) || knows(word)).length;
  const isTurned = guess !== typed && otherLayouts(typed).includes(guess);
  return guess === typed || (isTurned && known(typed) > 0 && known(typed) >= known(guess))
    ? inKnownLayout(typed, knows)
    : guess;
}
