/** What limits a caller: requests within any 60 s and any 3,600 s; 0: no limit. */
export interface RateLimits {
  perMinute: number;
  perHour: number;
}

/** Of the window that leaves fewer requests (of both alike the hour). */
export interface RateLimitVerdict {
  allowed: boolean;
  limit: number;
  /** Requests left after this one. */
  remaining: number;
  /** Seconds until the oldest request counted in that window leaves it, rounded up. */
  resetS: number;
  /** Seconds after which a request would be let through, rounded up, at least 1; 0 when this one was. */
  retryAfterS: number;
}

/**
 * Counts requests in sliding windows of a minute and an hour. Both are looked at and counted in one step, so that
 * no more than the limit gets through however many come at once; a refused request counts nowhere.
 */
export interface Limiter {
  /** Counts a request of `key` if both windows allow it. Failure `unavailable`. */
  take(key: string, limits: RateLimits): Promise<RateLimitVerdict>;
}
