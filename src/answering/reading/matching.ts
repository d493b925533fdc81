/**
 * Matches passages against a question: which of its terms each sentence contains, in its own words and with its heading
 * context.
 *
 * A word covers a term when their stems are equal, or, for terms of 5 letters and more, when they share a prefix of
 * max(4, .7 of the term) letters that is at least .6 of the word (measured on sets that include unanswerable
 * questions). A word that is only related to a term counts partially (related.ts).
 */
import type { Language } from '../../domain/events.ts';
import { datesOf, isSame, type NamedNumber, numbersOf } from '../../text/numbers.ts';
import { isOrder } from '../../text/orders.ts';
import { withoutPointNumber } from '../../text/sentences.ts';
import { fieldsOf, type Unit, type UnitKind, units } from '../../text/units.ts';
import { whenAsked } from '../../text/when-asked.ts';
import { isStopWord, stem, words } from '../../text/words.ts';
import { type AnalysedQuestion, stemmerOf, type Term } from './analysed-question.ts';

/** A sentence of a passage with its match data. */
export interface Sentence {
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  kind: UnitKind;
  words: readonly string[];
  /** Stems of its words, in order. */
  stems: readonly string[];
  /** Weighted share of the question's terms in the sentence with title and head, and in its own words only. */
  share: number;
  own: number;
  /** As `share`, including the previous sentence; including all previous ones. */
  near: number;
  context: number;
  /** Number of content words that are neither in the question nor in the sentence's context. */
  fresh: number;
  /** It contains a term of the question that its context lacks. */
  adds: boolean;
  /** Indexes of its words that match a term. */
  matched: number[];
  /** Share of its content words that are in the question. */
  precision: number;
  /** Number of the question's numbers that it contains, including its context. */
  numbers: number;
  /** The line that introduces it: the head of its list, the columns of its table; '' if there is none. */
  head: string;
  /** Start of its list or table; null if it is in none. */
  list: number | null;
}

/** A passage split into sentences and matched against a question. */
export interface MatchedPassage {
  score: number;
  lang: Language | null;
  title: string;
  /** Words of its title, and their stems. */
  titleWords: readonly string[];
  titleStems: readonly string[];
  text: string;
  sentences: Sentence[];
  /** To what extent title and text contain each term, 0 to 1. */
  held: readonly number[];
  /** Weighted share of the question's terms in the title. */
  titleShare: number;
  /** Title or text contain every name of the question. */
  named: boolean;
}

/** Whether a word's stem matches a term. */
export function covers(term: string, word: string): boolean {
  if (term === word) return true;
  if (term.length < 5) return false;
  const least = Math.max(4, Math.ceil(0.7 * term.length), Math.ceil(0.6 * word.length));
  if (word.length < least || term.length < least) return false;
  for (let n = 0; n < least; n++) if (term.charCodeAt(n) !== word.charCodeAt(n)) return false;
  return true;
}

/** As `covers`, for names: "Constitutional" must not match every text on the Constitution. */
export const coversName = (name: string, word: string): boolean =>
  covers(name, word) && (word.startsWith(name) || word.length >= name.length - 2);

/** Share of a term's weight for a related word. */
const relatedShare = 0.7;
/** Factor for a word that only shares the prefix, which is usually another form of the term. */
const alikeShare = 0.9;

/** To what extent a word's stem matches a term: 1 for the word itself, less for a related one, 0 for others. */
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

/** A unit of a text that may be an answer, with its words and stems. Independent of the question. */
interface CutSentence extends Pick<Unit, 'start' | 'end' | 'kind'> {
  words: string[];
  stems: string[];
  /** 1 for each content word, 0 for a stop word. */
  contentWords: number[];
  /** For the line that introduces it: the head of its list, the columns of its table or record. */
  headStems: string[];
  /** For a record, indexes of the words that name its columns. */
  labels: ReadonlySet<number>;
  head: string;
  list: number | null;
  /** Its text without a point's number. */
  said: string;
  /** Its numbers and dates, and those of its head. */
  numbers: () => NamedNumber[];
  headNumbers: () => NamedNumber[];
}

/**
 * Cache of passages split into sentences, because splitting and stemming take longer than matching. Cleared when it is
 * full.
 */
const cuts = new Map<string, CutSentence[]>();
const cutsMax = 600;

/**
 * A heading, a question or a caption is not an answer by itself. An instruction to the assistant is not read at all.
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
  const hasOrders = isOrder(body);
  const made = all
    .filter(
      ({ kind, start, end }) => !silent.includes(kind) && !(hasOrders && isOrder(body.slice(start, end))),
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

/** Indexes of the words of a record that name its columns. */
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

/** The terms that the numbers in a text match, by word index. */
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

/** Indexes of the terms that are specific numbers of the question. */
const numberTerms = ({ named, counts, labels }: AnalysedQuestion): number[] => {
  const telling = [...counts, ...labels];
  return [
    ...new Set(
      named.flatMap(({ keys, terms }) => (telling.some((one) => isSame(one.keys, keys)) ? terms : [])),
    ),
  ];
};

/** A term that a word in a text matches, and to what extent. */
type Meeting = readonly [term: number, much: number];
const noMeetings: readonly Meeting[] = [];

/** For each stem in the passages of a question, the terms it matches. */
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

/** The larger of two coverages, per term. */
const larger = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((share, n) => Math.max(share, other[n]!));

/** Matches a passage against a question: its sentences from `from` on and their coverage. `lang`: the passage's. */
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
  const distinguishing = numberTerms(question);
  const isNumbered = question.named.length > 0;
  const raiseByNumbers = (covered: number[], said: string, numbers: readonly NamedNumber[]) => {
    for (const found of numbersMet(question, said, numbers).values()) raise(covered, found);
  };
  if (isNumbered) raiseByNumbers(byTitle, title, namedIn(title, lang));
  let anywhere = byTitle;
  const meetings = meetingsOf(question);
  /** Stems of what was read so far. */
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
      // Every row has the column names, so only its values are its own words.
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
      numbers: distinguishing.filter((n) => covered[n]! > 0).length,
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

/** Whether a word is in the question, because repeating the question is not an answer. */
export function isAsked({ terms }: AnalysedQuestion): (word: string) => boolean {
  return (word) => {
    const one = stem(word);
    return terms.some((term) => term.stems.some((other) => covers(other, one)));
  };
}
