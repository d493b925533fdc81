/**
 * Detects instructions to the assistant in questions and documents: to break its rules, or to reveal what is not
 * public.
 */
import { anyOf, letter, phrasesOf, phrasesOfAll, rowsOfAll } from './languages/index.ts';
import { splitSentences } from './sentences.ts';
import { foldText } from './words.ts';

/** Maximum number of UTF-16 units between the two parts of an instruction. */
const between = 40;

const pairs = rowsOfAll<readonly [first: string, second: string]>('orders.pairs').map((pair) => {
  const [one, other] = pair.map((list) => anyOf(...phrasesOf(list)));
  return `${one}(?!${letter}).{0,${between}}(?<!${letter})${other}`;
});
/** One expression, so that a text is scanned once. */
const order = new RegExp(
  `(?<!${letter})(?:${[...pairs, anyOf(...phrasesOfAll('orders.alone'))].join('|')})(?!${letter})`,
  'u',
);

/** Whether a text instructs the assistant; such a sentence of a document is never quoted as an answer. */
export const isOrder = (text: string): boolean => order.test(foldText(text));

/** Replaces each sentence that instructs the assistant by "…". */
export function withoutOrders(text: string): string {
  let left = text;
  for (const { start, end } of splitSentences(text).toReversed())
    if (isOrder(text.slice(start, end))) left = `${left.slice(0, start)}…${left.slice(end)}`;
  return left;
}

const thens = phrasesOfAll('orders.joins').sort((a, b) => b.length - a.length);
const clauseEnd = new RegExp(`(?<=[.!?;\\n])\\s+|,?\\s+${anyOf(...thens)}[\\s,]+|:\\s+`, 'u');

/** Splits a question into parts that can each be an instruction or a question of its own. */
export const clauses = (text: string): string[] =>
  text.split(clauseEnd).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
