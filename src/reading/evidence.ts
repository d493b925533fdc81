/**
 * Decides whether a quotation would answer the question. A model with learned weights (weights.ts) estimates the
 * probability from what the best passages share with the question and from the margin of the best sentence over the
 * others. Two rules are not learned, because question sets contain few examples:
 * - If none of the passages contains a name or identifying number of the question, the answer is elsewhere.
 * - A sentence that contains all terms of the question answers it. These are usually keyword lookups, for which many
 *   sentences are equally good.
 */
import { isSame, type NamedNumber, numberKeys } from '../text/numbers.ts';
import { withoutPointNumber } from '../text/sentences.ts';
import { type AnalysedQuestion, isNegated, type Term } from './analysed-question.ts';
import { namesTime } from './answer-kinds.ts';
import { covers, coversName, type MatchedPassage, type Sentence } from './matching.ts';
import type { DescribedPassage } from './sentence-features.ts';
import type { FirstSentence } from './sentence-model.ts';
import { learned } from './weights.ts';

/** The inputs of the decision, in the order of the weights. */
export const evidenceFeatures = [
  /**
   * The largest weighted share of the question's terms in a sentence of the best five passages, including its title and
   * head, minus .05 per rank.
   */
  'sentence',
  /** The weighted share of the terms in the title of the best passage. */
  'title',
  /** The margin of the best passage over the others. */
  'gap',
  /** Whether the best sentence lacks a number of the question, or a name. */
  'numberMissing',
  'nameMissing',
  /** The weighted share of the terms that none of the passages contains. */
  'absent',
  /** Whether the question contains a negation and the best sentence does not. */
  'unnegated',
  /** The share of the first sentence's words that are in the question. */
  'precision',
  /** Whether the question asks for a detectable kind of answer that the first sentence lacks. */
  'kindMissing',
  /** The probability that the first sentence is the answer, given that one of the sentences is. */
  'certainty',
] as const;
export type EvidenceFeature = (typeof evidenceFeatures)[number];

/**
 * The permitted sign of each learned weight: what is shared with the question is evidence for an answer, and what is
 * missing is evidence against it.
 */
export const evidenceSigns: Readonly<Record<EvidenceFeature, 1 | -1>> = {
  sentence: 1,
  title: 1,
  gap: 1,
  numberMissing: -1,
  nameMissing: -1,
  absent: -1,
  unnegated: -1,
  precision: 1,
  kindMissing: -1,
  certainty: 1,
};

export interface Evidence {
  /** The log odds that the quotation answers the question. */
  score: number;
  features: Readonly<Record<EvidenceFeature, number>>;
  /** The numbers and names in the question that are missing from the best sentence and its title. */
  missingNumbers: string[];
  missingNames: string[];
  /**
   * Whether the answer is elsewhere: none of the passages contains a name or identifying number of the question, or the
   * passage to be quoted lacks a compound of it, or the best sentence lacks a number that counts something.
   */
  isElsewhere: boolean;
  /** Whether one sentence with its title and head contains all terms, with the same negation. */
  isWhole: boolean;
}

/** Number of passages in which the best sentence is searched for, and the cost per rank. */
const nearest = 5;
const rankCost = 0.05;
const gapMax = 0.6;
const wholeShare = 0.95;

/** The relative margin of the first score over the mean of the next nine; 1 for a single passage, 0 for none. */
export function gap(scores: readonly number[]): number {
  const first = scores[0] ?? 0;
  const rest = scores.slice(1, 10);
  if (first <= 0) return 0;
  return rest.length === 0 ? 1 : (first - rest.reduce((sum, one) => sum + one, 0) / rest.length) / first;
}

/** The minimum log odds for answering a question. */
export const threshold: number = learned.evidence.threshold;

/** Whether the evidence is sufficient to answer. */
export const enough = ({ score, isElsewhere, isWhole }: Evidence): boolean =>
  !isElsewhere && (score >= threshold || isWhole);

/** Whether a passage or its title contains the parts of a compound side by side. */
const says = ({ titleStems, sentences }: MatchedPassage, [first, last]: readonly [string, string]): boolean =>
  [titleStems, ...sentences.map(({ stems }) => stems)].some((stems) =>
    stems.some((one, n) => covers(first, one) && covers(last, stems[n + 1] ?? '')),
  );

/** Weighs the evidence from the passages (best first), the word scores of at least ten hits, and the first sentence. */
export function weigh(
  question: AnalysedQuestion,
  passages: readonly DescribedPassage[],
  scores: readonly number[],
  first: FirstSentence | null,
): Evidence {
  let best: { match: MatchedPassage; sentence: Sentence; share: number } | null = null;
  for (const [rank, { match }] of passages.slice(0, nearest).entries()) {
    for (const sentence of match.sentences) {
      const share = sentence.share - rankCost * rank;
      if (!best || share > best.share) best = { match, sentence, share };
    }
  }
  const near = best ? [...best.sentence.words, ...best.match.titleWords] : [];
  const nearStems = best ? [...best.sentence.stems, ...best.match.titleStems] : [];
  const missing = (numbers: readonly NamedNumber[], known: readonly string[]) =>
    numbers.filter(({ keys }) => !isSame(keys, known)).map(({ written }) => written);
  const nearNumbers =
    best && question.numbers.length > 0
      ? numberKeys(
          `${best.match.title}\n${best.sentence.head}\n${withoutPointNumber(best.match.text.slice(best.sentence.start, best.sentence.end))}`,
          best.match.lang,
        )
      : [];
  const missingNumbers = missing(question.numbers, nearNumbers);
  const missingNames = question.names.filter((name) => !nearStems.some((word) => coversName(name, word)));
  const total = question.terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const isAbsent = (n: number) => !passages.some(({ match }) => match.held[n]! > 0);
  const absent = question.terms.filter((_, n) => isAbsent(n));
  const isName = ({ stems }: Term) => question.names.some((name) => stems.includes(name));
  const numbersRead =
    question.labels.length > 0
      ? passages.flatMap(({ match: { title, text, lang, sentences } }) =>
          numberKeys([title, ...sentences.map(({ start, end }) => text.slice(start, end))].join('\n'), lang),
        )
      : [];
  // A question about a time may be answered by a duration as well as by a date: "in two weeks".
  const saysWhen =
    first !== null &&
    question.kinds.includes('date') &&
    namesTime(passages[first.passage]!.match.sentences[first.n]!.words);
  const features: Record<EvidenceFeature, number> = {
    sentence: Math.max(0, best?.share ?? 0),
    title: passages[0]?.match.titleShare ?? 0,
    gap: Math.min(gapMax, gap(scores)),
    numberMissing: missingNumbers.length > 0 ? 1 : 0,
    nameMissing: missingNames.length > 0 ? 1 : 0,
    absent: absent.reduce((sum, { weight }) => sum + weight, 0) / total,
    unnegated: best && question.negated && !isNegated(near, best.match.lang) ? 1 : 0,
    precision: first?.features.precision ?? 0,
    kindMissing: first && !saysWhen ? first.features.kindMissing : 0,
    certainty: first?.certainty ?? 0,
  };
  return {
    score: evidenceFeatures.reduce(
      (sum, name) => sum + learned.evidence.weights[name]! * features[name],
      learned.evidence.bias,
    ),
    features,
    missingNumbers,
    missingNames,
    isWhole: (best?.sentence.share ?? 0) >= wholeShare && features.unnegated === 0,
    isElsewhere:
      absent.some(isName) ||
      question.compounds.some(
        (compound) => first !== null && !says(passages[first.passage]!.match, compound),
      ) ||
      missing(question.counts, nearNumbers).length > 0 ||
      missing(question.labels, numbersRead).length > 0,
  };
}
