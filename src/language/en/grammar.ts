/** The stems and names of English. */
import { stem as porter2 } from 'porter2';
import type { Grammar } from '../grammar.ts';

/** Removes only plural endings, because a stemmer would merge "Commission" and "Commissioner". */
const singular = (word: string): string =>
  word.length > 4 && /[^sui]s$/.test(word)
    ? word.replace(/(?:(?<=[^aeiou])ies|s)$/, (end) => (end === 's' ? '' : 'y'))
    : word;

export const en: Grammar = {
  stem: (word) => (/^[a-z]+$/.test(word) ? porter2(word) : word),
  foldName: singular,
};
