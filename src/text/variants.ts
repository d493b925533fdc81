/**
 * Other ways in which a word may have been typed: in another keyboard layout, or a name in another script. The known
 * words of the index decide which one is meant.
 */
import { languages, lettersOf, lettersOfAll, textOf } from './languages/index.ts';

const typed = languages
  .map((language) => ({
    keys: textOf(language, 'typing.keyboard.keys'),
    letters: textOf(language, 'typing.keyboard.letters'),
    shifted: lettersOf(language, 'typing.keyboard.shifted'),
  }))
  .filter(({ keys }) => keys !== '');
/** Keys of the English layout mapped to the letters of each language's layout. */
const layouts = typed.map(({ keys, letters, shifted }) => {
  const map = new Map(shifted);
  for (const [n, key] of [...keys].entries()) map.set(key, letters[n]!);
  return map;
});
const toKeys = new Map<string, string>();
for (const { keys, letters } of typed)
  for (const [n, letter] of [...letters].entries()) toKeys.set(letter, keys[n]!);

const convert = (text: string, keys: ReadonlyMap<string, string>): string => {
  let made = '';
  for (const ch of text.toLowerCase()) made += keys.get(ch) ?? ch;
  return made;
};

/**
 * The same keys as a token without spaces in other layouts, likeliest first: for Latin letters the layouts of the other
 * scripts, otherwise the English one. The result may contain other words and punctuation, because "," is a letter in
 * some layouts. Text without a letter has no other layout.
 */
export function otherLayouts(text: string): string[] {
  const low = text.toLowerCase();
  if ([...low].some((letter) => toKeys.has(letter) && !/[!-~]/.test(letter))) return [convert(text, toKeys)];
  if (!/[a-z]/.test(low)) return [];
  return [...new Set(layouts.map((layout) => convert(text, layout)))];
}

const sounds = lettersOfAll('typing.sounds');

/**
 * A key that is the same for a name in either script: Cyrillic letters by sound, then kh as h, y and j as i, w as v, ph
 * as f, ck and c (not before h) as k, q as k, x as ks, shch as sh, ng as n, double letters once.
 */
export function soundKey(word: string): string {
  let key = '';
  for (const ch of word) key += sounds.get(ch) ?? ch;
  return key
    .replace(/shch|sch/g, 'sh')
    .replace(/kh/g, 'h')
    .replace(/ph/g, 'f')
    .replace(/ck/g, 'k')
    .replace(/c(?!h)/g, 'k')
    .replace(/q/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/[yj]/g, 'i')
    .replace(/(.)\1+/g, '$1');
}
