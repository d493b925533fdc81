import { expect, it, vi } from 'vitest';
import { MemoryLimiter } from '../../src/read-models/memory-limiter.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { limiterContract } from './limiter.contract.ts';

limiterContract('in memory', async (elapsedMs) => ({
  limiter: new MemoryLimiter({ elapsedMs }),
  close: async () => {},
}));

it('drops the callers that have been idle longest if there are too many', async () => {
  const clock = new ManualClock();
  const limiter = new MemoryLimiter({ elapsedMs: () => clock.ms, timesMax: 10 });
  const limits = { perMinute: 5, perHour: 5 };
  for (let i = 0; i < 1000; i++) {
    await limiter.take(`caller ${i}`, limits);
    expect(limiter.size).toBeLessThanOrEqual(10);
  }
  expect(await limiter.take('caller 999', limits)).toMatchObject({ remaining: 3 });
  expect(await limiter.take('caller 0', limits)).toMatchObject({ remaining: 4 });
});

it('keeps no data about callers after an hour', async () => {
  const clock = new ManualClock();
  const limiter = new MemoryLimiter({ elapsedMs: () => clock.ms });
  const limits = { perMinute: 5, perHour: 50 };
  for (let i = 0; i < 100; i++) await limiter.take(`caller ${i}`, limits);
  expect(limiter.size).toBe(100);
  clock.ms += 3_600_000;
  await limiter.take('somebody', limits);
  expect(limiter.size).toBe(1);
});

it('ignores clock changes in either direction', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 10) });
  try {
    const limiter = new MemoryLimiter();
    const limits = { perMinute: 2, perHour: 50 };
    await limiter.take('k', limits);
    vi.setSystemTime(Date.UTC(2026, 0, 1, 8));
    await limiter.take('k', limits);
    expect(await limiter.take('k', limits)).toMatchObject({ allowed: false });
    vi.setSystemTime(Date.UTC(2026, 0, 1, 15));
    expect(await limiter.take('k', limits)).toMatchObject({ allowed: false });
  } finally {
    vi.useRealTimers();
  }
});

it('treats a minute as sixty seconds, even if it begins at a fraction of a millisecond', async () => {
  // In floating point, this value plus a minute, minus this value, is slightly more than a minute.
  const limiter = new MemoryLimiter({ elapsedMs: () => 477418.60914947366 });
  const limits = { perMinute: 1, perHour: 0 };
  expect(await limiter.take('a', limits)).toMatchObject({ resetS: 60 });
  expect(await limiter.take('a', limits)).toMatchObject({ allowed: false, retryAfterS: 60 });
});
