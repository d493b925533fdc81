/**
 * Limits shared by all instances: a caller's times in one sorted set, looked at and counted by one script, so that
 * nothing can come between. Scores are the clock's milliseconds; equal ones are told apart by a counter. The times are
 * the instances' own: their clocks differ by less than matters for a minute, and one set back does not disorder them.
 * A set lives an hour beyond its last request. Verdicts are as in src/access/limiter.ts.
 *
 * While Redis is away each instance counts for itself: then a caller may get as much from each of them.
 */
import { Failure } from '../../failures.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Limiter, RateLimits, RateLimitVerdict } from '../../ports/limiter.ts';
import { type Redis, script } from './redis-connection.ts';

/**
 * ARGV: now, limits a minute and an hour. Answers whether it was let through, and of each window that is limited: how
 * many it held, its oldest time (or now), and the time whose leaving lets another one through.
 */
const takeScript = script(`
local key, now = KEYS[1], tonumber(ARGV[1])
local minute, hour = tonumber(ARGV[2]), tonumber(ARGV[3])
local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - (hour > 0 and 3600000 or 60000))
local allowed, verdict = 1, { 0 }
for _, window in ipairs({ { minute, 60000 }, { hour, 3600000 } }) do
  local limit, length = window[1], window[2]
  if limit > 0 then
    local all = redis.call('ZCARD', key)
    local first = redis.call('ZCOUNT', key, '-inf', now - length)
    local used = all - first
    local function at(i) return redis.call('ZRANGE', key, first + i, first + i, 'WITHSCORES')[2] end
    local oldest, leaving = tostring(now), '0'
    if used > 0 then oldest = at(0) end
    if used >= limit then
      allowed = 0
      leaving = at(used - limit)
    end
    verdict[#verdict + 1] = { used, oldest, leaving }
  end
end
verdict[1] = allowed
if allowed == 1 and (minute > 0 or hour > 0) then
  local time = last and math.max(now, tonumber(last)) or now
  local n = redis.call('INCR', key .. ':n')
  redis.call('ZADD', key, string.format('%d', time), string.format('%012d', n))
  redis.call('PEXPIRE', key, 3700000)
  redis.call('PEXPIRE', key .. ':n', 3700000)
end
return verdict`);

const lengths = { minute: 60_000, hour: 3_600_000 };

export interface RedisLimiterOptions {
  redis: Redis;
  namespace: string;
  clock: Clock;
  /** Counts while Redis is away; without one `take` then fails. */
  fallback?: Limiter;
}

export class RedisLimiter implements Limiter {
  readonly #options: RedisLimiterOptions;

  constructor(options: RedisLimiterOptions) {
    this.#options = options;
  }

  async take(caller: string, limits: RateLimits): Promise<RateLimitVerdict> {
    const { redis, namespace, clock, fallback } = this.#options;
    const { perMinute, perHour } = limits;
    if (perMinute === 0 && perHour === 0)
      return { allowed: true, limit: 0, remaining: 0, resetS: 0, retryAfterS: 0 };
    const now = clock.now().getTime();
    try {
      const [allowed, ...rows] = await redis.run<[number, ...[number, string, string][]]>(
        takeScript,
        `${namespace}:{limit:${caller}}`,
        ...[now, perMinute, perHour].map(String),
      );
      const counted: [number, number][] = [];
      if (perMinute > 0) counted.push([perMinute, lengths.minute]);
      if (perHour > 0) counted.push([perHour, lengths.hour]);
      return verdictOf(
        counted.map(([limit, lengthMs], i) => {
          const [used, oldest, leaving] = rows[i]!;
          return { limit, lengthMs, used, oldest: Number(oldest), leaving: Number(leaving) };
        }),
        allowed === 1,
        now,
      );
    } catch (error) {
      if (fallback === undefined || !(error instanceof Failure && error.retryable)) throw error;
      return fallback.take(caller, limits);
    }
  }
}

interface Window {
  limit: number;
  lengthMs: number;
  /** Requests it held before this one. */
  used: number;
  oldest: number;
  leaving: number;
}

function verdictOf(windows: readonly Window[], allowed: boolean, now: number): RateLimitVerdict {
  const left = ({ limit, used }: Window) => Math.max(0, limit - used - (allowed ? 1 : 0));
  const tighter = windows.reduce((a, b) => (left(b) <= left(a) ? b : a));
  const waits = windows
    .filter(({ used, limit }) => used >= limit)
    .map(({ leaving, lengthMs }) => leaving + lengthMs - now);
  return {
    allowed,
    limit: tighter.limit,
    remaining: left(tighter),
    resetS: Math.ceil((tighter.oldest + tighter.lengthMs - now) / 1000),
    retryAfterS: allowed ? 0 : Math.max(1, Math.ceil(Math.max(...waits) / 1000)),
  };
}
