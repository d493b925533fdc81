/**
 * Whether what would be quoted answers the question: a probability from what the best passages share with it and from
 * how the sentence that ranks first stands among the others, with weights that were learned (weights.ts).
 *
 * Source of the features: measured on sets with questions that nothing answers (coverage finds what is absent, the
 * opposite of what is asked is found by polarity). What is not learned is what must never be: a name that nobody here
 * knows ends it, whatever else is shared.
 */
import { isSame, type NamedNumber, numberKeys } from '../text/numbers.ts';
import { withoutPointNumber } from '../text/sentences.ts';
import { namesTime } from './answer-kinds.ts';
import { covers, coversName, type MatchedPassage, type Sentence } from './matching.ts';
import { contradicts } from './polarity.ts';
import type { Question } from './question.ts';
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
  /** A number, a name of the question that the best sentence does not hold. */
  'numberMissing',
  'nameMissing',
  /** It lacks a name the index does not know, or speaks of a president where a vice-president is asked about. */
  'unknownName',
  /** The best sentence says the opposite, or does not deny what the question denies. */
  'contradicts',
  /** Of the sentence that ranks first: the share of its words that the question has. */
  'precision',
  /** A tangible kind of answer is asked for and it holds none. */
  'kindMissing',
  /** How the sentence that ranks first stands among the others. */
  'odds',
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
  unknownName: -1,
  contradicts: -1,
  precision: 1,
  kindMissing: -1,
  odds: 1,
  certainty: 1,
};

export interface Evidence {
  /** Log odds that what would be quoted answers the question. */
  score: number;
  features: Readonly<Record<EvidenceFeature, number>>;
  /** One sentence with what stands above it holds all that is asked. */
  whole: boolean;
  /** What stands above one of the best passages tells of being without what the question says to be there. */
  contradictsPresence: boolean;
  /** Numbers and names of the question that the best sentence with its title does not hold. */
  missingNumbers: string[];
  missingNames: string[];
  /** Of the numbers those that count something. */
  missingCounts: string[];
  /** Those that say which one is meant and that no passage read has. */
  absentNumbers: string[];
  /** Names of the question that the index does not know and the best sentence does not hold: nothing answers it. */
  unknownNames: string[];
}

/** Passages of whose sentences one must be near the question; what a rank below the first costs. */
const read = 5;
const rankCost = 0.05;
/** Passages of which none may say it of the opposite: "without a court decision". */
const presencePassages = 2;
const gapMax = 0.6;
const wholeShare = 0.95;
/** A sentence that holds less of what is asked, with all that stands above it, answers nothing. */
const leastShare = 0.2;

/** How far the first score stands above the mean of the next nine; 1 for a single passage, 0 for none. */
export function gap(scores: readonly number[]): number {
  const first = scores[0] ?? 0;
  const rest = scores.slice(1, 10);
  if (first <= 0) return 0;
  return rest.length === 0 ? 1 : (first - rest.reduce((sum, one) => sum + one, 0) / rest.length) / first;
}

/** The log odds from which on a question is answered. */
export const threshold: number = learned.evidence.threshold;

/**
 * Whether the evidence is enough. These rules are not learned, since no set of questions shows their cases often.
 * - Not enough: a name that nobody here knows; a number that no passage has; a part of a name, or a number counted with
 *   ("in 42 days"), that what was found lacks. What is said of a president is not said of a vice-president.
 * - Enough: one sentence that holds all that is asked, unless it says the opposite.
 *
 * `limit`: log odds of an answer.
 */
export function enough(
  { score, unknownNames, missingCounts, absentNumbers, features, whole, contradictsPresence }: Evidence,
  limit: number = threshold,
): boolean {
  const lacks = unknownNames.length + missingCounts.length + absentNumbers.length + features.unknownName > 0;
  if (lacks || contradictsPresence || features.sentence < leastShare) return false;
  return score >= limit || (whole && features.contradicts === 0);
}

/** Weighs the passages read, best first, the word scores of at least ten hits, and the sentence that ranks first. */
export function weigh(
  question: Question,
  passages: readonly DescribedPassage[],
  scores: readonly number[],
  first: FirstSentence | null,
): Evidence {
  let best: { match: MatchedPassage; sentence: Sentence; share: number } | null = null;
  for (const [rank, { match }] of passages.slice(0, read).entries()) {
    for (const sentence of match.sentences) {
      const share = sentence.share - rankCost * rank;
      if (!best || share > best.share) best = { match, sentence, share };
    }
  }
  const near = best ? [...best.sentence.words, ...best.match.titleWords] : [];
  const nearStems = best ? [...best.sentence.stems, ...best.match.titleStems] : [];
  const there = (one: string) => nearStems.some((word) => covers(one, word));
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
  const missingLabels = missing(question.labels, nearNumbers);
  const labelled =
    missingLabels.length > 0
      ? passages.flatMap(({ match: { title, text, lang } }) => numberKeys(`${title}\n${text}`, lang))
      : [];
  const missingNames = question.names.filter((name) => !nearStems.some((word) => coversName(name, word)));
  const hasUnknownName =
    question.unknownCapitalised.some((one) => !there(one)) ||
    question.compounds.some(([first, last]) => there(last) && !there(first));
  const decides = question.kinds.includes('decision');
  const contradictsPresence = passages
    .slice(0, presencePassages)
    .some(({ match }) => match.contradictsPresence);
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
    unknownName: hasUnknownName ? 1 : 0,
    // Whether it is so, the opposite tells as well.
    contradicts:
      contradictsPresence ||
      (best !== null && !decides && contradicts(question.words, near, question.negated))
        ? 1
        : 0,
    precision: first?.features.precision ?? 0,
    kindMissing: first && !saysWhen ? first.features.kindMissing : 0,
    odds: first?.odds ?? 0,
    certainty: first?.certainty ?? 0,
  };
  return {
    score: evidenceFeatures.reduce(
      (sum, name) => sum + learned.evidence.weights[name]! * features[name],
      learned.evidence.bias,
    ),
    features,
    contradictsPresence,
    whole: (best?.sentence.share ?? 0) >= wholeShare,
    missingNumbers,
    missingNames,
    missingCounts: missing(question.counts, nearNumbers),
    absentNumbers: missingLabels.length > 0 ? missing(question.labels, labelled) : [],
    unknownNames: question.unknownNames.filter((one) => !there(one)),
  };
}
