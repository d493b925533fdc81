import { expect, it } from 'vitest';
import { MemoryLimiter } from '../../src/access/limiter.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { limiterContract } from './limiter.contract.ts';

limiterContract('in memory', async (clock) => ({
  limiter: new MemoryLimiter({ clock }),
  close: async () => {},
}));

it('forgets the callers that were silent longest when there are too many', async () => {
  const clock = new ManualClock();
  const limiter = new MemoryLimiter({ clock, timesMax: 10 });
  const limits = { perMinute: 5, perHour: 5 };
  for (let i = 0; i < 1000; i++) {
    await limiter.take(`caller ${i}`, limits);
    expect(limiter.size).toBeLessThanOrEqual(10);
  }
  expect(await limiter.take('caller 999', limits)).toMatchObject({ remaining: 3 });
  expect(await limiter.take('caller 0', limits)).toMatchObject({ remaining: 4 });
});

it('keeps nothing of callers whose last hour is over', async () => {
  const clock = new ManualClock();
  const limiter = new MemoryLimiter({ clock });
  const limits = { perMinute: 5, perHour: 50 };
  for (let i = 0; i < 100; i++) await limiter.take(`caller ${i}`, limits);
  expect(limiter.size).toBe(100);
  clock.ms += 3_600_000;
  await limiter.take('somebody', limits);
  expect(limiter.size).toBe(1);
});
