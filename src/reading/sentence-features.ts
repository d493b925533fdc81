/**
 * Computes the features of a sentence as an answer to a question: what it shares with the question, its position, and
 * whether it contains the kind of answer asked for. The weights of the features are learned (sentence-model.ts).
 */
import { type AnswerKind, anyOf, formsOf, languages, letter, setOf, textOf } from '../language/index.ts';
import { relatedStems } from '../text/related.ts';
import { withoutPointNumber } from '../text/sentences.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import { type KindText, labelOf, numbersIn, positionsOf } from './answer-kinds.ts';
import { covers, isAsked, type MatchedPassage, type Sentence } from './matching.ts';

/** A matched passage with properties of its chunk. */
export interface DescribedPassage {
  match: MatchedPassage;
  /** Whether the passage is at the beginning of its document. */
  opens: boolean;
  /** Whether it is the answer in a question–answer pair. */
  isPair: boolean;
  /** Whether it is in the language of the question. */
  ownLanguage: boolean;
  /** Whether it is a numbered provision, whose points are not treated as a list. */
  isProvision: boolean;
}

/**
 * Kinds of answer whose absence from a sentence can be detected. For other kinds, words are not sufficient evidence.
 */
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
  /** The weighted share of the question's terms in the sentence, also including the previous or all previous ones. */
  'own',
  'near',
  'context',
  /** The share of the sentence's content words that are in the question. */
  'precision',
  /** Whether the sentence contains nothing beyond the question and the title. */
  'nothingNew',
  /** For the passage: the weighted share of the terms in the title, and the score. */
  'title',
  'score',
  /** Whether the passage contains every name in the question, is part of a pair, or is in the asker's language. */
  'named',
  'pair',
  'ownLanguage',
  /** Whether the sentence is the first in the passage or document, and its relative position in the passage. */
  'first',
  'opens',
  'late',
  /**
   * Whether the sentence contains or lacks the kind of answer asked for, if its absence can be detected, and additional
   * features for four kinds.
   */
  'kindThere',
  'kindMissing',
  'kind date',
  'kind duration',
  'kind number',
  'kind decision',
  /** Whether a number in the sentence counts what "how many" asks for, or only something else. */
  'unitRight',
  'unitWrong',
  /** The extent to which the sentence defines the term asked about. */
  'defines',
  'code',
] as const;
export type SentenceFeature = (typeof sentenceFeatures)[number];

/** The permitted sign of the learned weight, for features whose direction is known. */
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

/** Kinds of answer that consist of a whole list. */
const listed: readonly AnswerKind[] = ['list', 'way'];
const asksForList = ({ kinds }: AnalysedQuestion): boolean => kinds.some((kind) => listed.includes(kind));

/**
 * Whether an item or row is an answer only together with its list. This is so if the question asks for a list, if the
 * head of the list matches the question, or if the items are steps with a head.
 */
export const standsForList = (
  question: AnalysedQuestion,
  { isProvision, match }: DescribedPassage,
  sentence: Sentence,
): boolean => {
  const { list, head, kind, adds } = sentence;
  if (list === null) return false;
  // If a row matches the question by more than its column names, only this row is asked for.
  if (kind === 'row') return asksForList(question) && !adds;
  const areSteps = firstStep.test(match.text.slice(list, list + 4));
  if (!areSteps && isWayByItself(question, sentence)) return false;
  // Numbered statements without a head are a list only if their title says so.
  if (asksForList(question)) return head !== '' || (!isProvision && match.titleShare >= aboutIt);
  if (head === '' || isProvision) return false;
  return answersByHead(question, isProvision, sentence) || areSteps;
};

/** Whether an item is one of several methods and matches the question by itself. */
const isWayByItself = ({ kinds }: AnalysedQuestion, { kind, adds, own }: Sentence): boolean =>
  kind === 'item' && adds && own >= mostOfIt && kinds.includes('way') && !kinds.includes('list');
/** Minimum share of the question's terms in the title of a list without a head that is an answer as a whole. */
export const aboutIt = 0.5;
/** Minimum share of the question's terms in an item that is an answer without its list. */
const mostOfIt = 0.6;

/**
 * Whether an item matches the question only through the head of its list, and the question does not ask for a fact that
 * the item alone may contain. Points of a provision are independent of each other.
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

/** Maximum number of words before the defining word or dash in a definition. */
const definesWithin = 8;
const subjectShare = 0.6;

/** Minimum value of the feature `defines` for a complete definition. */
export const wholeDefinition = 0.99;

/**
 * The features of a sentence in the order of `sentenceFeatures`. `n`: its index; `top`: the score of the best passage.
 */
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
  // The head of a list is part of what an item states: "The President: 1) appoints …".
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
 * The extent, from 0 to 1, to which the words before a dash or defining word are the term in question and little else:
 * 1 for "A charter — …", and 0 for a statement about a charter. A row defines its first cell. Words of the question
 * that are in the title may be missing.
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
  // A synonym does not count as part of the subject: "A charter, or a deed of grant, is …".
  const named = subject.findIndex((at) => !matched.includes(at));
  const other = named > 0 && otherName.test(textFrom(text, subject[named - 1]! + 1));
  const whole = other ? named : subject.length;
  if (whole === 0 || held < subjectShare * whole) return 0;
  return Math.min(1, held / Math.max(1, terms.length) + titleShare) * Math.min(1, held / whole);
}

/** The text after its first `word` words. */
function textFrom(text: string, word: number): string {
  const found = [...text.matchAll(/(?:[\p{L}\p{N}_]|\u0301)+/gu)][word - 1];
  return found ? text.slice(found.index + found[0].length) : '';
}

/** Conjunctions other than "and". A synonym may follow one of these or be in brackets. */
const or = languages.flatMap((language) => {
  const and = setOf(textOf(language, 'comparing.joins'));
  return formsOf(textOf(language, 'grammar.conjunctions')).filter((word) => !and.has(word));
});
const otherName = new RegExp(`^[»”"]?\\s*(?:\\(|,?\\s*${anyOf(...or)}(?!${letter}))`, 'iu');

/**
 * Whether a number in the sentence counts what "how many" asks for ("right") or only something else ("wrong"). Null if
 * nothing is asked or counted. A duration may be in any unit.
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
    // A number in a row counts the noun in its column name, or the noun in another cell if the column was asked for.
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
/** Maximum number of words after a number among which the counted noun may be. */
const unitReach = 3;
