/** Decides which messages in a channel are meant for the service and whether they contain a question. */
import { isQuestionWord, isStopWord, words } from '../src/text/words.ts';
import { texts } from './texts.ts';

/** Words that ask for an answer to an earlier message ("can you help here?"), in all supported languages. */
const pointing: ReadonlySet<string> = new Set(
  Object.values(texts).flatMap(({ pointingWords }) => words(pointingWords)),
);

const link = /\bhttps?:\/\/\S+/gi;
const emoji = /:[\w+-]+:|\p{Extended_Pictographic}/gu;

/** Returns the text without links and emoji. */
const inWords = (text: string): string => text.replaceAll(link, ' ').replaceAll(emoji, ' ').trim();

/**
 * Whether a text that mentions nobody is a question: it is punctuated like one, or it begins with a question word and
 * contains at least one meaningful word.
 */
export function isEvidentQuestion(text: string): boolean {
  const said = inWords(text);
  if (/\p{L}.*[?？]["»”)\s]*$/su.test(said)) return true;
  const [first, ...others] = words(said);
  return first !== undefined && isQuestionWord(first) && others.some((word) => !isStopWord(word));
}

/** Whether the text contains anything to answer. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(inWords(text));

/**
 * Whether a text is only a request for help without a question of its own, which means that it refers to an earlier
 * message.
 */
export function onlyPoints(text: string): boolean {
  const said = words(inWords(text));
  if (!said.every((word) => isStopWord(word) || pointing.has(word))) return false;
  return said.length === 0 || said.some((word) => pointing.has(word));
}
