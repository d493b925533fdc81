import type { Sheet } from './sheet.ts';

/**
 * A text layer without a mapping to Unicode yields letters at random: it is recognised by control characters and by
 * words no language writes.
 */
export interface Legibility {
  /** Letters and digits. */
  letters: number;
  signs: number;
  /** Signs that have no meaning outside of their font. */
  broken: number;
  words: number;
  /** Words of a kind no language has: signs or capitals inside. */
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
/** So many ligatures show how a document's fonts are read. */
const ligaturesMin = 3;

/**
 * Joins words that fonts part behind a ligature ("offi ce"), in documents where that is the rule: the width of the sign
 * is wrong there, so that a blank is seen behind it.
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

/** Whether letters stand for signs that mean nothing. */
export function isUnmapped({ broken, signs }: Legibility): boolean {
  return broken > signs * 0.05;
}

/** Whether most words are none. */
export function isGarbage(legibility: Legibility): boolean {
  const { words, odd } = legibility;
  return isUnmapped(legibility) || (words >= 20 && odd > words * 0.4);
}
