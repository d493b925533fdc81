/**
 * Several questions in one: two sentences that ask, question words joined by a conjunction ("who … and when …"), one
 * question about several subjects ("how old must a judge, an ombudsman and a president be?").
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

/** Of more questions in one the first so many are looked at. */
export const partsMax = 4;

/** The questions of a text, in order; `subjects`: of one question about several subjects what each asks about. One: it is no more. */
export interface QuestionParts {
  questions: string[];
  subjects: readonly string[] | null;
  /** There are more than those. */
  more: boolean;
}

interface Facts {
  asks: ReadonlySet<string>;
  conjunctions: ReadonlySet<string>;
  /** Those that join subjects: of "the minister or the mayor" one is meant. */
  and: ReadonlySet<string>;
  /** What is asked about stands before the word that asks. */
  subjectFirst: boolean;
  articles: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  /** A question may begin with such a word, or have it behind its first. */
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
 * Questions joined by a conjunction: on both sides of it something asks. The text is cut at so many conjunctions at the
 * most, since each cut reads what stands behind it anew.
 */
function joined(text: string, facts: Facts, cutsMax: number): string[] {
  if (cutsMax === 0) return [text];
  const { asks, conjunctions, prepositions } = facts;
  const list = tokensOf(text);
  const isAsking = ({ word }: Token) => asks.has(word);
  // Where the question word stands last, it may stand anywhere behind the conjunction too.
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
      // "When and where was it adopted": both ask about the same.
      const rest = behind.findIndex(({ word }) => !asks.has(word) && !prepositions.has(word));
      if (rest <= 0) return [text];
      return [`${left} ${text.slice(behind[rest]!.start)}`, ...joined(right, facts, cutsMax - 1)];
    }
    return [...listed(left, facts), ...joined(right, facts, cutsMax - 1)];
  }
  return [text];
}

/** What stands before the last of several questions: they are parted by commas. */
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

/** Whether a question begins with what asks, be it behind a preposition or by the particle behind its first word. */
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

/** One question about several subjects, asked about each; null where there is but one. */
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
  // "Annual leave and sick leave": what both are is said of each.
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
  // What nothing before it asks is a clause of its own: "I paid the toll and the fee, where …".
  const from = items[0]![0];
  const asking = list.findIndex(({ word }) => asks.has(word));
  if (asking < 0 || (asking > from && from > 0 && !subjectFirst)) return null;
  // A verb is no subject beside a noun: the clauses are joined.
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

/** Where a name that begins at a token ends: one word, more of them where capital letters or "of" go on. */
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

/** Where the name that ends before a token begins; `repeated`: words of it that all of the names end with. */
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
