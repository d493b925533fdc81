/** Words that carry no topic. Ranking gives them a fifth of the weight; evidence ignores them. */
import { formsOf, languages, type QuestionRow, rowsOf, textOf, wordsOfAll } from './languages/index.ts';

export const questionWords: ReadonlySet<string> = new Set(
  languages.flatMap((language) =>
    ['questionWords.kinds', 'questionWords.inOwnTexts']
      .flatMap((name) => rowsOf<QuestionRow>(language, name))
      .map(([, , list]) => list)
      .concat(textOf(language, 'questionWords.whether'))
      .flatMap(formsOf),
  ),
);
/** Function words and question words. */
export const stopWords: ReadonlySet<string> = new Set([
  ...wordsOfAll('stopWords.function'),
  ...questionWords,
]);

/** True for a function word or question word of any language; expects a word as `words` yields it. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** True for a question word ("кто", "when", "қашан"); every question word is a stop word too. */
export function isQuestionWord(word: string): boolean {
  return questionWords.has(word);
}
