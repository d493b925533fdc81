import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/access/pace.ts';

function open(callersMax = 10) {
  let now = 0;
  const pace = new Pace({ now: () => now, callersMax });
  return {
    pace,
    pass: (ms: number) => {
      now += ms;
    },
    refuse: (name: string, times: number) => {
      for (let n = 0; n < times; n++) pace.refused(name);
    },
  };
}

describe('a caller that is refused', () => {
  it('waits for nothing at first', () => {
    const { pace, refuse } = open();
    refuse('a', 20);
    expect([pace.waitMs('a'), pace.waitMs('a'), pace.waitMs('b')]).toEqual([0, 0, 0]);
  });

  it('waits its turn when it goes on, and what comes faster is refused unread', () => {
    const { pace, pass, refuse } = open();
    refuse('a', 21);
    const waits = Array.from({ length: 11 }, () => pace.waitMs('a'));
    expect(waits).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000, null, null]);
    expect(pace.waitMs('b')).toBe(0);
    pass(1000);
    expect(pace.waitMs('a')).toBe(1250);
  });

  it('waits the longer the more is refused, up to a second for each', () => {
    const { pace, pass, refuse } = open();
    const step = () => {
      pass(10_000);
      pace.waitMs('a');
      return pace.waitMs('a');
    };
    refuse('a', 40);
    expect(step()).toBe(500);
    refuse('a', 40);
    expect(step()).toBe(1000);
    refuse('a', 1000);
    expect(step()).toBe(1000);
  });

  it('waits the sooner the more it took to refuse it', () => {
    const { pace } = open();
    pace.refused('a', 40);
    expect([pace.waitMs('a'), pace.waitMs('a')]).toEqual([0, 500]);
  });

  it('is forgiven a minute after the last refusal', () => {
    const { pace, pass, refuse } = open();
    refuse('a', 100);
    pass(59_999);
    pace.waitMs('a');
    expect(pace.waitMs('a')).toBe(1000);
    pass(60_000);
    expect([pace.waitMs('a'), pace.waitMs('a')]).toEqual([0, 0]);
  });

  it('is forgotten where many others are refused', () => {
    const { pace, refuse } = open(10);
    refuse('a', 100);
    for (let n = 0; n < 10; n++) refuse(`b${n}`, 1);
    expect([pace.waitMs('a'), pace.waitMs('a')]).toEqual([0, 0]);
  });
});
