/**
 * Detects text layers without a mapping to Unicode, which produce random characters. Control characters and impossible
 * words reveal them.
 */
import type { Sheet } from './sheet.ts';

export interface Legibility {
  /** Number of letters and digits. */
  letters: number;
  signs: number;
  /** Number of characters that have no meaning outside their font. */
  broken: number;
  words: number;
  /** Number of impossible words, with symbols or capitals inside. */
  odd: number;
}

export function legibilityOf(text: string): Legibility {
  const words = text.split(/\s+/);
  const long = words.filter((word) => word.length >= 4 && /\p{L}/u.test(word));
  return {
    letters: text.replace(/[^\p{L}\p{N}]+/gu, '').length,
    signs: words.reduce((sum, word) => sum + word.length, 0),
    broken: words.reduce((sum, word) => sum + (word.match(/[\p{Cc}\p{Co}\ufffd]/gu)?.length ?? 0), 0),
    words: long.length,
    odd: long.filter(
      (word) => /\p{L}[[\]\\^_`{}|~@<>=;]+\p{L}/u.test(word) || /\p{Ll}\p{Lu}\p{Ll}/u.test(word),
    ).length,
  };
}

export function together(all: readonly Legibility[]): Legibility {
  const sum = { letters: 0, signs: 0, broken: 0, words: 0, odd: 0 };
  for (const one of all)
    for (const key of ['letters', 'signs', 'broken', 'words', 'odd'] as const) sum[key] += one[key];
  return sum;
}

const parted = /(?<![-\p{L}])(\p{L}*(?:ffi|ffl|fi|fl)) (?=\p{Ll})/gu;
const whole = /(?:fi|fl)\p{Ll}/gu;
/** Minimum number of ligatures needed to judge how a document's fonts are decoded. */
const ligaturesMin = 3;

/**
 * Joins words that were split after a ligature ("offi ce"), in documents where this is systematic: the glyph's width is
 * wrong, so a space is detected after it.
 */
export function joinLigatures(sheets: readonly Sheet[]): void {
  let broken = 0;
  let intact = 0;
  for (const { pieces } of sheets)
    for (const { text } of pieces) {
      broken += text.match(parted)?.length ?? 0;
      intact += text.match(whole)?.length ?? 0;
    }
  if (broken < ligaturesMin || broken < intact) return;
  for (const { pieces } of sheets) for (const piece of pieces) piece.text = piece.text.replace(parted, '$1');
}

/** Whether the letters are meaningless characters. */
export function isUnmapped({ broken, signs }: Legibility): boolean {
  return broken > signs * 0.05;
}

/** Whether most words are not real words. */
export function isGarbage(legibility: Legibility): boolean {
  const { words, odd } = legibility;
  return isUnmapped(legibility) || (words >= 20 && odd > words * 0.4);
}
