/**
 * Features of a sentence as an answer to a question: what it shares with the question, its position, and whether it
 * contains the kind of answer asked for. Their weights are learned (sentence-model.ts).
 */
import {
  type AnswerKind,
  anyOf,
  formsOf,
  languages,
  letter,
  setOf,
  textOf,
} from '../../text/languages/index.ts';
import { relatedStems } from '../../text/related.ts';
import { withoutPointNumber } from '../../text/sentences.ts';
import { isStopWord, stem, words } from '../../text/words.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import { type KindText, labelOf, numbersIn, positionsOf } from './answer-kinds.ts';
import { covers, isAsked, type MatchedPassage, type Sentence } from './matching.ts';

/** A passage in the form used for describing its sentences: matched, with properties of its chunk. */
export interface DescribedPassage {
  match: MatchedPassage;
  /** It is at the beginning of its document. */
  opens: boolean;
  /** It is the answer of a question–answer pair. */
  isPair: boolean;
  /** It is in the language of the question. */
  ownLanguage: boolean;
  /** It is a numbered provision, whose points are not a list. */
  isProvision: boolean;
}

/** Kinds whose absence from a sentence is detectable. For the others, words are not sufficient evidence. */
const tangible: readonly AnswerKind[] = [
  'date',
  'duration',
  'frequency',
  'age',
  'number',
  'money',
  'person',
  'place',
  'reason',
];

export const sentenceFeatures = [
  /** Weighted shares of the question's terms: in its own words, with the previous sentence, with all previous ones. */
  'own',
  'near',
  'context',
  /** Share of its words that are in the question. */
  'precision',
  /** It contains nothing beyond the question and its context. */
  'nothingNew',
  /** For its passage: weighted share of the terms in the title, and its score. */
  'title',
  'score',
  /** The passage contains every name of the question, is an answer of a pair, is in the asker's language. */
  'named',
  'pair',
  'ownLanguage',
  /** First of its passage, first of its document; position in the passage. */
  'first',
  'opens',
  'late',
  /**
   * The question asks for a tangible kind of answer and the sentence contains one, or none; additional terms for four
   * kinds.
   */
  'kindThere',
  'kindMissing',
  'kind date',
  'kind duration',
  'kind number',
  'kind decision',
  /** Its number counts what "how many" asks for, or something else. */
  'unitRight',
  'unitWrong',
  /** It defines the term asked about. */
  'defines',
  'code',
] as const;
export type SentenceFeature = (typeof sentenceFeatures)[number];

/** The permitted sign of a learned weight, for features with a known direction. */
export const signs: Partial<Record<SentenceFeature, 1 | -1>> = {
  own: 1,
  near: 1,
  context: 1,
  precision: 1,
  nothingNew: -1,
  title: 1,
  score: 1,
  named: 1,
  kindThere: 1,
  kindMissing: -1,
  unitRight: 1,
  unitWrong: -1,
  defines: 1,
};

/** Kinds that are answered by a whole list. */
const listed: readonly AnswerKind[] = ['list', 'way'];
const asksForList = ({ kinds }: AnalysedQuestion): boolean => kinds.some((kind) => listed.includes(kind));

/**
 * Whether an item or row is an answer only together with its list: if the question asks for a list, if the head
 * contains what is asked, and always for a step under an introductory line.
 */
export const standsForList = (
  question: AnalysedQuestion,
  { isProvision, match }: DescribedPassage,
  sentence: Sentence,
): boolean => {
  const { list, head, kind, adds } = sentence;
  if (list === null) return false;
  // A row that matches the question beyond its column names is the one asked for.
  if (kind === 'row') return asksForList(question) && !adds;
  const areSteps = firstStep.test(match.text.slice(list, list + 4));
  if (!areSteps && isWayByItself(question, sentence)) return false;
  if (asksForList(question)) return head !== '' || !isProvision;
  if (head === '' || isProvision) return false;
  return answersByHead(question, isProvision, sentence) || areSteps;
};

/** Whether it is one of several methods and matches the question by itself. */
const isWayByItself = ({ kinds }: AnalysedQuestion, { kind, adds, own }: Sentence): boolean =>
  kind === 'item' && adds && own >= mostOfIt && kinds.includes('way') && !kinds.includes('list');
/** Minimum share of the question in an item that is an answer without its list. */
const mostOfIt = 0.6;

/**
 * Whether all matches of an item are in the head of its list, and the question asks for no fact that the item alone may
 * contain. Points of a provision are independent.
 */
const answersByHead = (
  { kinds }: AnalysedQuestion,
  isProvision: boolean,
  { kind, head, adds }: Sentence,
): boolean =>
  kind === 'item' &&
  !isProvision &&
  head !== '' &&
  !adds &&
  !kinds.some((one) => one === 'decision' || tangible.includes(one));

const firstStep = /^1[.)]\s/;

/** A definition begins with its term, within this many words. */
const definesWithin = 8;
const subjectShare = 0.6;

/** Minimum share of the term in a complete definition. */
export const wholeDefinition = 0.99;

/** The features of one sentence of a passage, in the order of `sentenceFeatures`. `top`: the best passage's score. */
export function describe(
  question: AnalysedQuestion,
  passage: DescribedPassage,
  place: { n: number; top: number },
): Float64Array {
  const { match } = passage;
  const sentence = match.sentences[place.n]!;
  const text = withoutPointNumber(match.text.slice(sentence.start, sentence.end));
  const { words: list } = sentence;
  const asked = isAsked(question);
  const head = { text: sentence.head, words: sentence.head === '' ? [] : words(sentence.head) };
  const own = { text, words: list, ...(sentence.kind === 'row' && { head: sentence.head }) };
  const held = new Map<AnswerKind, number[]>();
  const positions = (kind: AnswerKind) => {
    const found = held.get(kind) ?? positionsOf(kind, own, asked);
    held.set(kind, found);
    return found;
  };
  const wanted = tangible.filter((kind) => question.kinds.includes(kind));
  // The head of an item is part of its statement: "The President: 1) appoints …".
  const isThere = wanted.some(
    (kind) => positions(kind).length > 0 || positionsOf(kind, head, asked).length > 0,
  );
  const kind = (name: AnswerKind) =>
    !question.kinds.includes(name) ? 0 : positions(name).length > 0 ? 1 : -1;
  const unit = unitOf(question, sentence, own);
  const values: Record<SentenceFeature, number> = {
    own: sentence.own,
    near: sentence.near,
    context: sentence.context,
    precision: sentence.precision,
    nothingNew: sentence.fresh === 0 ? 1 : 0,
    title: match.titleShare,
    score: match.score / (place.top || 1),
    named: match.named ? 1 : 0,
    pair: passage.isPair ? 1 : 0,
    ownLanguage: passage.ownLanguage ? 1 : 0,
    first: place.n === 0 ? 1 : 0,
    opens: place.n === 0 && passage.opens ? 1 : 0,
    late: place.n / Math.max(1, match.sentences.length - 1),
    kindThere: isThere ? 1 : 0,
    kindMissing: wanted.length > 0 && !isThere ? 1 : 0,
    'kind date': kind('date'),
    'kind duration': kind('duration'),
    'kind number': kind('number'),
    'kind decision': kind('decision'),
    unitRight: unit === 'right' ? 1 : 0,
    unitWrong: unit === 'wrong' ? 1 : 0,
    defines: question.asksWhatIs ? defines(question, match, text, sentence, positions('definition')) : 0,
    code: sentence.kind === 'code' ? 1 : 0,
  };
  return Float64Array.from(sentenceFeatures, (name) => values[name]);
}

/**
 * How much of the term to be defined a sentence begins with, up to the dash or defining word and with little else: 1
 * for "A charter — …", 0 for a statement about a charter. A row defines its first cell. Words of the question that are
 * in the title may be missing.
 */
function defines(
  { terms }: AnalysedQuestion,
  { titleShare }: MatchedPassage,
  text: string,
  { words: list, matched, kind }: Sentence,
  places: readonly number[],
): number {
  const dash = (kind === 'row' ? /\s\|\s/ : /\s[—–-]\s/).exec(text);
  const ends = [...places, ...(dash ? [words(text.slice(0, dash.index)).length] : [])].filter((at) => at > 0);
  const end = Math.min(...ends);
  if (end > definesWithin) return 0;
  const subject = list.flatMap((word, at) => (at < end && !isStopWord(word) ? [at] : []));
  const held = subject.filter((at) => matched.includes(at)).length;
  // "A charter, or a deed of grant, is …": a synonym does not extend the subject.
  const named = subject.findIndex((at) => !matched.includes(at));
  const other = named > 0 && otherName.test(textFrom(text, subject[named - 1]! + 1));
  const whole = other ? named : subject.length;
  if (whole === 0 || held < subjectShare * whole) return 0;
  return Math.min(1, held / Math.max(1, terms.length) + titleShare) * Math.min(1, held / whole);
}

/** A text from its n-th word on. */
function textFrom(text: string, word: number): string {
  const found = [...text.matchAll(/(?:[\p{L}\p{N}_]|\u0301)+/gu)][word - 1];
  return found ? text.slice(found.index + found[0].length) : '';
}

/** Whether a synonym follows: in brackets, or after a joining word other than "and". */
const or = languages.flatMap((language) => {
  const and = setOf(textOf(language, 'comparing.joins'));
  return formsOf(textOf(language, 'grammar.conjunctions')).filter((word) => !and.has(word));
});
const otherName = new RegExp(`^[»”"]?\\s*(?:\\(|,?\\s*${anyOf(...or)}(?!${letter}))`, 'iu');

/**
 * Whether a number in a sentence counts what "how many" asks for, or only something else; null if nothing is counted.
 * Durations match in any unit.
 */
function unitOf(
  question: AnalysedQuestion,
  { words: list, stems, kind, matched }: Sentence,
  row: KindText,
): 'right' | 'wrong' | null {
  const { counted, kinds } = question;
  if (counted === null) return null;
  const numbers = numbersIn(list);
  if (numbers.length === 0) return null;
  const times = kinds.includes('duration')
    ? positionsOf('duration', { text: '', words: list }, () => false)
    : [];
  const alike = [counted, ...relatedStems(counted)];
  const isCounted = (one: string) => alike.some((unit) => covers(unit, one) || covers(one, unit));
  if (kind === 'row') {
    // A row counts the nouns in its cell of the requested column, or in the name of the column.
    const asked = isAsked(question);
    const isThing = matched.some((at) => isCounted(stems[at]!));
    const byColumn = numbers.some((at) => {
      const label = labelOf(row, at).filter((word) => !isStopWord(word));
      return label.some((word) => isCounted(stem(word)) || (isThing && asked(word)));
    });
    return byColumn ? 'right' : null;
  }
  const counts = (at: number) =>
    times.includes(at) || stems.slice(at + 1, at + 1 + unitReach).some(isCounted);
  return numbers.some(counts) ? 'right' : 'wrong';
}
/** Maximum number of words between a number and what it counts. */
const unitReach = 3;
