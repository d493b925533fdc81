/**
 * A word as it is heard: words that are written differently and sound alike have one form. The packs say how letters
 * sound (`typing.heard`); a word is read by the rules of all packs of its script, since it may be a word of any.
 *
 * It tells the sound of a word less exactly than a speaker would (stress is not known, so every vowel is read as an
 * unstressed one), which is what is wanted: those who spell by ear mistake these very letters.
 *
 * Whole vocabularies are read, so single letters, most of all rules, are looked up without an expression.
 */
import { byScript } from './languages/index.ts';

interface Reader {
  /** Groups of letters and letters in their places; each rule is a group of the expression. */
  groups: RegExp;
  sounds: readonly string[];
  letters: ReadonlyMap<string, string>;
}

/** Sounds of groups are not read once more as letters: until the end they stand in the private use area. */
const apart = 0xe000;
const setApart = (sound: string) =>
  String.fromCharCode(...[...sound].map((letter) => letter.charCodeAt(0) + apart));

const readerOf = byScript((packs): Reader => {
  const heard = packs.flatMap((pack) => pack.typing.heard);
  const isLetter = ([pattern]: readonly [string, string]) => /^(?:\p{L}|\[\p{L}+\])$/u.test(pattern);
  const groups = heard.filter((rule) => !isLetter(rule));
  return {
    groups: new RegExp(groups.map(([pattern]) => `(${pattern})`).join('|') || '(?!)', 'gu'),
    sounds: groups.map(([, sound]) => setApart(sound)),
    letters: new Map(
      heard
        .filter(isLetter)
        .flatMap(([pattern, sound]) => (pattern.match(/\p{L}/gu) ?? []).map((letter) => [letter, sound])),
    ),
  };
});

/** How a folded word of one script sounds, a letter for each sound; adjacent equal sounds are one. Letters no rule names stay. */
export function spokenAs(word: string): string {
  const reader = readerOf(word);
  if (reader === undefined) return word;
  const { groups, sounds, letters } = reader;
  const read = word.replace(groups, (...found) => sounds[found.indexOf(found[0], 1) - 1]!);
  let spoken = '';
  let last = '';
  for (let n = 0; n < read.length; n++) {
    const unit = read.charCodeAt(n);
    const sound = unit >= apart ? String.fromCharCode(unit - apart) : (letters.get(read[n]!) ?? read[n]!);
    if (sound !== '' && sound !== last) {
      spoken += sound;
      last = sound;
    }
  }
  return spoken;
}
