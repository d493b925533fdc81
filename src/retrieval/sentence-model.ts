/** The sentences that may answer a question, verbatim, weighed by what was learned (weights.ts). */

import type { Question } from './question.ts';
import {
  type DescribedPassage,
  describe,
  type SentenceFeature,
  sentenceFeatures,
} from './sentence-features.ts';
import { learned } from './weights.ts';

export interface ScoredSentence {
  /** The passage's place in the list that was read. */
  passage: number;
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  /** Log odds against the other sentences of the same question, in units of `oddsOfUnit`: comparable within it only. */
  score: number;
  /** Weighted share of the question's terms in the sentence with its title, and in its own words alone. */
  share: number;
  own: number;
  /** Its passage or what stands above it holds every name of the question. */
  named: boolean;
}

/** How much log odds a unit of a score stands for; the margins by which sentences are chosen are in these units. */
const oddsOfUnit = 5;

const weights = Float64Array.from(sentenceFeatures, (name) => learned.sentence.weights[name]!);
/** What the evidence asks of the sentence that ranks first. */
export interface FirstSentence {
  /** Log odds, as the model has them. */
  odds: number;
  features: Readonly<Record<SentenceFeature, number>>;
}

/** Sentences of all passages read, best first, and the first of them as it is known. */
export function scoreSentences(
  question: Question,
  passages: readonly DescribedPassage[],
): { sentences: ScoredSentence[]; first: FirstSentence | null } {
  const top = passages[0]?.match.score ?? 0;
  const out: ScoredSentence[] = [];
  let first: { odds: number; features: Float64Array } | null = null;
  for (const [rank, passage] of passages.entries()) {
    const { named } = passage.match;
    for (const [n, { start, end, share, own }] of passage.match.sentences.entries()) {
      const features = describe(question, passage, { rank, n, top });
      let odds = 0;
      for (let f = 0; f < weights.length; f++) odds += weights[f]! * features[f]!;
      out.push({ passage: rank, start, end, score: odds / oddsOfUnit, share, own, named });
      if (!first || odds > first.odds) first = { odds, features };
    }
  }
  out.sort((a, b) => b.score - a.score || a.passage - b.passage || a.start - b.start);
  return { sentences: out, first: first && { odds: first.odds, features: byName(first.features) } };
}

/** Features by their names. */
export const byName = (features: Float64Array): Record<SentenceFeature, number> =>
  Object.fromEntries(sentenceFeatures.map((name, n) => [name, features[n]!])) as Record<
    SentenceFeature,
    number
  >;
