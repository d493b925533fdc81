/** Means, rank statistics, and confidence intervals of the difference between two runs. */

/** null for an empty list. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least this share (0 to 1) of all values does not exceed; null for an empty list. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/**
 * Share of pairs (one of `yes`, one of `no`) whose first value is greater; ties count half. null if either is empty.
 */
export function auc(yes: readonly number[], no: readonly number[]): number | null {
  if (yes.length === 0 || no.length === 0) return null;
  const sorted = no.toSorted((a, b) => a - b);
  const below = (value: number, orEqual: boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const won = yes.reduce((sum, value) => sum + (below(value, false) + below(value, true)) / 2, 0);
  return won / (yes.length * no.length);
}

export interface Interval {
  low: number;
  high: number;
}

/** Number of resamples, and the coverage of an interval. */
const resamples = 1000;
const within = 0.95;

/**
 * Confidence interval of the difference in a figure between two runs over the same questions (percentile bootstrap over
 * the questions, 95 %); null if the figure is undefined for a tenth of the resamples. `value`: the figure for the pairs
 * at these indices, in the first and the second run. The same pairs give the same interval.
 *
 * Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
 */
export function pairedInterval(
  count: number,
  value: (sample: readonly number[]) => [before: number | null, after: number | null],
): Interval | null {
  const next = random(count);
  const differences: number[] = [];
  for (let n = 0; n < resamples; n++) {
    const sample = Array.from({ length: count }, () => Math.floor(next() * count));
    const [before, after] = value(sample);
    if (before !== null && after !== null) differences.push(after - before);
  }
  if (differences.length < resamples * 0.9) return null;
  const tail = (1 - within) / 2;
  return { low: percentile(differences, tail)!, high: percentile(differences, 1 - tail)! };
}

/** Pseudo-random numbers from 0 to 1, deterministic for a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
