/**
 * Recognises equal numbers in different notations: "7,400", "7 400", "7400", "7.4 thousand" and "seven thousand four
 * hundred" are the same number, as are "5th", "5-й" and "fifth". Numbers in questions, documents and answers are
 * compared by their keys.
 *
 * Some languages use commas as thousands separators and points as decimal separators; in others, it is the other way
 * round.
 */
import type { Span } from '../domain/span.ts';
import {
  type Language,
  languages,
  type MultiplierRow,
  ofEach,
  rowsOf,
  setOf,
  textOf,
  WordTable,
} from '../language/index.ts';
import { isNumberWord, speltNumbers } from './number-words.ts';
import { parseDates } from './periods.ts';
import { foldWord } from './words.ts';

/** A number in text; UTF-16 offsets. */
export interface NamedNumber extends Span {
  written: string;
  /** The possible values in plain figures, and the figures as written. Numbers with a common key may be equal. */
  keys: readonly string[];
  /** The keys without the multiplier word, which may be in the header of a table instead. */
  bare: readonly string[];
  isSpelt: boolean;
}

interface NumberToken extends Span {
  /** Figures without spaces and apostrophes between thousands, or a folded word. */
  text: string;
  isFigures: boolean;
}

const blank = "[ \\u00a0\\u2009\\u202f'’]";
/** Matches words and figures, including figures with separators: spaces, apostrophes, commas and points. */
const token = new RegExp(
  `(?<figures>(?<![\\p{L}\\d_]|\\d[.,])(?:[1-9]\\d{0,2}(?:${blank}\\d{3}(?!\\d))+(?!${blank}\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*))|[\\p{L}\\p{M}]+`,
  'gu',
);
const blanks = new RegExp(blank, 'gu');

const tokensOf = (text: string): NumberToken[] =>
  [...text.matchAll(token)].map(({ 0: found, index, groups }) => ({
    text: groups?.figures === undefined ? foldWord(found) : found.replace(blanks, ''),
    isFigures: groups?.figures !== undefined,
    start: index,
    end: index + found.length,
  }));

const multipliers = ofEach((lang) => {
  const table = new WordTable<number>();
  for (const [value, forms] of rowsOf<MultiplierRow>(lang, 'entities.multipliers'))
    table.add(forms, Number(value));
  return table;
});
/** Words that join the parts of a number, as in "one hundred and five". */
const joining = ofEach((lang) => setOf(textOf(lang, 'entities.numberJoins')));
const thousands = ofEach((lang) => textOf(lang, 'entities.thousands'));
/** Words for smaller factors are read as separate numbers. */
const leastMultiplier = 1000;

/** The numbers in the text, in order. `lang`: the language of the text; null if unknown. */
export function numbersOf(text: string, lang: Language | null): NamedNumber[] {
  const tokens = tokensOf(text);
  const figures = inFigures(text, tokens, lang);
  return [...figures, ...inWords(text, tokens, figures, lang)].sort((a, b) => a.start - b.start);
}

const wholeDate = 'YYYY-MM-DD'.length;

/** The complete dates in the text, in order, each treated as one number. */
export const datesOf = (text: string): NamedNumber[] =>
  parseDates(text)
    .filter(({ date }) => date.length === wholeDate)
    .map(({ date, start, end }) => ({
      start,
      end,
      written: text.slice(start, end),
      keys: [date],
      bare: [date],
      isSpelt: false,
    }));

/** The keys of all numbers in the text, including the days, months and years of complete dates. */
export const numberKeys = (text: string, lang: Language | null): string[] => [
  ...numbersOf(text, lang).flatMap(({ keys }) => keys),
  ...datesOf(text).flatMap(({ keys: [date] }) => date!.split('-').map((part) => keyOf(Number(part)))),
];

/** Whether numbers with these keys may be equal. */
export const isSame = (keys: readonly string[], others: readonly string[]): boolean =>
  keys.some((key) => others.includes(key));

const rounded = (value: number): number => Number(value.toPrecision(12));
const keyOf = (value: number): string => String(rounded(value));

function inFigures(text: string, tokens: readonly NumberToken[], lang: Language | null): NamedNumber[] {
  const found: NamedNumber[] = [];
  const follows = (n: number) =>
    tokens[n + 1] && /^\s?$/u.test(text.slice(tokens[n]!.end, tokens[n + 1]!.start));
  for (let n = 0; n < tokens.length; n++) {
    const { text: plain, isFigures, start, end } = tokens[n]!;
    if (!isFigures) continue;
    const parts = plain.split(/[.,]/);
    // In a date, a version number or a list without spaces, each part is a separate number.
    if (parts.length > 2 && !isGrouped(parts) && !hasFraction(plain)) {
      for (const part of text.slice(start, end).matchAll(/\d+/g)) {
        const keys = [keyOf(Number(part[0]))];
        const from = start + part.index;
        found.push({
          start: from,
          end: from + part[0].length,
          written: part[0],
          keys,
          bare: keys,
          isSpelt: false,
        });
      }
      continue;
    }
    const values = valuesOf(plain, lang);
    const bare = [...values.map(keyOf), ...(parts.length > 1 ? [plain] : [])];
    const next = tokens[n + 1];
    const factor = next && !next.isFigures && follows(n) ? multiplierOf(next.text, lang) : 1;
    let last = n;
    let keys = bare;
    if (factor > 1) {
      last = n + 1;
      // As in "7 тысяч 400".
      const rest = tokens[last + 1];
      const isRest = parts.length === 1 && rest && /^\d+$/.test(rest.text) && follows(last);
      const more = isRest ? Number(rest.text) : factor;
      if (more < factor) last++;
      keys = values.map((value) => keyOf(value * factor + (more < factor ? more : 0)));
    }
    const to = tokens[last]!.end;
    found.push({ start, end: to, written: text.slice(start, to), keys, bare, isSpelt: false });
    n = last;
  }
  return found;
}

const isGrouped = ([first = '', ...rest]: readonly string[]): boolean =>
  /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => part.length === 3);

/** Whether the last separator differs from the others and therefore separates the decimals: "1,200,300.50". */
const hasFraction = (plain: string): boolean =>
  /^[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/.test(plain);

/** The possible values of figures in a given language: "2,350" is 2350 in English and 2.35 in Russian. */
function valuesOf(plain: string, lang: Language | null): number[] {
  const parts = plain.split(/[.,]/);
  if (hasFraction(plain)) return [Number(`${parts.slice(0, -1).join('')}.${parts.at(-1)}`)];
  const grouped = Number(parts.join(''));
  if (parts.length !== 2) return [grouped];
  const decimal = Number(parts.join('.'));
  if (!isGrouped(parts)) return [decimal];
  const partsThousands = lang === null ? null : thousands[lang] === ',';
  if (partsThousands === null) return [decimal, grouped];
  if (plain.includes(',')) return [partsThousands ? grouped : decimal];
  // In languages with a decimal comma, a point may separate either thousands or decimals.
  return partsThousands ? [decimal] : [decimal, grouped];
}

/** The factor of the word after figures ("11 миллиардов", "7.4 thousand"); 1 if there is none. */
function multiplierOf(word: string, lang: Language | null): number {
  for (const language of lang === null ? languages : [lang]) {
    const spelt = Number(speltNumbers([word], language)[0]?.value ?? '1');
    const factor = multipliers[language].get(word) ?? spelt;
    if (factor >= leastMultiplier) return factor;
  }
  return 1;
}

/** Finds numbers greater than one in words: "one" may also be an article or a pronoun. */
function inWords(
  text: string,
  tokens: readonly NumberToken[],
  figures: readonly NamedNumber[],
  lang: Language | null,
): NamedNumber[] {
  if (!tokens.some(({ text: word }) => isNumberWord(word, lang))) return [];
  const joins = lang === null ? null : joining[lang];
  const isSpelt = (word = '') => isNumberWord(word, lang);
  const list: (Span & { word: string })[] = [];
  let next = 0;
  for (const [n, { text: word, start, end }] of tokens.entries()) {
    while (next < figures.length && figures[next]!.end <= start) next++;
    const isTaken = (figures[next]?.start ?? text.length) <= start;
    const isJoin = joins?.has(word) && isSpelt(tokens[n - 1]?.text) && isSpelt(tokens[n + 1]?.text);
    if (isJoin && !isTaken) continue;
    // Any other character between two words ends the number.
    if (n > 0 && !/^[\s-]*$/u.test(text.slice(tokens[n - 1]!.end, start)))
      list.push({ word: '', start, end });
    list.push({ word: isTaken ? '' : word, start, end });
  }
  return speltNumbers(
    list.map(({ word }) => word),
    lang,
  ).flatMap(({ at, length, value }) => {
    const number = Number.parseFloat(value);
    if (number <= 1) return [];
    const [{ start }, { end }] = [list[at]!, list[at + length - 1]!];
    const keys = [keyOf(number)];
    return { start, end, written: text.slice(start, end), keys, bare: keys, isSpelt: true };
  });
}
