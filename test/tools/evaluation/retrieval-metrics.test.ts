import { expect, it } from 'vitest';
import { rankingScores } from '../../../tools/evaluation/retrieval-metrics.ts';

const scores = (ranked: string[], grades: Record<string, number>) =>
  rankingScores(ranked, new Map(Object.entries(grades)));

it('scores a perfect ranking as 1 and an empty one as 0', () => {
  const all = (value: number) => ({
    'nDCG@10': value,
    'Recall@5': value,
    'Recall@10': value,
    'Recall@20': value,
    'MRR@10': value,
  });
  expect(scores(['b', 'a'], { a: 1, b: 2 })).toEqual(all(1));
  expect(scores([], { a: 1, b: 2 })).toEqual(all(0));
});

it('measures nothing if no document is relevant', () => {
  expect(scores(['a'], { a: 0 })).toBeNull();
});

it('discounts by rank', () => {
  expect(scores(['b', 'a'], { a: 1 })).toMatchObject({ 'nDCG@10': 1 / Math.log2(3), 'MRR@10': 1 / 2 });
  const two = scores(['y', 'z', 'x'], { x: 3, y: 1 })!;
  expect(two['nDCG@10']).toBeCloseTo((1 + 3 / Math.log2(4)) / (3 + 1 / Math.log2(3)), 12);
  expect(two['MRR@10']).toBe(1);
});

it('counts recall by depth', () => {
  const ranked = Array.from({ length: 30 }, (_, n) => `d${n}`);
  const measured = scores(ranked, { d4: 1, d9: 1, d19: 1, d25: 1 })!;
  expect([measured['Recall@5'], measured['Recall@10'], measured['Recall@20']]).toEqual([0.25, 0.5, 0.75]);
});
