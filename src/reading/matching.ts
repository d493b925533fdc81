/**
 * Matches passages against a question. For each sentence, this determines which terms of the question it contains, both
 * in its own words and together with its title and head.
 *
 * A word covers a term if their stems are equal. For terms of five letters or more, a common prefix is sufficient if it
 * has at least four letters, .7 of the term's letters and .6 of the word's letters (measured on sets that include
 * unanswerable questions). A word that is only related to a term counts partially (text/related.ts).
 */
import type { Language } from '../domain/events.ts';
import { whenAsked } from '../language/when-asked.ts';
import { datesOf, isSame, type NamedNumber, numbersOf } from '../text/numbers.ts';
import { isInjection } from '../text/prompt-injection.ts';
import { withoutPointNumber } from '../text/sentences.ts';
import { fieldsOf, type Unit, type UnitKind, units } from '../text/units.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import { type AnalysedQuestion, stemmerOf, type Term } from './analysed-question.ts';

/** A sentence in a passage, and how it matches the question. */
export interface Sentence {
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  kind: UnitKind;
  words: readonly string[];
  /** The stems of its words, in order. */
  stems: readonly string[];
  /** The weighted share of the question's terms in the sentence with its title and head, and in its own words alone. */
  share: number;
  own: number;
  /** Like `share`, but including the previous sentence (`near`) or all previous sentences (`context`). */
  near: number;
  context: number;
  /** The number of content words that are in neither the question nor the title. */
  fresh: number;
  /** Whether its own words contain a term of the question that its title and head lack. */
  adds: boolean;
  /** The indexes of its words that match a term. */
  matched: number[];
  /** The share of its content words that are in the question. */
  precision: number;
  /**
   * The line that introduces it, such as the head of its list or the column names of its table; '' if there is none.
   */
  head: string;
  /** The start of its list or table; null if it is not in one. */
  list: number | null;
}

/** A passage that is split into sentences and matched against a question. */
export interface MatchedPassage {
  score: number;
  lang: Language | null;
  title: string;
  /** The words of its title, and their stems. */
  titleWords: readonly string[];
  titleStems: readonly string[];
  text: string;
  sentences: Sentence[];
  /** The extent to which the title and text contain each term, from 0 to 1. */
  held: readonly number[];
  /** The weighted share of the question's terms in the title. */
  titleShare: number;
  /** Whether the title and text together contain every name in the question. */
  named: boolean;
}

/** Whether the stem of a word covers a term. */
export function covers(term: string, word: string): boolean {
  if (term === word) return true;
  if (term.length < 5) return false;
  const least = Math.max(4, Math.ceil(0.7 * term.length), Math.ceil(0.6 * word.length));
  if (word.length < least || term.length < least) return false;
  for (let n = 0; n < least; n++) if (term.charCodeAt(n) !== word.charCodeAt(n)) return false;
  return true;
}

/** Like `covers`, but stricter, for names: "Constitutional" must not match every text about the Constitution. */
export const coversName = (name: string, word: string): boolean =>
  covers(name, word) && (word.startsWith(name) || word.length >= name.length - 2);

/** The share of a term's weight for a related word. */
const relatedShare = 0.7;
/** The share of a term's weight for a word that only has a common prefix, and is usually another form of the term. */
const alikeShare = 0.9;

/** The extent to which a word's stem matches a term: 1 for the word itself, less for a related word, 0 for others. */
const meets = (term: Term, word: string): number =>
  term.byValue
    ? 0
    : term.stems.includes(word)
      ? 1
      : term.stems.some((one) => covers(one, word))
        ? alikeShare
        : term.related.includes(word)
          ? relatedShare
          : 0;

/** A unit of text that may be an answer, with its words and stems. It does not depend on the question. */
interface CutSentence extends Pick<Unit, 'start' | 'end' | 'kind'> {
  words: string[];
  stems: string[];
  /** 1 for a content word and 0 for a stop word. */
  contentWords: number[];
  /** The stems of the line that introduces it: the head of its list, or the column names of its table or record. */
  headStems: string[];
  /** For a record, the indexes of the words in its column names. */
  labels: ReadonlySet<number>;
  head: string;
  list: number | null;
  /** The text without the number of a list item. */
  said: string;
  /** The numbers and dates in the unit, and those in its head. */
  numbers: () => NamedNumber[];
  headNumbers: () => NamedNumber[];
}

/**
 * A cache of passages that are split into sentences, because splitting and stemming take longer than matching. It is
 * cleared when full.
 */
const cuts = new Map<string, CutSentence[]>();
const cutsMax = 600;

/**
 * Kinds of units that are not answers by themselves. Instructions to the assistant are ignored too.
 */
const silent: readonly UnitKind[] = ['heading', 'question', 'caption'];

function cut(
  text: string,
  from: number,
  lang: Language | null,
  stem: (word: string) => string,
): CutSentence[] {
  const key = `${lang ?? ''} ${from} ${text}`;
  const known = cuts.get(key);
  if (known) return known;
  const body = text.slice(from);
  const all = units(body);
  const hasOrders = isInjection(body);
  const made = all
    .filter(
      ({ kind, start, end }) => !silent.includes(kind) && !(hasOrders && isInjection(body.slice(start, end))),
    )
    .map(({ start, end, kind, head, list }) => {
      const said = withoutPointNumber(body.slice(start, end));
      const own = words(said);
      const above = head ? body.slice(head.start, head.end) : '';
      const labels = kind === 'row' && !head ? labelsIn(said) : none;
      return {
        start: start + from,
        end: end + from,
        kind,
        words: own,
        stems: own.map(stem),
        contentWords: own.map((word) => (isStopWord(word) ? 0 : 1)),
        headStems: labels.size > 0 ? [...labels].map((at) => stem(own[at]!)) : words(above).map(stem),
        labels,
        head: above,
        said,
        numbers: whenAsked(() => namedIn(said, lang)),
        headNumbers: whenAsked(() => namedIn(withoutPointNumber(above), lang)),
        list: (kind === 'item' || kind === 'row') && list ? list.start + from : null,
      };
    });
  if (cuts.size >= cutsMax) cuts.clear();
  cuts.set(key, made);
  return made;
}

const none: ReadonlySet<number> = new Set();

/** The indexes of the words in the column names of a record. */
function labelsIn(record: string): ReadonlySet<number> {
  return new Set(
    fieldsOf(record).flatMap(({ label, start }) => {
      const end = words(record.slice(0, start)).length;
      return [...words(label).keys()].map((n) => end - 1 - n);
    }),
  );
}

const namedIn = (text: string, lang: Language | null): NamedNumber[] => [
  ...numbersOf(text, lang),
  ...datesOf(text),
];

/** The terms matched by the numbers in a text, by word index. */
function numbersMet(
  { named }: AnalysedQuestion,
  text: string,
  numbers: readonly NamedNumber[],
): Map<number, Meeting[]> {
  const found = new Map<number, Meeting[]>();
  for (const { keys, start, end } of numbers) {
    const terms = named.flatMap((one) => (isSame(one.keys, keys) ? one.terms : []));
    if (terms.length === 0) continue;
    const first = words(text.slice(0, start)).length;
    const length = words(text.slice(start, end)).length;
    for (let at = first; at < first + length; at++)
      found.set(at, [...(found.get(at) ?? []), ...terms.map((term): Meeting => [term, 1])]);
  }
  return found;
}

/** A term that a word matches, and to what extent. */
type Meeting = readonly [term: number, much: number];
const noMeetings: readonly Meeting[] = [];

/** For each question, the terms that each stem in the passages matches. */
const met = new WeakMap<AnalysedQuestion, Map<string, readonly Meeting[]>>();

function meetingsOf(question: AnalysedQuestion): (word: string) => readonly Meeting[] {
  const known = met.get(question) ?? new Map<string, readonly Meeting[]>();
  met.set(question, known);
  const { terms } = question;
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = terms.flatMap((term, n): Meeting[] => {
        const much = meets(term, word);
        return much > 0 ? [[n, much]] : [];
      });
      if (found.length === 0) found = noMeetings;
      known.set(word, found);
    }
    return found;
  };
}

/** Raises the coverage of each term to that of one word. */
function raise(covered: number[], found: readonly Meeting[]): void {
  for (let n = 0; n < found.length; n++) {
    const [term, much] = found[n]!;
    if (much > covered[term]!) covered[term] = much;
  }
}

/** The larger of two coverages for each term. */
const larger = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((share, n) => Math.max(share, other[n]!));

/** Matches a passage against a question. `from`: where its sentences begin; `lang`: the language of the passage. */
export function matchPassage(
  question: AnalysedQuestion,
  title: string,
  text: string,
  score: number,
  from = 0,
  lang: Language | null = null,
): MatchedPassage {
  const stemOf = stemmerOf(lang);
  const { terms } = question;
  const total = terms.reduce((sum, term) => sum + term.weight, 0) || 1;
  const shareOf = (covered: readonly number[]) => {
    let sum = 0;
    for (let n = 0; n < terms.length; n++) sum += covered[n]! * terms[n]!.weight;
    return sum / total;
  };
  const titleWords = words(title);
  const titleStems = titleWords.map(stemOf);
  const byTitle = terms.map((term) => Math.max(0, ...titleStems.map((word) => meets(term, word))));
  const isNumbered = question.named.length > 0;
  const raiseByNumbers = (covered: number[], said: string, numbers: readonly NamedNumber[]) => {
    for (const found of numbersMet(question, said, numbers).values()) raise(covered, found);
  };
  if (isNumbered) raiseByNumbers(byTitle, title, namedIn(title, lang));
  let anywhere = byTitle;
  const meetings = meetingsOf(question);
  /** The stems of all sentences and heads read so far. */
  const read: (readonly string[])[] = [];
  const aboveAll = new Set(titleStems);
  let before = byTitle;
  let coveredBefore = byTitle;
  const sentences = cut(text, from, lang, stemOf).map((one): Sentence => {
    const { contentWords, headStems, labels, numbers, headNumbers, said, ...unit } = one;
    const { stems } = unit;
    read.push(headStems, stems);
    const above = [...byTitle];
    for (const word of headStems) raise(above, meetings(word));
    if (isNumbered) raiseByNumbers(above, unit.head, headNumbers());
    const byNumber = isNumbered ? numbersMet(question, said, numbers()) : null;
    const own = terms.map(() => 0);
    const matched: number[] = [];
    let shared = 0;
    let fresh = 0;
    let content = 0;
    for (let at = 0; at < stems.length; at++) {
      const found = byNumber?.get(at) ?? meetings(stems[at]!);
      const isContent = contentWords[at] === 1;
      if (isContent) content++;
      if (found.length === 0) {
        if (isContent && !aboveAll.has(stems[at]!)) fresh++;
        continue;
      }
      // All records contain the column names, so only the values count as own words.
      if (!labels.has(at)) raise(own, found);
      matched.push(at);
      if (isContent) shared++;
    }
    anywhere = larger(anywhere, own);
    const covered = larger(above, own);
    const near = shareOf(larger(covered, before));
    before = covered;
    coveredBefore = larger(coveredBefore, covered);
    return {
      ...unit,
      context: shareOf(coveredBefore),
      fresh,
      share: shareOf(covered),
      own: shareOf(own),
      adds: own.some((one, n) => one > above[n]!),
      near,
      matched,
      precision: content === 0 ? 0 : shared / content,
    };
  });
  const named = question.names.every(
    (name) =>
      titleStems.some((one) => coversName(name, one)) ||
      read.some((stems) => stems.some((one) => coversName(name, one))),
  );
  return {
    score,
    lang,
    title,
    titleWords,
    titleStems,
    text,
    sentences,
    held: anywhere,
    titleShare: shareOf(byTitle),
    named,
  };
}

/** Returns a test for words in the question, because repeating the question is not an answer. */
export function isAsked({ terms }: AnalysedQuestion): (word: string) => boolean {
  return (word) => {
    const one = stem(word);
    return terms.some((term) => term.stems.some((other) => covers(other, one)));
  };
}
