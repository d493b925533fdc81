import { describe, expect, it } from 'vitest';
import { auc, mean, pairedInterval, percentile } from '../../../tools/evaluation/statistics.ts';

it('the mean of nothing is undefined', () => {
  expect([mean([]), mean([1, 2, 6])]).toEqual([null, 3]);
});

it('a quantile is the value that a share of values does not exceed', () => {
  const values = [40, 10, 30, 20];
  expect([0, 0.25, 0.5, 0.51, 1].map((share) => percentile(values, share))).toEqual([10, 10, 20, 30, 40]);
  expect(percentile([], 0.5)).toBeNull();
});

it('the AUC measures how well scores separate two groups', () => {
  expect(auc([3, 4], [1, 2])).toBe(1);
  expect(auc([1, 2], [3, 4])).toBe(0);
  // Of six pairs, three are won and two are tied.
  expect(auc([1, 2, 3], [1, 3])).toBe((0.5 + 1 + 1 + 0.5) / 6);
  expect(auc([Number.POSITIVE_INFINITY, 0], [Number.NEGATIVE_INFINITY, 0])).toBe((1 + 1 + 1 + 0.5) / 4);
  expect(auc([], [1])).toBeNull();
});

describe('the confidence interval of a difference', () => {
  const between = (before: readonly number[], after: readonly number[]) =>
    pairedInterval(before.length, (places) => [
      mean(places.map((n) => before[n]!)),
      mean(places.map((n) => after[n]!)),
    ]);

  it('is narrow if every question gains the same', () => {
    const before = Array.from({ length: 40 }, (_, n) => n / 10);
    const interval = between(
      before,
      before.map((value) => value + 1),
    )!;
    expect(interval.low).toBeCloseTo(1, 9);
    expect(interval.high).toBeCloseTo(1, 9);
  });

  it('contains zero if half gain what the others lose', () => {
    const before = Array.from({ length: 40 }, () => 0.5);
    const { low, high } = between(
      before,
      before.map((_, n) => (n % 2 === 0 ? 1 : 0)),
    )!;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
    // About two standard errors: .5 / sqrt(40).
    expect(high - low).toBeGreaterThan(0.2);
    expect(high - low).toBeLessThan(0.45);
  });

  it('is reproducible, and missing if the figure is rarely defined', () => {
    const [before, after] = [
      [1, 0, 1, 0, 1],
      [1, 1, 1, 0, 1],
    ];
    expect(between(before!, after!)).toEqual(between(before!, after!));
    expect(pairedInterval(5, () => [null, 1])).toBeNull();
  });
});
