/**
 * Splits a message that contains several questions: several interrogative sentences, questions joined by a conjunction
 * ("who … and when …"), or one question about several subjects ("how old must a judge, an ombudsman and a president
 * be?").
 */

import type { Language } from '../../domain/events.ts';
import {
  endingIn,
  formsOf,
  isSo,
  ofEach,
  type QuestionRow,
  rowsOf,
  setOf,
  textOf,
} from '../../text/languages/index.ts';
import { withoutEnd } from '../../text/trimming.ts';
import { isStopWord, stem, words } from '../../text/words.ts';

/** Maximum number of questions answered per message. */
export const partsMax = 4;

/**
 * The questions in a message, in order. A single question is returned as it is. `subjects`: the subject of each, if
 * they are one question about several subjects.
 */
export interface QuestionParts {
  questions: string[];
  subjects: readonly string[] | null;
  /** Whether there are more than `partsMax` questions. */
  more: boolean;
}

interface Facts {
  asks: ReadonlySet<string>;
  conjunctions: ReadonlySet<string>;
  /** Conjunctions that add subjects. They exclude "or": "the minister or the mayor" means one of the two. */
  and: ReadonlySet<string>;
  /** Whether the topic precedes the question word. */
  subjectFirst: boolean;
  articles: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  /** Words that begin a yes-or-no question (`yesOrNo`) or follow its first word (`whether`). */
  yesOrNo: ReadonlySet<string>;
  whether: ReadonlySet<string>;
  joinsNouns: ReadonlySet<string>;
  verb: RegExp;
}

const facts = ofEach((language): Facts => {
  const wordsOf = (name: string) => setOf(textOf(language, name));
  const asks = ['questionWords.kinds', 'questionWords.inOwnTexts'].flatMap((name) =>
    rowsOf<QuestionRow>(language, name).flatMap(([, , list]) => formsOf(list)),
  );
  const verbs = ['morphology.finite', 'morphology.reflexive', 'morphology.past', 'morphology.present'];
  return {
    asks: new Set(asks),
    conjunctions: wordsOf('grammar.conjunctions'),
    and: wordsOf('comparing.joins'),
    subjectFirst: isSo(language, 'grammar.subjectFirst'),
    articles: wordsOf('grammar.articles'),
    prepositions: wordsOf('dialogue.cases'),
    yesOrNo: isSo(language, 'grammar.fixedWordOrder') ? wordsOf('questionWords.yesOrNo') : new Set(),
    whether: wordsOf('questionWords.whether'),
    joinsNouns: wordsOf('provisions.of'),
    verb: endingIn(verbs.map((name) => textOf(language, name)).join(' '), 2),
  };
});

export function questionParts(text: string, lang: Language): QuestionParts {
  const sentences = text.split(/(?<=\?)\s+/u).filter((one) => words(one).length > 0);
  const asking = sentences.every((one) => one.trimEnd().endsWith('?')) ? sentences : [text];
  const questions = asking.flatMap((one) => joined(one, facts[lang], partsMax));
  if (questions.length > 1)
    return {
      questions: questions.slice(0, partsMax),
      subjects: null,
      more: questions.length > partsMax,
    };
  const subjects = ofSubjects(text, facts[lang]);
  return {
    questions: subjects?.map(({ question }) => question) ?? [text],
    subjects: subjects?.map(({ name }) => name) ?? null,
    more: false,
  };
}

interface Token {
  text: string;
  word: string;
  start: number;
  end: number;
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/(?:[\p{L}\p{N}-]|\u0301)+|,/gu)].map((found) => ({
    text: found[0],
    word: words(found[0]).join(' '),
    start: found.index,
    end: found.index + found[0].length,
  }));

/**
 * Splits questions that are joined by a conjunction and have a question word on both sides. The number of splits is
 * limited, because each one reads the rest again.
 */
function joined(text: string, facts: Facts, cutsMax: number): string[] {
  if (cutsMax === 0) return [text];
  const { asks, conjunctions, prepositions } = facts;
  const list = tokensOf(text);
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
  const list = tokensOf(text);
  const at = list.findLastIndex(
    ({ text: mark }, n) =>
      mark === ',' && asksFirst(list.slice(n + 1), facts) && asksFirst(list.slice(0, n), facts),
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

/** Splits one question about several subjects; null if there is only one. */
function ofSubjects(text: string, facts: Facts): { name: string; question: string }[] | null {
  const { asks, and, articles, subjectFirst, verb } = facts;
  const list = tokensOf(text);
  const at = list.findLastIndex(
    ({ word }, n) => n > 0 && n < list.length - 1 && and.has(word) && list[n - 1]!.text !== ',',
  );
  const isContent = (token: Token | undefined) =>
    token !== undefined && token.text !== ',' && !isStopWord(token.word) && !asks.has(token.word);
  if (at < 0) return null;
  let end = endOfName(list, at + 1, facts, isContent);
  if (end === null) return null;
  // A repeated noun belongs to each subject: "annual leave and sick leave".
  const repeated = stem(list[end]?.word ?? '') === stem(list[at - 1]!.word) ? 1 : 0;
  end += repeated;
  const items: [from: number, to: number][] = [[at + 1, end]];
  let to = at;
  for (;;) {
    const from = startOfName(list, to, facts, isContent, repeated);
    if (from === null) return null;
    items.unshift([from, to]);
    if (list[from - 1]?.text !== ',') break;
    to = from - 1;
  }
  if (items.length > partsMax) return null;
  // Nouns before the first question word may belong to a separate clause: "I paid the toll and the fee, where …".
  const from = items[0]![0];
  const asking = list.findIndex(({ word }) => asks.has(word));
  if (asking < 0 || (asking > from && from > 0 && !subjectFirst)) return null;
  // If only some of the names end in a verb, clauses rather than subjects are joined.
  const verbs = items.filter(([, before]) => verb.test(list[before - 1]!.word)).length;
  if (verbs > 0 && verbs < items.length) return null;
  const first = list[items[0]![0]]!;
  const last = list[items.at(-1)![1] - 1]!;
  const names = items.map(([from, before]) => text.slice(list[from]!.start, list[before - 1]!.end));
  if (new Set(names).size < names.length || names.every((name) => articles.has(name))) return null;
  return names.map((name) => ({
    name,
    question: `${text.slice(0, first.start)}${name}${text.slice(last.end)}`,
  }));
}

/** The end of the name that begins at a token: one word, or several if capitalised words or "of" continue it. */
function endOfName(
  list: readonly Token[],
  from: number,
  { articles, joinsNouns, verb }: Facts,
  isContent: (token: Token | undefined) => boolean,
): number | null {
  let at = from;
  while (articles.has(list[at]?.word ?? '')) at++;
  if (!isContent(list[at])) return null;
  const isCapital = (token: Token | undefined) => /^\p{Lu}/u.test(token?.text ?? '');
  const isName = isCapital(list[at]);
  at++;
  for (;;) {
    const next = list[at];
    const joins = next !== undefined && isName && joinsNouns.has(next.word);
    let behind = joins ? at + 1 : at;
    while (joins && articles.has(list[behind]?.word ?? '')) behind++;
    const word = list[behind];
    if (!word || !isContent(word) || verb.test(word.word)) return at;
    const continues = isCapital(list[at - 1]) && joinsNouns.size === 0;
    if (!joins && !isCapital(word) && !continues) return at;
    at = behind + 1;
  }
}

/**
 * The start of the name that ends before a token. `repeated`: number of words that all names have in common at the end.
 */
function startOfName(
  list: readonly Token[],
  to: number,
  { articles, joinsNouns }: Facts,
  isContent: (token: Token | undefined) => boolean,
  repeated: number,
): number | null {
  let at = to - 1;
  if (!isContent(list[at])) return null;
  if (repeated > 0 && isContent(list[at - 1])) return at - 1;
  const isCapital = (n: number) => n > 0 && /^\p{Lu}/u.test(list[n]?.text ?? '');
  for (;;) {
    if (isContent(list[at - 1]) && (isCapital(at - 1) || (isCapital(at - 2) && joinsNouns.size > 0))) at--;
    else {
      let before = at - 1;
      while (articles.has(list[before]?.word ?? '')) before--;
      if (before > 0 && joinsNouns.has(list[before]!.word) && isContent(list[before - 1])) at = before - 1;
      else break;
    }
  }
  while (articles.has(list[at - 1]?.word ?? '')) at--;
  return at;
}
