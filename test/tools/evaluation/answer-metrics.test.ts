import { expect, it } from 'vitest';
import { answerF1, answerScores, contains, normalise } from '../../../tools/evaluation/answer-metrics.ts';

it('normalises like the scorer of the sets', () => {
  expect(normalise('The  Сове́т — “Ёлка”, an A-1 (№5)!')).toBe('совет елка 1 no5');
  expect(normalise('1832—1833')).toBe('1832 1833');
});

it('measures the words an answer shares with a gold answer', () => {
  // Two of the four words match, and two of the three expected words are found: 2 · 2 / (4 + 3).
  expect(answerF1('in the year of 1932 exactly', 'year 1932 AD')).toBeCloseTo((2 * 2) / (5 - 0 + 3), 12);
  // A word counts as often as it occurs in both.
  expect(answerF1('no no no', 'no no')).toBeCloseTo((2 * 2) / 5, 12);
  expect(answerF1('…', '!')).toBe(1);
  expect(answerF1('…', 'one')).toBe(0);
});

it('uses the best of several gold answers', () => {
  expect(answerScores('the red bridge', ['bridge', 'Red Bridge'])).toEqual({ EM: 1, F1: 1, contains: 1 });
  expect(answerScores('a red bridge over water', ['red bridge'])).toEqual({
    EM: 0,
    F1: (2 * 2) / (4 + 2),
    contains: 1,
  });
});

it('counts an abstention as correct only if there is no answer', () => {
  expect(answerScores('', [])).toEqual({ EM: 1, F1: 1, contains: null });
  expect(answerScores('something', ['  '])).toEqual({ EM: 0, F1: 0, contains: null });
  expect(answerScores(' — ', ['something'])).toEqual({ EM: 0, F1: 0, contains: 0 });
});

it('finds whole words only', () => {
  expect(contains('built in 1932.', ['193'])).toBe(false);
  expect(contains('built in 1932.', ['in 1932'])).toBe(true);
});
