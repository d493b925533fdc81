/**
 * Detects prompt injection in questions and documents: instructions to the assistant to break its rules or to reveal
 * confidential information.
 */
import { anyOf, letter, longestFirst, phrasesOf, phrasesOfAll, rowsOfAll } from '../language/index.ts';
import { splitSentences } from './sentences.ts';
import { foldText } from './words.ts';

/** Maximum distance between the two parts of an instruction, in UTF-16 units. */
const between = 40;

const pairs = rowsOfAll<readonly [first: string, second: string]>('orders.pairs').map((pair) => {
  const [one, other] = pair.map((list) => anyOf(...phrasesOf(list)));
  return `${one}(?!${letter}).{0,${between}}(?<!${letter})${other}`;
});
/** A single expression, because the text is then scanned only once. */
const order = new RegExp(
  `(?<!${letter})(?:${[...pairs, anyOf(...phrasesOfAll('orders.alone'))].join('|')})(?!${letter})`,
  'u',
);

/** Whether text contains an instruction to the assistant. Answers never quote a sentence that does. */
export const isInjection = (text: string): boolean => order.test(foldText(text));

/** Replaces each sentence that instructs the assistant by "…". */
export function withoutInjections(text: string): string {
  let left = text;
  for (const { start, end } of splitSentences(text).toReversed())
    if (isInjection(text.slice(start, end))) left = `${left.slice(0, start)}…${left.slice(end)}`;
  return left;
}

const thens = longestFirst(phrasesOfAll('orders.joins'));
const clauseEnd = new RegExp(`(?<=[.!?;\\n])\\s+|,?\\s+${anyOf(...thens)}[\\s,]+|:\\s+`, 'u');

/** Splits a question into clauses, because one may be an instruction and another a genuine question. */
export const clauses = (text: string): string[] =>
  text.split(clauseEnd).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
