import { expect, it } from 'vitest';
import { ranking, retrievalMetrics } from '../../../tools/evaluation/retrieval-metrics.ts';

const judged = (...rows: [string, Record<string, number>][]) =>
  new Map(rows.map(([query, grades]) => [query, new Map(Object.entries(grades))]));

it('orders equal scores by document id', () => {
  expect(
    ranking(
      new Map([
        ['b', 1],
        ['a', 1],
        ['c', 2],
      ]),
    ),
  ).toEqual(['c', 'a', 'b']);
});

it('gives 1 to a perfect run and 0 to an empty one', () => {
  const judgements = judged(['q', { a: 1, b: 2 }]);
  const perfect = retrievalMetrics(judgements, judged(['q', { b: 2, a: 1 }]));
  expect(perfect).toEqual({
    queries: 1,
    'nDCG@10': 1,
    'Recall@5': 1,
    'Recall@10': 1,
    'Recall@20': 1,
    'MRR@10': 1,
  });
  const empty = retrievalMetrics(judgements, new Map());
  expect(empty).toEqual({
    queries: 1,
    'nDCG@10': 0,
    'Recall@5': 0,
    'Recall@10': 0,
    'Recall@20': 0,
    'MRR@10': 0,
  });
});

it('discounts by rank and means over queries with a relevant document', () => {
  const judgements = judged(['one', { a: 1 }], ['two', { x: 3, y: 1 }], ['none', { a: 0 }]);
  const run = judged(['one', { b: 9, a: 8 }], ['two', { y: 5, z: 4, x: 3 }], ['none', { a: 1 }]);
  const measured = retrievalMetrics(judgements, run);
  const one = 1 / Math.log2(3);
  const two = (1 + 3 / Math.log2(4)) / (3 + 1 / Math.log2(3));
  expect(measured.queries).toBe(2);
  expect(measured['nDCG@10']).toBeCloseTo((one + two) / 2, 12);
  expect(measured['MRR@10']).toBeCloseTo((1 / 2 + 1) / 2, 12);
  expect(measured['Recall@5']).toBe(1);
});

it('counts recall by depth', () => {
  const scores = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`d${n}`, 30 - n]));
  const measured = retrievalMetrics(judged(['q', { d4: 1, d9: 1, d19: 1, d25: 1 }]), judged(['q', scores]));
  expect([measured['Recall@5'], measured['Recall@10'], measured['Recall@20']]).toEqual([0.25, 0.5, 0.75]);
});
