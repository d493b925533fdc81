/**
 * The weights of the sentence model and the evidence model. They are learned by `npm run bench -- fit`; only the
 * threshold is chosen by hand. The file weights.json names the training sets and states the results on other questions.
 */
import { readFileSync } from 'node:fs';

export interface LearnedWeights {
  /** One weight for each feature named in sentence-features.ts and evidence.ts. */
  sentence: { weights: Readonly<Record<string, number>> };
  /** `threshold`: the minimum log odds for answering a question. */
  evidence: { weights: Readonly<Record<string, number>>; bias: number; threshold: number };
}

export const learned: LearnedWeights = JSON.parse(
  readFileSync(new URL('weights.json', import.meta.url), 'utf8'),
);
