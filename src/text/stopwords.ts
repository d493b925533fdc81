/** Stop words. They have a fifth of the usual weight in ranking, and are ignored as evidence. */
import { formsOf, languages, type QuestionRow, rowsOf, textOf, wordsOfAll } from '../language/index.ts';

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

/** True for a function word or question word in any language. Expects a word returned by `words`. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** True for a question word ("кто", "when", "қашан"). All question words are also stop words. */
export function isQuestionWord(word: string): boolean {
  return questionWords.has(word);
}
