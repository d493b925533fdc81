/** The stems and names of Russian. */
import { stemmer as snowball } from '@orama/stemmers/russian';
import type { Grammar } from '../grammar.ts';

/** Forms of "судья" (judge), which Snowball confuses with those of "суд" (court). */
const judge = new Set('судья судьи судье судью судьей судьям судьями судьях судей'.split(' '));

const stem = (word: string): string => (judge.has(word) ? 'судья' : snowball(word));

export const ru: Grammar = {
  stem,
  // Snowball treats "Кенсая" as an adjective. Stemming it twice gives the same result as for "Кенсай".
  foldName: (word) => stem(stem(word)),
};
