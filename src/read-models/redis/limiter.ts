/**
 * Rate limits shared by all instances. A caller's request times are in a sorted set, checked and counted atomically by
 * a script. Scores are milliseconds of the server's clock, which is the same for all instances; a counter separates
 * equal ones. If the clock was set back, a caller's times are moved back with it, the last one to the current time, so
 * that a caller is never refused for longer than a window. A set expires an hour after its last request. Verdicts are
 * the same as in src/read-models/memory-limiter.ts.
 *
 * While Redis is unavailable, each instance counts separately, so a caller may get the full limit from each of them.
 */
import { Failure } from '../../failures.ts';
import type { Limiter, RateLimits, RateLimitVerdict } from '../../ports/limiter.ts';
import { type Redis, script } from '../../storage/redis-connection.ts';

/**
 * ARGV: limits per minute and hour, and the time ("" for the server's time). Returns whether the request is allowed,
 * the time and, for each limited window, its number of requests, its oldest time (or now), and the time whose expiry
 * allows another request.
 */
const takeScript = script(`
local key, minute, hour, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local ahead = (tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]) or now) - now
if ahead > 0 then
  local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do redis.call('ZADD', key, string.format('%d', all[i + 1] - ahead), all[i]) end
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - (hour > 0 and 3600000 or 60000))
local allowed, verdict = 1, { 0, tostring(now) }
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
  local n = redis.call('INCR', key .. ':n')
  redis.call('ZADD', key, string.format('%d', now), string.format('%012d', n))
  redis.call('PEXPIRE', key, 3700000)
  redis.call('PEXPIRE', key .. ':n', 3700000)
end
return verdict`);

const lengths = { minute: 60_000, hour: 3_600_000 };

export interface RedisLimiterOptions {
  redis: Redis;
  namespace: string;
  /** Default: the server's time, in ms. */
  now?: () => number;
  /** Counts while Redis is unavailable. Without a fallback, `take` fails. */
  fallback?: Limiter;
}

export class RedisLimiter implements Limiter {
  readonly #options: RedisLimiterOptions;

  constructor(options: RedisLimiterOptions) {
    this.#options = options;
  }

  async take(caller: string, limits: RateLimits): Promise<RateLimitVerdict> {
    const { redis, namespace, now, fallback } = this.#options;
    const { perMinute, perHour } = limits;
    if (perMinute === 0 && perHour === 0)
      return { allowed: true, limit: 0, remaining: 0, resetS: 0, retryAfterS: 0 };
    try {
      const [allowed, at, ...rows] = await redis.run<[number, string, ...[number, string, string][]]>(
        takeScript,
        `${namespace}:{limit:${caller}}`,
        ...[String(perMinute), String(perHour), now === undefined ? '' : String(now())],
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
        Number(at),
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
  /** Number of requests in the window before this one. */
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
