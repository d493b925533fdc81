/** A caller's limits: requests within any 60 s and any 3,600 s; 0: no limit. */
export interface RateLimits {
  perMinute: number;
  perHour: number;
}

/** Describes the window with fewer requests left (the hour, if both have as many). */
export interface RateLimitVerdict {
  allowed: boolean;
  limit: number;
  /** Requests left after this one. */
  remaining: number;
  /** Seconds until the oldest request in that window leaves it, rounded up. */
  resetS: number;
  /** Seconds until a request would be allowed, rounded up, at least 1; 0 if this one was. */
  retryAfterS: number;
}

/**
 * Counts requests in sliding windows of a minute and an hour. Both are checked and counted in one atomic step, so that
 * concurrent requests cannot exceed the limit; a refused request is not counted.
 */
export interface Limiter {
  /** Counts a request of `key` if both windows allow it. Failure `unavailable`. */
  take(key: string, limits: RateLimits): Promise<RateLimitVerdict>;
}
