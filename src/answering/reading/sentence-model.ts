/** Scores the sentences that may answer a question, verbatim, with learned weights (weights.ts). */

import type { AnalysedQuestion } from './analysed-question.ts';
import {
  type DescribedPassage,
  describe,
  type SentenceFeature,
  sentenceFeatures,
  standsForList,
  wholeDefinition,
} from './sentence-features.ts';
import { learned } from './weights.ts';

export interface ScoredSentence {
  /** The index of its passage in the list that was read. */
  passage: number;
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  /** Log odds against the other sentences of the same question, in units of `oddsOfUnit`; comparable only within it. */
  score: number;
  /** Weighted share of the question's terms in the sentence with its title, and in its own words only. */
  share: number;
  own: number;
  /** Its passage or context contains every name of the question. */
  named: boolean;
  /** It is a row: its column names, or "" if it contains them itself. */
  row?: string;
  /** Another row of its passage matches the question better by its values. */
  isOtherRow?: true;
  /** It lacks a number of the question that another sentence read has. */
  lacksNumber?: true;
  /** It is an item that is an answer only with its whole list. */
  whole?: true;
  /** One of its numbers counts what "how many" asks for. */
  counts?: true;
  /** It lacks the tangible kind of answer asked for: a date, amount, reason. */
  lacksKind?: true;
}

/** Log odds per unit of score; the margins for choosing sentences are in these units. */
const oddsOfUnit = 5;

const weights = Float64Array.from(sentenceFeatures, (name) => learned.sentence.weights[name]!);
const unitRight = sentenceFeatures.indexOf('unitRight');
const kindMissing = sentenceFeatures.indexOf('kindMissing');
const definesIndex = sentenceFeatures.indexOf('defines');
/** Bonus of a complete definition, which is too rare in the training data to be learned. */
const wholeDefinitionOdds = 5;
/** Excludes prefix matches: Truro is not trurl. */
const wholeShare = 0.95;
/** The data that the evidence needs about the first sentence. */
export interface FirstSentence {
  /** The index of its passage among those read, and its index there. */
  passage: number;
  n: number;
  features: Readonly<Record<SentenceFeature, number>>;
  /** The probability that it is the answer, given that one of the sentences read is: 0 to 1. */
  certainty: number;
}

/** The certainty of the best of these log odds; there must be at least one. */
export function certaintyOf(all: readonly number[]): number {
  const best = all.reduce((most, one) => Math.max(most, one));
  return 1 / all.reduce((sum, one) => sum + Math.exp(one - best), 0);
}

/** The sentences of all passages read, best first, and the features of the first. */
export function scoreSentences(
  question: AnalysedQuestion,
  passages: readonly DescribedPassage[],
): { sentences: ScoredSentence[]; first: FirstSentence | null } {
  const top = passages[0]?.match.score ?? 0;
  const out: ScoredSentence[] = [];
  const all: number[] = [];
  const most = Math.max(0, ...passages.flatMap(({ match }) => match.sentences.map(({ numbers }) => numbers)));
  let first: { odds: number; passage: number; n: number; features: Float64Array } | null = null;
  for (const [rank, passage] of passages.entries()) {
    const { named } = passage.match;
    /** The best item of each list that is quoted as a whole. */
    const wholes = new Map<number, ScoredSentence>();
    const mostOfRow = Math.max(
      0,
      ...passage.match.sentences.flatMap(({ kind, own }) => (kind === 'row' ? [own] : [])),
    );
    for (const [n, sentence] of passage.match.sentences.entries()) {
      const { start, end, share, own, list } = sentence;
      const features = describe(question, passage, { n, top });
      let odds = 0;
      for (let f = 0; f < weights.length; f++) odds += weights[f]! * features[f]!;
      if (features[definesIndex]! >= wholeDefinition && share >= wholeShare) odds += wholeDefinitionOdds;
      all.push(odds);
      const scored: ScoredSentence = {
        passage: rank,
        start,
        end,
        score: odds / oddsOfUnit,
        share,
        own,
        named,
        ...(sentence.kind === 'row' && { row: sentence.head }),
        ...(sentence.kind === 'row' && own < mostOfRow && { isOtherRow: true as const }),
        ...(sentence.numbers < most && { lacksNumber: true as const }),
        ...(features[unitRight] === 1 && { counts: true as const }),
        ...(features[kindMissing] === 1 && { lacksKind: true as const }),
      };
      if (!standsForList(question, passage, sentence)) out.push(scored);
      else if ((wholes.get(list!)?.score ?? Number.NEGATIVE_INFINITY) < scored.score)
        wholes.set(list!, { ...scored, whole: true });
      if (!first || odds > first.odds) first = { odds, passage: rank, n, features };
    }
    out.push(...wholes.values());
  }
  out.sort((a, b) => b.score - a.score || a.passage - b.passage || a.start - b.start);
  return {
    sentences: out,
    first: first && {
      passage: first.passage,
      n: first.n,
      features: byName(first.features),
      certainty: certaintyOf(all),
    },
  };
}

export const byName = (features: Float64Array): Record<SentenceFeature, number> =>
  Object.fromEntries(sentenceFeatures.map((name, n) => [name, features[n]!])) as Record<
    SentenceFeature,
    number
  >;
