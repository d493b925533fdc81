/**
 * Splits text into words, numbers and signs for parsing references. Numbers may be in digits ("42", "42.2", "42-1",
 * "42-й", "23а", "6¹"), in Roman capitals or in words ("двадцать третья"). Dashes of every kind become hyphens. A word
 * that mixes scripts is converted to one script.
 */

import {
  anyOf,
  formsOf,
  isSo,
  joined,
  type Language,
  languageByLetters,
  listOf,
  ofEach,
  rowsOfAll,
  tableOfAll,
  type UnitRow,
  wordsOfAll,
} from '../../language/index.ts';
import { lookAlikes } from '../look-alikes.ts';
import { speltNumbers } from '../number-words.ts';
import { foldLetters } from '../words.ts';
import { type UnitForm, unitOf } from './units.ts';

export interface ReferenceToken {
  kind: 'word' | 'number' | 'sign';
  text: string;
  /** UTF-16 offsets. */
  start: number;
  end: number;
  unit: UnitForm | null;
  /** For a number: its value, and whether it is an ordinal ("42-й", "5th", "первая"). */
  value: string | null;
  ordinal: boolean;
  /** Whether an unclosed round bracket precedes it. */
  bracketed: boolean;
}

const ordinals = anyOf(...listOf(joined('numbers.ordinalSuffixes')));
/** The first parts of hyphenated units, including the hyphen: "sub-". */
const prefixes = new Set(
  rowsOfAll<UnitRow>('provisions.units')
    .flatMap(([, forms]) => formsOf(forms))
    .flatMap((form) => (form.includes('-') ? [`${form.slice(0, form.indexOf('-'))}-`] : [])),
);
const pieces = new RegExp(
  `(?<!\\p{N})(?<number>\\d{1,4}(?:\\.\\d{1,3}){0,3}(?:-\\d{1,2}(?!\\d)|[¹²³⁰⁴-⁹]{1,2})?(?!\\p{N}))(?<suffix>-?${ordinals}(?!\\p{L}))?(?<tail>\\p{L}+)?` +
    `|(?<word>${anyOf(...prefixes)}?\\p{L}+|§+|№)|(?<sign>[^\\s\\p{L}])`,
  'giu',
);
const dashes = /[\u2010-\u2015\u2212]/g;
/** Suffixes of an inserted provision's number: "23а", "23bis". */
export const insertion = /^(?:\p{L}|bis|ter|quater|quinquies)$/u;
export const roman = /^(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;

/** Suffixes of a year: "1995г". */
const years = tableOfAll('calendar.years');

/** The word in lower case; in Cyrillic if it contains letters of both scripts. */
function folded(word: string): string {
  const low = word.toLowerCase();
  return /\p{Script=Cyrillic}/u.test(low) && /[a-z]/.test(low)
    ? [...low].map((sign) => lookAlikes[sign] ?? sign).join('')
    : low;
}

/** Properties of a word that do not depend on its context. */
function readWord(written: string): Pick<ReferenceToken, 'text' | 'unit' | 'value'> {
  const text = folded(written);
  const value = roman.test(text) && written === written.toUpperCase() ? String(fromRoman(text)) : null;
  return { text, unit: unitOf(text), value };
}

export function tokens(text: string): ReferenceToken[] {
  const out: ReferenceToken[] = [];
  const known = new Map<string, Pick<ReferenceToken, 'text' | 'unit' | 'value'>>();
  const word = (written: string, start: number) => {
    const facts = known.get(written) ?? readWord(written);
    known.set(written, facts);
    const end = start + written.length;
    out.push({ kind: 'word', ...facts, start, end, ordinal: false, bracketed: false });
  };
  for (const found of text.replace(dashes, '-').matchAll(pieces)) {
    const start = found.index;
    const { number, suffix = '', tail = '', word: written } = found.groups ?? {};
    if (number !== undefined) {
      const end = start + number.length + suffix.length;
      const low = folded(tail);
      const token: ReferenceToken = {
        kind: 'number',
        text: text.slice(start, end),
        start,
        end,
        unit: null,
        value: number.replace(/[¹²³⁰⁴-⁹]+/, (raised) => `-${raised.normalize('NFKC')}`),
        ordinal: suffix !== '',
        bracketed: false,
      };
      if (tail === '') out.push(token);
      // "ст.23ч.2", "23бап": a unit follows the number without a space.
      else if (unitOf(low)) {
        out.push(token);
        word(tail, end);
      } else if (insertion.test(low) && !(number.length === 4 && years.has(low))) {
        out.push({
          ...token,
          text: text.slice(start, end + tail.length),
          end: end + tail.length,
          value: `${token.value}${low}`,
        });
      } else out.push({ ...token, kind: 'sign', end: end + tail.length, value: null });
    } else if (written !== undefined) word(written, start);
    else {
      const end = start + found[0].length;
      out.push({
        kind: 'sign',
        text: found[0],
        start,
        end,
        unit: null,
        value: null,
        ordinal: false,
        bracketed: false,
      });
    }
  }
  let open = 0;
  for (const token of out) {
    token.bracketed = open > 0;
    if (token.text === '(') open++;
    else if (token.text === ')' && open > 0) open--;
  }
  return spelt(out, languageOf(text, out));
}

const numbersInOwnTexts = ofEach((language) => isSo(language, 'numbers.inOwnTexts'));

/** The language in which ambiguous number words are read, determined by letters or by unit words. */
function languageOf(text: string, list: readonly ReferenceToken[]): Language | null {
  const byUnit = list.find(({ unit }) => unit?.language && numbersInOwnTexts[unit.language]);
  return languageByLetters(text) ?? byUnit?.unit?.language ?? null;
}

/** Forms of "one" that only mean "a" or "some": "в одной статье", "бір бап". */
const indefinite = wordsOfAll('numbers.indefinite');

/**
 * Merges each spelt-out number, such as "двадцать третья" or "twenty-three", into one token.
 */
function spelt(list: readonly ReferenceToken[], language: Language | null): ReferenceToken[] {
  const joined = list.filter(
    ({ text, start, end }, n) =>
      text !== '-' ||
      list[n - 1]?.kind !== 'word' ||
      list[n + 1]?.kind !== 'word' ||
      list[n - 1]!.end !== start ||
      list[n + 1]!.start !== end,
  );
  const found = new Map(
    speltNumbers(
      joined.map(({ kind, text, unit }) => (kind === 'word' && !unit ? foldLetters(text) : '')),
      language,
    ).map((one) => [one.at, one]),
  );
  if (found.size === 0) return [...list];
  const out: ReferenceToken[] = [];
  for (let at = 0; at < joined.length; at++) {
    const first = joined[at]!;
    const number = found.get(at);
    if (!number || (number.length === 1 && indefinite.has(first.text))) {
      out.push(first);
      continue;
    }
    at += number.length - 1;
    const last = joined[at]!;
    const text = joined
      .slice(at - number.length + 1, at + 1)
      .map((one) => one.text)
      .join(' ');
    const value = number.value.replace('.', '');
    out.push({ ...first, text, end: last.end, value, ordinal: number.value.endsWith('.') });
  }
  return out;
}

function fromRoman(word: string): number {
  const worth: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  let sum = 0;
  for (let n = 0; n < word.length; n++) {
    const here = worth[word[n]!]!;
    sum += here < (worth[word[n + 1] ?? ''] ?? 0) ? -here : here;
  }
  return sum;
}
