/**
 * What is known of a sentence as an answer to a question, as numbers: what it shares with the question, where it
 * stands, whether it holds the kind of answer asked for. How they add up was learned (sentence-model.ts).
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
import { type KindText, labelOf, numbersIn, positionsOf } from './answer-kinds.ts';
import { covers, isAsked, type MatchedPassage, type Sentence } from './matching.ts';
import type { Question } from './question.ts';

/** A passage as its sentences are described: matched, and what its chunk is. */
export interface DescribedPassage {
  match: MatchedPassage;
  /** It stands at the beginning of its document. */
  opens: boolean;
  /** It answers a question of its own. */
  isPair: boolean;
  /** It is in the language of the question. */
  ownLanguage: boolean;
  /** It is a numbered provision, whose points are no list. */
  isProvision: boolean;
}

/** Kinds that a sentence either holds or does not: for the others words alone tell too little to speak of a lack. */
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
  /** Weighted shares of the question's terms: in its own words, with the sentence before it, with all before it. */
  'own',
  'near',
  'context',
  /** Of its words the share that the question has, too. */
  'precision',
  /** It says nothing but what the question and what stands above it say. */
  'nothingNew',
  /** Of its passage: the weighted share of the terms in the title, and its score. */
  'title',
  'score',
  /** The passage holds every name of the question, is the answer to a question, is in the asker's language. */
  'named',
  'pair',
  'ownLanguage',
  /** It is the first of its passage, of its document; how far back in the passage it stands. */
  'first',
  'opens',
  'late',
  /** A tangible kind of answer is asked for, and it holds one, or none; for four kinds how much more that tells. */
  'kindThere',
  'kindMissing',
  'kind date',
  'kind duration',
  'kind number',
  'kind decision',
  /** Its number counts what is asked how many there are of, or something else. */
  'unitRight',
  'unitWrong',
  /** It says what something is that is asked to be defined. */
  'defines',
  'code',
] as const;
export type SentenceFeature = (typeof sentenceFeatures)[number];

/** Of what is known to speak for or against a sentence, the sign a learned weight may have. */
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

/** Kinds that a list answers as a whole. */
const listed: readonly AnswerKind[] = ['list', 'way'];
const asksForList = ({ kinds }: Question): boolean => kinds.some((kind) => listed.includes(kind));

/**
 * Whether an item, or a row, answers only with the list it is part of: of what is listed one is no answer where a list
 * is asked for, nor where it is the head that speaks of what is asked, and one of the steps under a line that announces
 * them never is.
 */
export const standsForList = (
  question: Question,
  { isProvision, match }: DescribedPassage,
  sentence: Sentence,
): boolean => {
  const { list, head, kind, adds } = sentence;
  if (list === null) return false;
  // A row that has more of the question than the names of the columns is the one asked for.
  if (kind === 'row') return asksForList(question) && !adds;
  const areSteps = firstStep.test(match.text.slice(list, list + 4));
  if (!areSteps && isWayByItself(question, sentence)) return false;
  if (asksForList(question)) return head !== '' || !isProvision;
  if (head === '' || isProvision) return false;
  return answersByHead(question, isProvision, sentence) || areSteps;
};

/** One of several ways, which alone speaks of what is asked. */
const isWayByItself = ({ kinds }: Question, { kind, adds, own }: Sentence): boolean =>
  kind === 'item' && adds && own >= mostOfIt && kinds.includes('way') && !kinds.includes('list');
/** So much of the question an item holds that answers it without its list. */
const mostOfIt = 0.6;

/**
 * Whether all that an item has of the question stands in the head of its list, and no fact is asked for that it alone may
 * hold. Points of a provision speak for themselves.
 */
const answersByHead = ({ kinds }: Question, isProvision: boolean, { kind, head, adds }: Sentence): boolean =>
  kind === 'item' &&
  !isProvision &&
  head !== '' &&
  !adds &&
  !kinds.some((one) => one === 'decision' || tangible.includes(one));

const firstStep = /^1[.)]\s/;

/** A sentence that says what something is begins with it. */
const definesWithin = 8;
const subjectShare = 0.6;

/** So much of it is all of it. */
export const wholeDefinition = 0.99;

/** The features of one sentence of a passage, in the order of `sentenceFeatures`. `top`: the best passage's score. */
export function describe(
  question: Question,
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
  // Of an item its head is part of what it says: "The President: 1) appoints …".
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
 * How much of what is to be defined a sentence begins with, up to the dash or the word that defines it and mostly alone:
 * 1 for "A charter — …", 0 for what is said of a charter. A row defines what stands in its first cell; what the title
 * has of the question, what is defined need not have.
 */
function defines(
  { terms }: Question,
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
  // "A charter, or a deed of grant, is …": another name is no more of the subject.
  const named = subject.findIndex((at) => !matched.includes(at));
  const other = named > 0 && otherName.test(textFrom(text, subject[named - 1]! + 1));
  const whole = other ? named : subject.length;
  if (whole === 0 || held < subjectShare * whole) return 0;
  return Math.min(1, held / Math.max(1, terms.length) + titleShare) * Math.min(1, held / whole);
}

/** A text from its so-many-th word on. */
function textFrom(text: string, word: number): string {
  const found = [...text.matchAll(/(?:[\p{L}\p{N}_]|\u0301)+/gu)][word - 1];
  return found ? text.slice(found.index + found[0].length) : '';
}

/** Another name follows: in brackets, or behind a word that joins and is no "and". */
const or = languages.flatMap((language) => {
  const and = setOf(textOf(language, 'comparing.joins'));
  return formsOf(textOf(language, 'grammar.conjunctions')).filter((word) => !and.has(word));
});
const otherName = new RegExp(`^[»”"]?\\s*(?:\\(|,?\\s*${anyOf(...or)}(?!${letter}))`, 'iu');

/**
 * Whether a number in a sentence counts what "how many" asks for, or only other things; null where nothing is. How
 * much time is said in any unit of it.
 */
function unitOf(
  question: Question,
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
    // A row counts what one of its cells names, in the column that is asked for, or what the column is called.
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
/** What a number counts stands so many words behind it. */
const unitReach = 3;
