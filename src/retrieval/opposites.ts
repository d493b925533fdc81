/** Words that say the opposite of each other, by the antonyms and the reversing prefixes of the packs. */
import { phrasesOfAll, wordsOfAll } from '../text/languages/index.ts';
import { whenAsked } from '../text/when-asked.ts';
import { stem } from '../text/words.ts';

const antonyms = whenAsked(() => {
  const found = new Map<string, Set<string>>();
  for (const pair of phrasesOfAll((pack) => pack.antonyms)) {
    const [a, b] = pair.split(' ').map(stem);
    if (a === undefined || b === undefined || a === b) continue;
    if (!found.has(a)) found.set(a, new Set());
    if (!found.has(b)) found.set(b, new Set());
    found.get(a)!.add(b);
    found.get(b)!.add(a);
  }
  return found;
});

const prefixes = [...wordsOfAll((pack) => pack.grammar.opposingPrefixes)];

/** Shorter words only look as if a prefix reversed them. */
const shortestReversed = 5;

/** Stems of words that say the opposite of a word, as `words()` yields it. */
export function oppositeStems(word: string): string[] {
  const byPrefix = prefixes.flatMap((prefix) => {
    if (word.length < shortestReversed) return [];
    const hasPrefix = word.startsWith(prefix) && word.length >= prefix.length + shortestReversed;
    return [prefix + word, ...(hasPrefix ? [word.slice(prefix.length)] : [])];
  });
  return [...(antonyms().get(stem(word)) ?? []), ...byPrefix.map(stem)];
}
