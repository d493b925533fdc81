/** Scores sentences as answers to a question with learned weights (weights.ts). */

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
  /** The index of its passage in the list of passages. */
  passage: number;
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  /** The log odds divided by `oddsOfUnit`. Scores can be compared only within one question. */
  score: number;
  /** The weighted share of the question's terms in the sentence with its title and head, and in its own words alone. */
  share: number;
  own: number;
  /** Whether its passage contains every name in the question. */
  named: boolean;
  /** For a row, its column names; '' for a record, which contains them itself. */
  row?: string;
  /** Present if the values of another row in the passage match the question better. */
  isOtherRow?: true;
  /** Present if it is an item that is an answer only together with its whole list. */
  whole?: true;
  /** Present if one of its numbers counts what "how many" asks for. */
  counts?: true;
  /** Present if it lacks the kind of answer asked for, such as a date, an amount or a reason. */
  lacksKind?: true;
}

/** Log odds per unit of score. The margins for choosing sentences are in these units. */
const oddsOfUnit = 5;

const weights = Float64Array.from(sentenceFeatures, (name) => learned.sentence.weights[name]!);
const unitRight = sentenceFeatures.indexOf('unitRight');
const kindMissing = sentenceFeatures.indexOf('kindMissing');
const definesIndex = sentenceFeatures.indexOf('defines');
/** The bonus, in log odds, for a complete definition. Definitions are too rare in the training data to learn it. */
const wholeDefinitionOdds = 5;
/** Minimum share for this bonus. It excludes matches by prefix: "Truro" is not "trurl". */
const wholeShare = 0.95;
/** The facts about the best sentence that the evidence requires. */
export interface FirstSentence {
  /** The index of its passage, and its index in the passage. */
  passage: number;
  n: number;
  features: Readonly<Record<SentenceFeature, number>>;
  /** The probability, from 0 to 1, that it is the answer, given that one of the sentences is. */
  certainty: number;
}

/** The probability of the best of these log odds (softmax). There must be at least one. */
export function certaintyOf(all: readonly number[]): number {
  const best = all.reduce((most, one) => Math.max(most, one));
  return 1 / all.reduce((sum, one) => sum + Math.exp(one - best), 0);
}

/** Returns the sentences of all passages, best first, and the features of the sentence with the highest odds. */
export function scoreSentences(
  question: AnalysedQuestion,
  passages: readonly DescribedPassage[],
): { sentences: ScoredSentence[]; first: FirstSentence | null } {
  const top = passages[0]?.match.score ?? 0;
  const out: ScoredSentence[] = [];
  const all: number[] = [];
  let first: { odds: number; passage: number; n: number; features: Float64Array } | null = null;
  for (const [rank, passage] of passages.entries()) {
    const { named } = passage.match;
    /** The best item of each list that is quoted as a whole, by the start of the list. */
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
