/**
 * The contract for every Limiter. A test file calls `limiterContract` with a name and a function that creates a limiter
 * with the given clock. Several instances may share the limiter.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Limiter, RateLimits } from '../../src/ports/limiter.ts';
import { ManualClock } from '../support/manual-clock.ts';

export interface OpenedLimiter {
  limiter: Limiter;
  close(): Promise<void>;
}

/** The rule in its simplest form. */
class NaiveLimiter {
  readonly #times: number[] = [];
  take(now: number, { perMinute, perHour }: RateLimits): boolean {
    const within = (lengthMs: number) => this.#times.filter((t) => t > now - lengthMs).length;
    const allowed =
      (perMinute === 0 || within(60_000) < perMinute) && (perHour === 0 || within(3_600_000) < perHour);
    if (allowed) this.#times.push(now);
    return allowed;
  }
}

export function limiterContract(
  name: string,
  open: (elapsedMs: () => number) => Promise<OpenedLimiter>,
): void {
  describe(`limits: ${name}`, () => {
    let clock: ManualClock;
    let opened: OpenedLimiter;
    let limiter: Limiter;
    beforeEach(async () => {
      clock = new ManualClock();
      opened = await open(() => clock.ms);
      limiter = opened.limiter;
    });
    afterEach(() => opened.close());

    it('allows exactly the limit, regardless of the number of concurrent requests', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 1000 }, () => limiter.take('k', { perMinute: 30, perHour: 300 })),
      );
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(30);
      expect(verdicts.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: 1000 }, (_, i) => Math.max(0, 29 - i)),
      );
    });

    it('reports the tighter window', async () => {
      const limits = { perMinute: 3, perHour: 4 };
      expect(await limiter.take('k', limits)).toEqual({
        allowed: true,
        limit: 3,
        remaining: 2,
        resetS: 60,
        retryAfterS: 0,
      });
      clock.ms += 10_500;
      expect(await limiter.take('k', limits)).toMatchObject({ limit: 3, remaining: 1, resetS: 50 });
      await limiter.take('k', limits);
      expect(await limiter.take('k', limits)).toEqual({
        allowed: false,
        limit: 3,
        remaining: 0,
        resetS: 50,
        retryAfterS: 50,
      });
      clock.ms += 49_500;
      expect(await limiter.take('k', limits)).toEqual({
        allowed: true,
        limit: 4,
        remaining: 0,
        resetS: 3540,
        retryAfterS: 0,
      });
      expect(await limiter.take('k', limits)).toMatchObject({ allowed: false, retryAfterS: 3540 });
    });

    it('counts callers separately', async () => {
      const limits = { perMinute: 1, perHour: 1 };
      expect((await limiter.take('a', limits)).allowed).toBe(true);
      expect((await limiter.take('b', limits)).allowed).toBe(true);
      expect((await limiter.take('a', limits)).allowed).toBe(false);
    });

    it('does not limit requests if the limit is 0', async () => {
      for (let i = 0; i < 100; i++)
        expect((await limiter.take('k', { perMinute: 0, perHour: 0 })).allowed).toBe(true);
      const hourOnly = { perMinute: 0, perHour: 2 };
      const verdicts = [];
      for (let i = 0; i < 3; i++) verdicts.push(await limiter.take('h', hourOnly));
      expect(verdicts.map(({ allowed, limit }) => [allowed, limit])).toEqual([
        [true, 2],
        [true, 2],
        [false, 2],
      ]);
      expect(await limiter.take('m', { perMinute: 2, perHour: 0 })).toMatchObject({ limit: 2, remaining: 1 });
    });

    it('allows a request again exactly at the announced time', async () => {
      const limits = { perMinute: 2, perHour: 5 };
      for (let i = 0; i < 40; i++) {
        const { allowed, retryAfterS } = await limiter.take('k', limits);
        if (allowed) {
          clock.ms += 700;
          continue;
        }
        clock.ms += (retryAfterS - 1) * 1000 - 1;
        expect((await limiter.take('k', limits)).allowed).toBe(false);
        clock.ms += 1001;
        expect((await limiter.take('k', limits)).allowed).toBe(true);
      }
    });

    it('behaves like the simple rule at any times, and does not count rejected requests', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.record({ perMinute: fc.integer({ min: 0, max: 4 }), perHour: fc.integer({ min: 0, max: 8 }) }),
          fc.array(
            fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constantFrom(0, 59_999, 60_000, 3_599_999)),
            { maxLength: 60 },
          ),
          async (limits, steps) => {
            const key = `run ${++run}`;
            const naive = new NaiveLimiter();
            for (const step of steps) {
              clock.ms += step;
              const { allowed } = await limiter.take(key, limits);
              expect(allowed).toBe(naive.take(clock.ms, limits));
            }
          },
        ),
      );
    });
  });
}
