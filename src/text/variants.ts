/**
 * Alternative spellings of a word: as typed in another keyboard layout, or, for a name, in another script. The words in
 * the index determine which spelling is meant.
 */
import { languages, lettersOf, lettersOfAll, textOf } from '../language/index.ts';

const typed = languages
  .map((language) => ({
    keys: textOf(language, 'typing.keyboard.keys'),
    letters: textOf(language, 'typing.keyboard.letters'),
    shifted: lettersOf(language, 'typing.keyboard.shifted'),
  }))
  .filter(({ keys }) => keys !== '');
/** For each language, the keys of the English layout mapped to the letters of that language's layout. */
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
 * Returns what the same keys produce in other layouts, likeliest first: in the layouts of the other scripts for Latin
 * letters, otherwise in the English layout. Expects a token without spaces. The result may contain several words and
 * punctuation, because "," is a letter in some layouts. It is empty if the token contains no letter.
 */
export function otherLayouts(text: string): string[] {
  const low = text.toLowerCase();
  if ([...low].some((letter) => toKeys.has(letter) && !/[!-~]/.test(letter))) return [convert(text, toKeys)];
  if (!/[a-z]/.test(low)) return [];
  return [...new Set(layouts.map((layout) => convert(text, layout)))];
}

const sounds = lettersOfAll('typing.sounds');

/**
 * Returns a key that is the same for a name in either script. Cyrillic letters are converted by sound; then kh becomes
 * h, y and j become i, w becomes v, ph becomes f, ck, q and c (except before h) become k, x becomes ks, shch becomes
 * sh, ng becomes n, and double letters become single.
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
