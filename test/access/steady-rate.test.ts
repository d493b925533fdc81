import { expect, it } from 'vitest';
import { SteadyRate } from '../../src/access/steady-rate.ts';

function open(callersMax = 10) {
  let now = 0;
  const rate = new SteadyRate({ perS: 10, burst: 3, now: () => now, callersMax });
  return { rate, pass: (ms: number) => (now += ms) };
}

it('holds nobody up for a few at once, and then for as long as there were too many', () => {
  const { rate } = open();
  expect([1, 2, 3, 4, 5].map(() => rate.waitMs('a'))).toEqual([0, 0, 0, 100, 200]);
  expect(rate.waitMs('b')).toBe(0);
});

it('is paid for by time that passes', () => {
  const { rate, pass } = open();
  for (let n = 0; n < 5; n++) rate.waitMs('a');
  pass(200);
  expect(rate.waitMs('a')).toBe(100);
  pass(60_000);
  // Silence saves nothing up beyond what may come at once.
  expect([1, 2, 3, 4].map(() => rate.waitMs('a'))).toEqual([0, 0, 0, 100]);
});

it('counts what is large as many', () => {
  const { rate } = open();
  expect(rate.waitMs('a', 8)).toBe(500);
});

it('forgets the most silent where there are too many', () => {
  const { rate } = open(2);
  expect([rate.waitMs('a', 8), rate.waitMs('b', 8)]).toEqual([500, 500]);
  expect([rate.waitMs('a'), rate.waitMs('c')]).toEqual([600, 0]);
  expect([rate.waitMs('a'), rate.waitMs('b')]).toEqual([700, 0]);
});
