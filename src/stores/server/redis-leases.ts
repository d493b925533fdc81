/**
 * Which instance runs a projection over a shared Redis: all of them would make the same writes, and all but one for
 * nothing. A lease is kept for each projection and shape of its read models, so that programs of two versions, which
 * write different builds, do not wait for each other.
 *
 * Nothing rests on it but the work that is saved: the checkpoint decides which commit counts. A lease comes with a
 * token that rises, also where the server was emptied; a build takes no commit of an earlier one, so that a process
 * that was held up for long does not go on with what another runs now.
 *
 *   <namespace>:{projector}:<lease>   the holder and its token, for as long as it renews it
 *   …:token                           the last token given
 *   …:passed                          hash: lease → how far its holder has got; also the channel on which it is told
 */
import { randomUUID } from 'node:crypto';
import type { Passed, ProjectionLeases, ProjectionSchema } from '../../ports/read-models.ts';
import { type Redis, script } from './redis-connection.ts';
import { shapeOf } from './redis-shape.ts';

/** Takes or renews each lease that is free or held already; answers its token, empty for one that another holds. */
export const holdScript = script(`
local base, holder, tokens = KEYS[1], ARGV[1], {}
for i = 3, #ARGV do
  local lease = base .. ':' .. ARGV[i]
  local found = redis.call('GET', lease)
  if not found then
    local now = redis.call('TIME')
    local last = tonumber(redis.call('GET', base .. ':token') or '0')
    local token = string.format('%.0f', math.max(tonumber(now[1]) * 1000000 + tonumber(now[2]), last + 1))
    redis.call('SET', base .. ':token', token)
    found = holder .. ' ' .. token
    redis.call('SET', lease, found)
  end
  local of, token = string.match(found, '^(%S+) (%S+)$')
  if of == holder then redis.call('PEXPIRE', lease, ARGV[2]) else token = '' end
  tokens[#tokens + 1] = token
end
return tokens`);

/** Sets a field of `passed` for each lease that is still held and publishes it, or, without a value, gives the lease up. */
export const reportScript = script(`
local base, holder = KEYS[1], ARGV[1]
for i = 2, #ARGV, 2 do
  local lease = base .. ':' .. ARGV[i]
  local found = redis.call('GET', lease)
  if found and string.match(found, '^%S+') == holder then
    if ARGV[i + 1] == '' then redis.call('DEL', lease)
    else
      redis.call('HSET', base .. ':passed', ARGV[i], ARGV[i + 1])
      redis.call('PUBLISH', base .. ':passed', ARGV[i] .. '\\n' .. ARGV[i + 1])
    end
  end
end
return 1`);

/** How long a lease outlives its last renewal, in ms: with the second between two renewals less than five. */
export const leaseMs = 3_500;

export interface RedisLeasesOptions {
  redis: Redis;
  namespace: string;
  projections: readonly ProjectionSchema[];
}

export class RedisLeases implements ProjectionLeases {
  readonly #redis: Redis;
  readonly #base: string;
  /** By projection. */
  readonly #leases: ReadonlyMap<string, string>;
  readonly #holder = randomUUID();
  readonly #tokens = new Map<string, string>();

  constructor({ redis, namespace, projections }: RedisLeasesOptions) {
    this.#redis = redis;
    this.#base = `${namespace}:{projector}`;
    this.#leases = new Map(projections.map((one) => [one.name, `${one.name} ${shapeOf(one)}`]));
  }

  async hold(): Promise<void> {
    const all = [...this.#leases];
    const names = all.map(([, lease]) => lease);
    const tokens = await this.#redis.run<string[]>(
      holdScript,
      this.#base,
      ...[this.#holder, String(leaseMs), ...names],
    );
    for (const [n, [projection]] of all.entries()) {
      const token = tokens[n]!;
      if (token === '') this.#tokens.delete(projection);
      else this.#tokens.set(projection, token);
    }
  }

  holds(projection: string): boolean {
    return this.#tokens.has(projection);
  }

  /** The name of a projection's lease. */
  leaseOf(projection: string): string {
    return this.#leases.get(projection) ?? '';
  }

  /** What a commit of the projection carries; empty where another holds it. */
  token(projection: string): string {
    return this.#tokens.get(projection) ?? '';
  }

  /** A build was written with a later token. */
  lost(projection: string): void {
    this.#tokens.delete(projection);
  }

  async report(passed: readonly Passed[]): Promise<void> {
    const fields = passed.flatMap((one) => {
      const lease = this.#leases.get(one.projection);
      return lease === undefined ? [] : [lease, JSON.stringify(one)];
    });
    if (fields.length > 0) await this.#redis.run(reportScript, this.#base, this.#holder, ...fields);
  }

  async watch(onPassed: (passed: Passed) => void): Promise<void> {
    const own = new Set(this.#leases.values());
    await this.#redis.subscribe(`${this.#base}:passed`, (message) => {
      const end = message.indexOf('\n');
      if (own.has(message.slice(0, end))) onPassed(JSON.parse(message.slice(end + 1)));
    });
  }

  async passed(): Promise<Passed[]> {
    const fields = await this.#redis.call<Record<string, string>>(
      this.#base,
      ...['HGETALL', `${this.#base}:passed`],
    );
    return [...this.#leases.values()].flatMap((lease) => {
      const json = fields[lease];
      return json === undefined ? [] : [JSON.parse(json) as Passed];
    });
  }

  async release(): Promise<void> {
    this.#tokens.clear();
    const fields = [...this.#leases.values()].flatMap((lease) => [lease, '']);
    await this.#redis.run(reportScript, this.#base, this.#holder, ...fields);
  }
}
