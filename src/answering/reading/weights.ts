/**
 * The weights by which sentences and evidence are weighed, as `npm run bench -- fit` learned them; weights.json says
 * from which sets and how well they do on questions they were not learned from. Nobody sets one by hand; the threshold alone is chosen.
 */
import { readFileSync } from 'node:fs';

export interface LearnedWeights {
  /** By the names in sentence-features.ts, and in evidence.ts; one for each. */
  sentence: { weights: Readonly<Record<string, number>> };
  /** `threshold`: log odds from which on a question is answered. */
  evidence: { weights: Readonly<Record<string, number>>; bias: number; threshold: number };
}

export const learned: LearnedWeights = JSON.parse(
  readFileSync(new URL('weights.json', import.meta.url), 'utf8'),
);
