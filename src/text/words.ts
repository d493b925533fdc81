/**
 * Text analysis. Indexing, questions and all stores use the same analysis.
 *
 * A word is a run of letters, digits and "_" in text that is NFKC-normalised and lower-case, with ё replaced by е.
 * Stress marks (U+0300, U+0301), soft hyphens and zero-width spaces are removed, and look-alike letters of the wrong
 * script are replaced. If a letter of the word is unique to one language, the word is stemmed in that language,
 * otherwise in the default language of its script. The stem therefore depends only on the word, never on the detected
 * language of the text.
 *
 * This is a hot path, because projections analyse every recorded answer and every chunk. The tokeniser therefore uses a
 * table of character classes, and stems are cached in a bounded map, because a look-up there takes a quarter of the time
 * of stemming.
 */

import {
  classOf,
  grammars,
  isDefaultOfScript,
  type Language,
  languageByLetters,
  languages,
  lettersOfAll,
  scriptOf,
  scripts,
} from '../language/index.ts';
import { lookAlikes, lookAlikesBack } from './look-alikes.ts';

import { isStopWord } from './stopwords.ts';

export { isQuestionWord, isStopWord } from './stopwords.ts';

const other = 1;
const latin = 2;
const cyrillic = 3;
/** A digit, "_" or a letter of another script. */
const neutral = 4;
const bothScripts = (1 << latin) | (1 << cyrillic);
const prefixLength = 5;
const gramLength = 4;
/** Maximum length of a word. Longer runs are mostly encoded data and are truncated. */
const maxWordLength = 64;

/** The class of every UTF-16 code unit; 0 if not determined yet. */
const classes = new Uint8Array(65_536);
for (let unit = 0; unit < 128; unit++) {
  const ch = String.fromCharCode(unit);
  classes[unit] = /[a-z]/i.test(ch) ? latin : /[0-9_]/.test(ch) ? neutral : other;
}

function classify(unit: number): number {
  const ch = String.fromCharCode(unit);
  // Surrogates separate words: after NFKC, characters outside the BMP are only emoji and rare scripts.
  const letter = (unit < 0xd800 || unit > 0xdfff) && /[\p{L}\p{N}]/u.test(ch);
  const found = !letter
    ? other
    : /\p{Script=Cyrillic}/u.test(ch)
      ? cyrillic
      : /\p{Script=Latin}/u.test(ch)
        ? latin
        : neutral;
  classes[unit] = found;
  return found;
}

/** Matches text that requires NFKC normalisation; Cyrillic letters and common punctuation do not. */
const needsNormalisation =
  /[^\s -~\u00ab\u00b0\u00b1\u00b7\u00bb\u00d7\u0400-\u0481\u048a-\u04ff\u2010\u2012-\u2016\u2018-\u2023\u2026]/;
const invisible = /[\u0300\u0301\u00ad\u200b]/g;

const foldedLetters = lettersOfAll('letters.folded');
const foldable = new RegExp(classOf(foldedLetters.keys()));
const eachFoldable = new RegExp(foldable, 'g');

/**
 * Normalises text before it is split into words: NFKC, lower case, ё replaced by е, without stress marks and soft
 * hyphens. Look-alike letters are not replaced yet. Length and offsets may change.
 */
export function foldText(text: string): string {
  return foldLetters(needsNormalisation.test(text) ? text.normalize('NFKC').replace(invisible, '') : text);
}

/** Converts text to lower case and replaces ё by е; other characters are unchanged. */
export function foldLetters(text: string): string {
  const low = text.toLowerCase();
  return foldable.test(low) ? low.replace(eachFoldable, (letter) => foldedLetters.get(letter)!) : low;
}

/**
 * Converts a word that mixes scripts to a single script: to Cyrillic if every Latin letter has a Cyrillic look-alike,
 * otherwise to Latin if most letters are Latin and every Cyrillic letter has a Latin look-alike. Other words are
 * unchanged.
 */
function foldLookAlikes(word: string): string {
  let balance = 0;
  for (let i = 0; i < word.length; i++) {
    const kind = classes[word.charCodeAt(i)];
    balance += kind === latin ? 1 : kind === cyrillic ? -1 : 0;
  }
  return (
    exchange(word, latin, lookAlikes) ??
    (balance > 0 ? exchange(word, cyrillic, lookAlikesBack) : null) ??
    word
  );
}

/** Replaces all letters of a script in a word; returns null if one of them has no counterpart. */
function exchange(word: string, script: number, table: Record<string, string>): string | null {
  let made = '';
  for (const ch of word) {
    const letter = classes[ch.charCodeAt(0)] === script ? table[ch] : ch;
    if (letter === undefined) return null;
    made += letter;
  }
  return made;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
/** Thousands separators. */
const thousandsSigns = /[ \u00a0\u2009\u202f'’,]/g;
const isThousandsSign = (unit: number): boolean =>
  unit === 0x20 ||
  unit === 0xa0 ||
  unit === 0x2009 ||
  unit === 0x202f ||
  unit === 0x27 ||
  unit === 0x2019 ||
  unit === 0x2c;
/** Number of digits between two separators, and the maximum number before the first. */
const groupLength = 3;

/** Whether a character is a thousands separator in the number that begins at `start` ("7 400", "7,400,000"). */
function partsThousands(text: string, start: number, at: number): boolean {
  if (!isThousandsSign(text.charCodeAt(at))) return false;
  const first = text.charCodeAt(start);
  const before = text.charCodeAt(start - 1);
  const isFraction = (before === 0x2c || before === 0x2e) && isDigit(text.charCodeAt(start - 2));
  if (first === 48 || isFraction) return false;
  let length = 0;
  for (let n = at - 1; n >= start && isDigit(text.charCodeAt(n)); n--) length++;
  const isWhole = length === groupLength || length === at - start;
  for (let n = 1; n <= groupLength; n++) if (!isDigit(text.charCodeAt(at + n))) return false;
  const behind = text.charCodeAt(at + groupLength + 1);
  const isEnd = Number.isNaN(behind) || (classes[behind] || classify(behind)) === other;
  return isWhole && length <= groupLength && isEnd;
}

/** The words of the text in order, with repetitions. */
export function words(text: string): string[] {
  const folded = foldText(text);
  const found: string[] = [];
  let start = -1;
  let scripts = 0;
  const length = folded.length;
  for (let i = 0; i <= length; i++) {
    const unit = i < length ? folded.charCodeAt(i) : 32;
    const kind = classes[unit] || classify(unit);
    if (kind !== other) {
      if (start < 0) {
        start = i;
        scripts = 0;
      }
      scripts |= 1 << kind;
    } else if (start >= 0) {
      if (scripts === 1 << neutral && partsThousands(folded, start, i)) continue;
      const word = folded.slice(start, Math.min(i, start + maxWordLength));
      found.push(
        (scripts & bothScripts) === bothScripts
          ? foldLookAlikes(word)
          : scripts === 1 << neutral
            ? word.replace(thousandsSigns, '')
            : word,
      );
      start = -1;
    }
  }
  return found;
}

/** A fast test for words that folding does not change: lower-case letters of one script, as in most text. */
const isFolded = /^(?:[a-z]{1,64}|[а-я]{1,64})$/;
const mayBeFolded = ![...foldedLetters.keys()].some((letter) => isFolded.test(letter));

/** Folds a word as `words` does, for lists and keys that are compared with analysed text. */
export function foldWord(word: string): string {
  return mayBeFolded && isFolded.test(word) ? word : words(word).join('');
}

/** A word of a text, folded as by `foldWord`, and its UTF-16 offsets. */
export interface Token {
  word: string;
  start: number;
  end: number;
}

/** The words of a text, in order. A hyphenated word is one token. `pattern`: what counts as a word. */
export const tokensOf = (text: string, pattern = /[\p{L}\p{M}\p{N}'’-]+/gu): Token[] =>
  [...text.matchAll(pattern)].map(({ 0: written, index }) => ({
    word: foldWord(written),
    start: index,
    end: index + written.length,
  }));

/** Substrings of at least this many units share the memory of the original string (V8's SlicedString). */
const sharedUnits = 13;

/** Copies a word into its own memory, because a reference to a substring would keep the whole text in memory. */
export const detached = (word: string): string =>
  word.length < sharedUnits ? word : Buffer.from(word, 'utf16le').toString('utf16le');

/**
 * Caches the results of `make` for the words of texts, in each thread. The cache is cleared when it holds `max` results.
 */
export function cachedByWord<T extends {}>(max: number, make: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const own = detached(word);
    const made = make(own);
    if (known.size >= max) known.clear();
    known.set(own, made);
    return made;
  };
}

const defaults = new Map(
  languages
    .filter((language) => isDefaultOfScript[language])
    .map((language) => [scripts[language], grammars[language]]),
);

/** The stem of a word. Expects a word returned by `words`. A cached stem takes about 130 bytes. */
export const stem = cachedByWord(50_000, (word) => {
  const language = languageByLetters(word);
  if (language !== null) return grammars[language].stem(word);
  const script = scriptOf(word);
  return (script === null ? undefined : defaults.get(script))?.stem(word) ?? word;
});

/** For each script, the language that shares it with the default language of that script. */
const seconds = new Map(
  languages
    .filter((language) => !isDefaultOfScript[language])
    .map((language) => [scripts[language], grammars[language]]),
);

/** Whether chunks in a language are also indexed by second stems. */
export const hasSecondStems = (language: Language): boolean => !isDefaultOfScript[language];

/**
 * The second stem of a word whose letters do not determine its language. It is formed in the other language that uses
 * the same script. Null if it equals the first stem or if there is no such language.
 */
export function secondStem(word: string): string | null {
  const script = seconds.size > 0 && languageByLetters(word) === null ? scriptOf(word) : null;
  const grammar = script === null ? undefined : seconds.get(script);
  const made = grammar?.stem(word) ?? null;
  return made === stem(word) ? null : made;
}

/** The stem of a word in a known language. */
export const stemIn = (word: string, language: Language): string =>
  (hasSecondStems(language) && scriptOf(word) === scripts[language] ? secondStem(word) : null) ?? stem(word);

/** The words of a text that are not stop words, in order. */
export const contentWords = (text: string): string[] => words(text).filter((word) => !isStopWord(word));

export function stems(text: string): string[] {
  return words(text).map(stem);
}

/** The first five letters of a word, or the whole word if it is shorter. */
export function prefix(word: string): string {
  return word.length > prefixLength ? word.slice(0, prefixLength) : word;
}

/** The 4-grams of a word padded with "_" on both sides, in order. A one-letter word has a single gram. */
export function grams(word: string): string[] {
  const padded = `_${word}_`;
  if (padded.length <= gramLength) return [padded];
  const pieces: string[] = [];
  for (let i = 0; i + gramLength <= padded.length; i++) pieces.push(padded.slice(i, i + gramLength));
  return pieces;
}
