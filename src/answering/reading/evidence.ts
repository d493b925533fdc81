/**
 * Whether what would be quoted answers the question: a probability from what the best passages share with it and from
 * how the sentence that ranks first stands among the others, with weights that were learned (weights.ts). Two things are
 * not learned, since sets of questions hardly show them: a name or number of the question that none of the passages read
 * holds is not here, and one sentence that holds all that is asked answers it (mostly a look-up by keywords, of which
 * many sentences are as good).
 */
import { isSame, type NamedNumber, numberKeys } from '../../text/numbers.ts';
import { withoutPointNumber } from '../../text/sentences.ts';
import { namesTime } from './answer-kinds.ts';
import { covers, coversName, type MatchedPassage, type Sentence } from './matching.ts';
import { isNegated, type Question, type Term } from './question.ts';
import type { DescribedPassage } from './sentence-features.ts';
import type { FirstSentence } from './sentence-model.ts';
import { learned } from './weights.ts';

/** What the decision is made from, in the order of the weights. */
export const evidenceFeatures = [
  /** Largest weighted share of the question's terms in one sentence of the best five with title and head, less .05 a rank. */
  'sentence',
  /** The weighted share of them in the title of the best passage. */
  'title',
  /** How far the best passage stands above the others. */
  'gap',
  /** A number of the question that the best sentence lacks; a name. */
  'numberMissing',
  'nameMissing',
  /** Of the terms the weighted share that none of the passages read holds. */
  'absent',
  /** The question denies something, and the best sentence denies nothing. */
  'unnegated',
  /** Of the sentence that ranks first: the share of its words that the question has. */
  'precision',
  /** A tangible kind of answer is asked for and it holds none. */
  'kindMissing',
  /** The probability that it answers, if one of the sentences read does. */
  'certainty',
] as const;
export type EvidenceFeature = (typeof evidenceFeatures)[number];

/** The sign a learned weight may have: what is shared speaks for an answer, what is missing against it. */
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
  /** Log odds that what would be quoted answers the question. */
  score: number;
  features: Readonly<Record<EvidenceFeature, number>>;
  /** Numbers and names of the question that the best sentence with its title lacks. */
  missingNumbers: string[];
  missingNames: string[];
  /**
   * None of the passages read holds a name of the question, or a number that says which one is meant; the best one lacks a
   * compound, its best sentence a number that counts.
   */
  isElsewhere: boolean;
  /** One sentence with what stands above it holds all that is asked, and denies what is denied. */
  isWhole: boolean;
}

/** Passages of whose sentences one must be near the question; what a rank below the first costs. */
const nearest = 5;
const rankCost = 0.05;
const gapMax = 0.6;
const wholeShare = 0.95;

/** How far the first score stands above the mean of the next nine; 1 for a single passage, 0 for none. */
export function gap(scores: readonly number[]): number {
  const first = scores[0] ?? 0;
  const rest = scores.slice(1, 10);
  if (first <= 0) return 0;
  return rest.length === 0 ? 1 : (first - rest.reduce((sum, one) => sum + one, 0) / rest.length) / first;
}

/** The log odds from which on a question is answered. */
export const threshold: number = learned.evidence.threshold;

/** Whether the evidence is enough to answer. */
export const enough = ({ score, isElsewhere, isWhole }: Evidence): boolean =>
  !isElsewhere && (score >= threshold || isWhole);

/** Whether a passage or its title has the parts of a compound side by side. */
const says = ({ titleStems, sentences }: MatchedPassage, [first, last]: readonly [string, string]): boolean =>
  [titleStems, ...sentences.map(({ stems }) => stems)].some((stems) =>
    stems.some((one, n) => covers(first, one) && covers(last, stems[n + 1] ?? '')),
  );

/** Weighs the passages read, best first, the word scores of at least ten hits, and the sentence that ranks first. */
export function weigh(
  question: Question,
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
  // When something is, a span may say as well as a date: "in two weeks".
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
      question.compounds.some((compound) => best !== null && !says(best.match, compound)) ||
      missing(question.counts, nearNumbers).length > 0 ||
      missing(question.labels, numbersRead).length > 0,
  };
}
