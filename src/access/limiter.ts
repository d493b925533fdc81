/**
 * Limits of one process: the times of the requests let through, per caller. Exact, as nothing can come between
 * looking and counting. A window holds what is less than its length old: (now − length, now]. Time is what has passed,
 * not what the clock says: one that is set back would refuse callers for as long, one set forward let them through.
 *
 * A caller's times take 8 bytes each. When all together are more than `timesMax`, the callers that have been silent
 * longest are forgotten; with the default that takes a million requests let through within an hour.
 */
import type { Limiter, RateLimits, RateLimitVerdict } from '../ports/limiter.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

export interface MemoryLimiterOptions {
  /** Milliseconds since some moment; never goes back. Default: since the process began. */
  elapsedMs?: () => number;
  /** Times kept of all callers together; default 1,000,000. */
  timesMax?: number;
}

export class MemoryLimiter implements Limiter {
  readonly #elapsedMs: () => number;
  readonly #timesMax: number;
  /** In the order of their last request, the most silent first. */
  readonly #callers = new Map<string, Times>();
  #kept = 0;

  constructor({ elapsedMs = () => performance.now(), timesMax = 1_000_000 }: MemoryLimiterOptions = {}) {
    this.#elapsedMs = elapsedMs;
    this.#timesMax = timesMax;
  }

  /** Times kept of all callers. */
  get size(): number {
    return this.#kept;
  }

  async take(key: string, limits: RateLimits): Promise<RateLimitVerdict> {
    const now = this.#elapsedMs();
    const times = this.#callers.get(key) ?? new Times();
    this.#callers.delete(key);
    const before = times.length;
    times.dropUntil(now - (limits.perHour > 0 ? hourMs : minuteMs));
    const windows: Window[] = [];
    if (limits.perMinute > 0) windows.push(windowOf(times, limits.perMinute, minuteMs, now));
    if (limits.perHour > 0) windows.push(windowOf(times, limits.perHour, hourMs, now));
    const allowed = windows.every(({ used, limit }) => used < limit);
    if (allowed && windows.length > 0) times.push(now);
    if (times.length > 0) this.#callers.set(key, times);
    this.#kept += times.length - before;
    this.#forget(now);
    return verdictOf(windows, allowed, now);
  }

  /** Counts a request that was let through elsewhere, so long ago in ms. */
  count(key: string, agoMs: number): void {
    const now = this.#elapsedMs();
    const times = this.#callers.get(key) ?? new Times();
    this.#callers.delete(key);
    times.put(now - agoMs);
    this.#callers.set(key, times);
    this.#kept++;
    this.#forget(now);
  }

  /** Drops what no window counts any more from the front, and whole callers while there are too many times. */
  #forget(now: number): void {
    for (const [key, times] of this.#callers) {
      if (this.#kept <= this.#timesMax && times.last > now - hourMs) return;
      this.#callers.delete(key);
      this.#kept -= times.length;
    }
  }
}

/** A window as it stands before the request. `at(0)`: its oldest time. */
interface Window {
  used: number;
  limit: number;
  lengthMs: number;
  at: (index: number) => number;
}

function windowOf(times: Times, limit: number, lengthMs: number, now: number): Window {
  const first = times.firstAfter(now - lengthMs);
  return { used: times.length - first, limit, lengthMs, at: (index) => times.at(first + index) };
}

function verdictOf(windows: readonly Window[], allowed: boolean, now: number): RateLimitVerdict {
  const taken = allowed ? 1 : 0;
  const left = ({ limit, used }: Window) => Math.max(0, limit - used - taken);
  const tighter = windows.reduce<Window | null>((a, b) => (a === null || left(b) <= left(a) ? b : a), null);
  if (tighter === null) return { allowed, limit: 0, remaining: 0, resetS: 0, retryAfterS: 0 };
  const oldest = tighter.used > 0 ? tighter.at(0) : now;
  const waits = windows
    .filter(({ used, limit }) => used >= limit)
    .map(({ used, limit, lengthMs, at }) => at(used - limit) + lengthMs - now);
  return {
    allowed,
    limit: tighter.limit,
    remaining: left(tighter),
    resetS: wholeSeconds(oldest + tighter.lengthMs - now),
    retryAfterS: allowed ? 0 : Math.max(1, wholeSeconds(Math.max(...waits))),
  };
}

/** Seconds begun. To the millisecond: times have fractions, and a minute less nothing is not always a minute. */
const wholeSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);

/** Rising times, dropped at the front and added at the end. */
class Times {
  #times: number[] = [];
  #start = 0;

  get length(): number {
    return this.#times.length - this.#start;
  }

  get last(): number {
    return this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  at(index: number): number {
    return this.#times[this.#start + index]!;
  }

  push(time: number): void {
    this.#times.push(time);
  }

  /** A time among the others. */
  put(time: number): void {
    this.#times.splice(this.#start + this.firstAfter(time), 0, time);
  }

  dropUntil(time: number): void {
    this.#start += this.firstAfter(time);
    if (this.#start * 2 <= this.#times.length) return;
    this.#times = this.#times.slice(this.#start);
    this.#start = 0;
  }

  /** Index of the first time later than `time`; the length where there is none. */
  firstAfter(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
