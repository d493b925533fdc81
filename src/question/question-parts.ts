/**
 * Splits a message that contains several questions: several interrogative sentences, or questions joined by a
 * conjunction ("who … and when …").
 */

import type { Language } from '../domain/events.ts';
import { formsOf, isSo, ofEach, type QuestionRow, rowsOf, setOf, textOf } from '../language/index.ts';
import { withoutEnd } from '../text/trimming.ts';
import { isStopWord, type Token, tokensOf, words } from '../text/words.ts';

/** Maximum number of questions answered per message. */
export const partsMax = 4;

/** The questions in a message, in order. A single question is returned as it is. */
export interface QuestionParts {
  questions: string[];
  /** Whether there are more than `partsMax` questions. */
  more: boolean;
}

interface Facts {
  asks: ReadonlySet<string>;
  conjunctions: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  /** Words that begin a yes-or-no question (`yesOrNo`) or follow its first word (`whether`). */
  yesOrNo: ReadonlySet<string>;
  whether: ReadonlySet<string>;
}

const facts = ofEach((language): Facts => {
  const wordsOf = (name: string) => setOf(textOf(language, name));
  const asks = ['questionWords.kinds', 'questionWords.inOwnTexts'].flatMap((name) =>
    rowsOf<QuestionRow>(language, name).flatMap(([, , list]) => formsOf(list)),
  );
  return {
    asks: new Set(asks),
    conjunctions: wordsOf('grammar.conjunctions'),
    prepositions: wordsOf('dialogue.cases'),
    yesOrNo: isSo(language, 'grammar.fixedWordOrder') ? wordsOf('questionWords.yesOrNo') : new Set(),
    whether: wordsOf('questionWords.whether'),
  };
});

export function questionParts(text: string, lang: Language): QuestionParts {
  const sentences = text.split(/(?<=\?)\s+/u).filter((one) => words(one).length > 0);
  const asking = sentences.every((one) => one.trimEnd().endsWith('?')) ? sentences : [text];
  const questions = asking.flatMap((one) => joined(one, facts[lang], partsMax));
  return questions.length > 1
    ? { questions: questions.slice(0, partsMax), more: questions.length > partsMax }
    : { questions: [text], more: false };
}

const wordOrComma = /[\p{L}\p{M}\p{N}-]+|,/gu;

/**
 * Splits questions that are joined by a conjunction and have a question word on both sides. The number of splits is
 * limited, because each one reads the rest again.
 */
function joined(text: string, facts: Facts, cutsMax: number): string[] {
  if (cutsMax === 0) return [text];
  const { asks, conjunctions, prepositions } = facts;
  const list = tokensOf(text, wordOrComma);
  const isAsking = ({ word }: Token) => asks.has(word);
  // In languages that put the question word last, it may be anywhere after the conjunction.
  const anywhere = !asksFirst(list, facts);
  for (const [n, token] of list.entries()) {
    if (n === 0 || !conjunctions.has(token.word)) continue;
    const behind = list.slice(n + 1);
    const before = list.slice(0, n);
    if (!before.some(isAsking) && !asksFirst(before, facts)) continue;
    if (!asksFirst(behind, facts) && !(anywhere && behind.some(isAsking))) continue;
    const left = withoutEnd(text.slice(0, token.start), /[\s,]/);
    const right = text.slice(token.end).trim();
    if (words(left).every(isStopWord)) {
      // Two question words may share the rest of the question: "when and where was it adopted".
      const rest = behind.findIndex(({ word }) => !asks.has(word) && !prepositions.has(word));
      if (rest <= 0) return [text];
      return [`${left} ${text.slice(behind[rest]!.start)}`, ...joined(right, facts, cutsMax - 1)];
    }
    return [...listed(left, facts), ...joined(right, facts, cutsMax - 1)];
  }
  return [text];
}

/** Splits questions that are separated by commas. */
function listed(text: string, facts: Facts): string[] {
  const list = tokensOf(text, wordOrComma);
  const at = list.findLastIndex(
    ({ start }, n) =>
      text[start] === ',' && asksFirst(list.slice(n + 1), facts) && asksFirst(list.slice(0, n), facts),
  );
  if (at < 0) return [text];
  const left = text.slice(0, list[at]!.start);
  return [...listed(left, facts), text.slice(list[at]!.end).trim()];
}

/**
 * Whether a question begins with a question word, possibly after a preposition, or has a question particle after its
 * first word.
 */
function asksFirst(list: readonly Token[], { asks, prepositions, yesOrNo, whether }: Facts): boolean {
  const [first, second] = list;
  if (!first) return false;
  return (
    asks.has(first.word) ||
    yesOrNo.has(first.word) ||
    (second !== undefined && prepositions.has(first.word) && asks.has(second.word)) ||
    (second !== undefined && whether.has(second.word))
  );
}
