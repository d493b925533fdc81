/** Orders to the assistant, in questions and in documents: to break its rules, to show what is not for show. */
import { anyOf, letter, phrasesOf, phrasesOfAll, rowsOfAll } from './languages/index.ts';
import { splitSentences } from './sentences.ts';
import { foldText } from './words.ts';

/** UTF-16 units between the two parts of an order, at most. */
const between = 40;

const pairs = rowsOfAll<readonly [first: string, second: string]>('orders.pairs').map((pair) => {
  const [one, other] = pair.map((list) => anyOf(...phrasesOf(list)));
  return `${one}(?!${letter}).{0,${between}}(?<!${letter})${other}`;
});
/** One expression for all: a text is gone through once. */
const order = new RegExp(
  `(?<!${letter})(?:${[...pairs, anyOf(...phrasesOfAll('orders.alone'))].join('|')})(?!${letter})`,
  'u',
);

/** Whether a text gives the assistant orders; such a sentence of a document is never quoted as an answer. */
export const isOrder = (text: string): boolean => order.test(foldText(text));

/** A text with "…" in place of each sentence that gives orders. */
export function withoutOrders(text: string): string {
  let left = text;
  for (const { start, end } of splitSentences(text).toReversed())
    if (isOrder(text.slice(start, end))) left = `${left.slice(0, start)}…${left.slice(end)}`;
  return left;
}

const thens = phrasesOfAll('orders.joins').sort((a, b) => b.length - a.length);
const clauseEnd = new RegExp(`(?<=[.!?;\\n])\\s+|,?\\s+${anyOf(...thens)}[\\s,]+|:\\s+`, 'u');

/** Parts of a question that can each be an order or a question of its own. */
export const clauses = (text: string): string[] =>
  text.split(clauseEnd).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
