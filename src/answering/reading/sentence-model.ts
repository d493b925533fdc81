/** The sentences that may answer a question, verbatim, weighed by what was learned (weights.ts). */

import type { Question } from './question.ts';
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
  /** It is a row, with the columns it stands under, "" where it names them itself. */
  row?: string;
  /** A row of its passage has more of the question among its values. */
  isOtherRow?: true;
  /** It lacks a number of the question that another sentence read has. */
  lacksNumber?: true;
  /** It is an item that answers only with the whole of its list. */
  whole?: true;
  /** A number of it counts what the question asks how many there are of. */
  counts?: true;
  /** It holds nothing of the tangible kind the question asks for: no date, sum, reason. */
  lacksKind?: true;
}

/** How much log odds a unit of a score stands for; the margins by which sentences are chosen are in these units. */
const oddsOfUnit = 5;

const weights = Float64Array.from(sentenceFeatures, (name) => learned.sentence.weights[name]!);
const unitRight = sentenceFeatures.indexOf('unitRight');
const kindMissing = sentenceFeatures.indexOf('kindMissing');
const definesIndex = sentenceFeatures.indexOf('defines');
/** What defines all that is to be defined is the answer wherever it stands: too rare in what was learned from to weigh. */
const wholeDefinitionOdds = 5;
/** More than words make up that only begin like those of the question: Truro is no trurl. */
const wholeShare = 0.95;
/** What the evidence asks of the sentence that ranks first. */
export interface FirstSentence {
  /** The place of its passage among those that were read, and its own there. */
  passage: number;
  n: number;
  features: Readonly<Record<SentenceFeature, number>>;
  /** The probability that it answers, if one of the sentences read does: 0 to 1. */
  certainty: number;
}

/** The certainty of the best of these log odds, of which there is at least one. */
export function certaintyOf(all: readonly number[]): number {
  const best = all.reduce((most, one) => Math.max(most, one));
  return 1 / all.reduce((sum, one) => sum + Math.exp(one - best), 0);
}

/** Sentences of all passages read, best first, and the first of them as it is known. */
export function scoreSentences(
  question: Question,
  passages: readonly DescribedPassage[],
): { sentences: ScoredSentence[]; first: FirstSentence | null } {
  const top = passages[0]?.match.score ?? 0;
  const out: ScoredSentence[] = [];
  const all: number[] = [];
  const most = Math.max(0, ...passages.flatMap(({ match }) => match.sentences.map(({ numbers }) => numbers)));
  let first: { odds: number; passage: number; n: number; features: Float64Array } | null = null;
  for (const [rank, passage] of passages.entries()) {
    const { named } = passage.match;
    /** Of each list that is told whole its best item. */
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

/** Features by their names. */
export const byName = (features: Float64Array): Record<SentenceFeature, number> =>
  Object.fromEntries(sentenceFeatures.map((name, n) => [name, features[n]!])) as Record<
    SentenceFeature,
    number
  >;
