/**
 * Reads numbers written in words: "двадцать пять", "жиырма бес" and "twenty-five" are 25; "третья", "үшінші" and
 * "third" are ordinals. Expects words returned by `words()`.
 */
import {
  isSo,
  type Language,
  languages,
  type NumberRow,
  ofEach,
  rowsOf,
  WordTable,
  wordsOfAll,
} from '../language/index.ts';

interface NumberWord {
  value: number;
  ordinal: boolean;
}

/** Number words that apply to text in any language, and those that apply only to text in their own language. */
const everywhere = new WordTable<NumberWord>();
const inOwnTexts = new Map<Language, WordTable<NumberWord>>();
for (const language of languages) {
  const isOwn = isSo(language, 'numbers.inOwnTexts');
  const table = isOwn ? new WordTable<NumberWord>() : everywhere;
  if (isOwn) inOwnTexts.set(language, table);
  for (const [figures, cardinal, ordinal] of rowsOf<NumberRow>(language, 'numbers.words')) {
    const value = Number(figures);
    table.add(cardinal, { value, ordinal: false }).add(ordinal, { value, ordinal: true });
  }
}

const read = (word: string, language: Language | null): NumberWord | undefined =>
  (language === null ? undefined : inOwnTexts.get(language)?.get(word)) ?? everywhere.get(word);

/** Whether a word is a number or part of one. */
export const isNumberWord = (word: string, language: Language | null): boolean =>
  read(word, language) !== undefined;

const amounts = wordsOfAll('numbers.amounts');
const teensAfterTen = ofEach((language) => isSo(language, 'numbers.teensAfterTen'));

/** Whether a word states a quantity: a cardinal number, or a word like "dozen". `language`: null if unknown. */
export const saysHowMany = (word: string, language: Language | null): boolean =>
  read(word, language)?.ordinal === false || amounts.has(word);

/** A number in a list of words: the index and count of its words, and its value ("25", or "3." for "third"). */
export interface SpeltNumber {
  at: number;
  length: number;
  value: string;
}

/**
 * Returns the spelt-out numbers in a list of words, in order. `language`: null if unknown. It matters because, for
 * example, "он" and "бес" are numbers in Kazakh, but a pronoun and a noun in Russian.
 */
export function speltNumbers(list: readonly string[], language: Language | null): SpeltNumber[] {
  const smallest = language !== null && teensAfterTen[language] ? 10 : 9;
  const found: SpeltNumber[] = [];
  for (let at = 0; at < list.length; ) {
    let total = 0;
    let current = 0;
    let ordinal = false;
    let next = at;
    // Each word must have a lower rank than the one before it: "двадцать пять" is one number, "пять двадцать" is two.
    let rank = Number.POSITIVE_INFINITY;
    for (; next < list.length && !ordinal; next++) {
      const one = read(list[next]!, language);
      if (one === undefined) break;
      const multiplies = one.value >= 100 && current > 0 && current < one.value;
      if (one.value >= 1000) {
        total += (current || 1) * one.value;
        current = 0;
        rank = one.value;
      } else if (multiplies && one.value === 100) {
        current *= 100;
        rank = 100;
      } else if (next > at && digits(one.value) >= digits(rank)) break;
      else {
        current += one.value;
        rank = one.value < 20 && one.value > smallest ? 1 : one.value;
      }
      ordinal = one.ordinal;
    }
    if (next > at) found.push({ at, length: next - at, value: `${total + current}${ordinal ? '.' : ''}` });
    at = Math.max(next, at + 1);
  }
  return found;
}

const digits = (value: number) => (value === Number.POSITIVE_INFINITY ? value : String(value).length);
