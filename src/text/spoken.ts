/**
 * A word as it is heard: words that are written differently and sound alike have one form. The packs say how letters
 * sound (`typing.heard`); a word is read by the rules of all packs of its script, since it may be a word of any.
 *
 * It tells the sound of a word less exactly than a speaker would (stress is not known, so every vowel is read as an
 * unstressed one), which is what is wanted: those who spell by ear mistake these very letters.
 */
import { byScript } from './languages/index.ts';

interface Reader {
  /** Every group of it is the pattern of one rule. */
  rules: RegExp;
  sounds: readonly string[];
}

const readerOf = byScript((packs): Reader => {
  const heard = packs.flatMap((pack) => pack.typing.heard);
  return {
    rules: new RegExp(heard.map(([pattern]) => `(${pattern})`).join('|') || '(?!)', 'gu'),
    sounds: heard.map(([, sound]) => sound),
  };
});

/** How a folded word of one script sounds, a letter for each sound; adjacent equal sounds are one. Letters no rule names stay. */
export function spokenAs(word: string): string {
  const reader = readerOf(word);
  if (reader === undefined) return word;
  const { rules, sounds } = reader;
  return word.replace(rules, (...found) => sounds[found.indexOf(found[0], 1) - 1]!).replace(/(.)\1+/gu, '$1');
}
