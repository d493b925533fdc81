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

/** Whether letters stand for signs that mean nothing. */
export function isUnmapped({ broken, signs }: Legibility): boolean {
  return broken > signs * 0.05;
}

/** Whether most words are none. */
export function isGarbage(legibility: Legibility): boolean {
  const { words, odd } = legibility;
  return isUnmapped(legibility) || (words >= 20 && odd > words * 0.4);
}
