/** Words that carry no subject of their own: ranking lets them count at a fifth, evidence leaves them out. */
import { all, setOf, wordsOfAll } from './languages/index.ts';

/** Words that ask. */
export const questionWords: ReadonlySet<string> = new Set(
  all.flatMap(({ pack: { questionWords: words } }) =>
    [...words.kinds, ...words.inOwnTexts]
      .map(([, , list]) => list)
      .concat(words.whether)
      .flatMap((list) => [...setOf(list)]),
  ),
);
/** Function words and words that ask. */
export const stopWords: ReadonlySet<string> = new Set([
  ...wordsOfAll((pack) => pack.stopWords.function),
  ...questionWords,
]);

/** True for a function word or question word of any language; takes a word as `words` yields it. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** True for a word that asks ("кто", "when", "қашан"); every question word is a stop word too. */
export function isQuestionWord(word: string): boolean {
  return questionWords.has(word);
}
