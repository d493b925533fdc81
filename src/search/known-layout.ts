/** A question typed in another keyboard layout, told by the words the documents know. */
import { repairLayout } from '../text/language.ts';
import { otherLayouts } from '../text/variants.ts';
import { isStopWord, words } from '../text/words.ts';

/** Shorter words are too easily words of another layout by chance. */
const sureLetters = 4;

/** The words that stretches of a text give in other layouts. */
export const wordsInOtherLayouts = (typed: string): string[] =>
  typed.split(/\s+/).flatMap((stretch) => otherLayouts(stretch).flatMap(words));

/**
 * The question with those stretches typed anew in another keyboard layout whose words nobody knows as they stand, and
 * the documents know then. Where one has shown the layout, all others that are unknown follow it. `knows`: whether the
 * documents know a word.
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
 * The question as its writer meant it. What looks like another layout by its letters alone ("vltp eligibility", "sdk vs
 * api") stays as it was typed where as many of its words are known so.
 */
export function asMeant(typed: string, knows: (word: string) => boolean): string {
  const guess = repairLayout(typed);
  const known = (text: string) => words(text).filter((word) => isStopWord(word) || knows(word)).length;
  const isTurned = guess !== typed && otherLayouts(typed).includes(guess);
  return guess === typed || (isTurned && known(typed) > 0 && known(typed) >= known(guess))
    ? inKnownLayout(typed, knows)
    : guess;
}
