/**
 * The weights of sentences and evidence, as learned by `npm run bench -- fit`; weights.json states the training sets
 * and the results on other questions. No weight is set by hand; only the threshold is chosen.
 */
import { readFileSync } from 'node:fs';

export interface LearnedWeights {
  /** By the feature names in sentence-features.ts and evidence.ts, one each. */
  sentence: { weights: Readonly<Record<string, number>> };
  /** `threshold`: minimum log odds for answering a question. */
  evidence: { weights: Readonly<Record<string, number>>; bias: number; threshold: number };
}

export const learned: LearnedWeights = JSON.parse(
  readFileSync(new URL('weights.json', import.meta.url), 'utf8'),
);
