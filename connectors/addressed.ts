/** Which messages of a channel are for the service, and what in them is asked. */
import { isQuestionWord, isStopWord, words } from '../src/text/words.ts';
import { texts } from './texts.ts';

/** Words that ask for an answer to something said before ("can you help here?"), in any of the languages. */
const pointing: ReadonlySet<string> = new Set(
  Object.values(texts).flatMap(({ pointingWords }) => words(pointingWords)),
);

const link = /\bhttps?:\/\/\S+/gi;
const emoji = /:[\w+-]+:|\p{Extended_Pictographic}/gu;

/** What is said in words: no links, no emoji. */
const inWords = (text: string): string => text.replaceAll(link, ' ').replaceAll(emoji, ' ').trim();

/** Whether a text that nobody is named in is a question: it ends as one, or begins as one and asks for something. */
export function isEvidentQuestion(text: string): boolean {
  const said = inWords(text);
  if (/\p{L}.*[?？]["»”)\s]*$/su.test(said)) return true;
  const [first, ...others] = words(said);
  return first !== undefined && isQuestionWord(first) && others.some((word) => !isStopWord(word));
}

/** Whether there is anything to answer in a text. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(inWords(text));

/** Whether a text asks nothing by itself, or only for help: what was said before it is meant. */
export function onlyPoints(text: string): boolean {
  const said = words(inWords(text));
  if (!said.every((word) => isStopWord(word) || pointing.has(word))) return false;
  return said.length === 0 || said.some((word) => pointing.has(word));
}
