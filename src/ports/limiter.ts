/** A caller's limits: requests within any 60 s and any 3,600 s; 0 means no limit. */
export interface RateLimits {
  perMinute: number;
  perHour: number;
}

/** Describes the window with fewer requests remaining (the hour, if both have the same number). */
export interface RateLimitVerdict {
  allowed: boolean;
  limit: number;
  /** Requests remaining after this one. */
  remaining: number;
  /** Seconds until the oldest request in that window leaves it, rounded up. */
  resetS: number;
  /** Seconds until a request would be allowed, rounded up and at least 1; 0 if this one was allowed. */
  retryAfterS: number;
}

/**
 * Counts requests in sliding windows of a minute and an hour. Both windows are checked and counted in one atomic step,
 * so that concurrent requests cannot exceed the limit. A refused request is not counted.
 */
export interface Limiter {
  /** Counts a request by `key` if both windows allow it. May fail with `unavailable`. */
  take(key: string, limits: RateLimits): Promise<RateLimitVerdict>;
}
