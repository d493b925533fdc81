/**
 * Rate limits for one process, based on the times of allowed requests per caller. They are exact, because a request is
 * checked and counted in one step. A window contains the times from (now − length, now]. Elapsed time is used instead
 * of the clock: setting a clock back would cause callers to be refused for that long, and setting it forward would let
 * them through.
 *
 * A caller's times take 8 bytes each. When there are more than `timesMax` in total, the callers that have been idle
 * longest are dropped. With the default value, this requires a million allowed requests within an hour.
 */
import type { Limiter, RateLimits, RateLimitVerdict } from '../ports/limiter.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

export interface MemoryLimiterOptions {
  /** A monotonic clock in ms. Default: time since the process started. */
  elapsedMs?: () => number;
  /** Maximum number of times stored for all callers. Default: 1,000,000. */
  timesMax?: number;
}

export class MemoryLimiter implements Limiter {
  readonly #elapsedMs: () => number;
  readonly #timesMax: number;
  /** Ordered by last request, longest idle first. */
  readonly #callers = new Map<string, Times>();
  #kept = 0;

  constructor({ elapsedMs = () => performance.now(), timesMax = 1_000_000 }: MemoryLimiterOptions = {}) {
    this.#elapsedMs = elapsedMs;
    this.#timesMax = timesMax;
  }

  /** Number of times stored for all callers. */
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

  /** Drops expired times, and the longest idle callers if there are still too many times. */
  #forget(now: number): void {
    for (const [key, times] of this.#callers) {
      if (this.#kept <= this.#timesMax && times.last > now - hourMs) return;
      this.#callers.delete(key);
      this.#kept -= times.length;
    }
  }
}

/** The state of a window before the request. `at(0)` is its oldest time. */
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

/** Rounds up to whole seconds. Rounds to the millisecond first to remove floating-point fractions. */
const wholeSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);

/** Times in ascending order, removed from the front and appended at the end. */
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

  dropUntil(time: number): void {
    this.#start += this.firstAfter(time);
    if (this.#start * 2 <= this.#times.length) return;
    this.#times = this.#times.slice(this.#start);
    this.#start = 0;
  }

  /** Index of the first time later than `time`, or the length if there is none. */
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
