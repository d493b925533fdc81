/** Russian. */
import snowball from 'snowball-stemmers';
import type { Grammar } from './grammar.ts';

const snowballStem = snowball.newStemmer('russian');
/** Forms of a judge, which Snowball takes for those of a court. */
const judge = new Set('судья судьи судье судью судьей судьям судьями судьях судей'.split(' '));

/** Behind a vowel, endings that forms of one name have: Кенсай, Кенсая, Мария, Марией. */
const openName = /(?<=\p{L}{2}[аеиоу])(?:й|я|ю|ем|ей|е|и)$/u;

const stem = (word: string): string => (judge.has(word) ? 'судья' : snowballStem.stem(word));

export const ru: Grammar = {
  stem,
  foldWord: stem,
  // Snowball takes "Кенсая" for an adjective: behind a vowel the endings of names are cut off alike.
  foldName: (word) =>
    /[сц]к(?:ая|ой|ую|ий)$/u.test(word) || !openName.test(word) ? stem(word) : word.replace(openName, ''),
};
