/**
 * Subjects' keys in Redis, wrapped by a master key and shared by all instances. They are separate from the read models,
 * because those can be rebuilt. Each change is made by a single script, so instances that create a key simultaneously
 * get the same one. When a key is destroyed, only its id is kept. Every call checks that this is still the store that
 * was opened: if Redis was emptied or replaced, this is detected, and no new keys are created until the missing ones
 * have been given up. All keys begin with `<namespace>:{keys}`:
 *
 *     ``                   hash: store (its name), check, master (if none was given)
 *     `:key`               hash: id → the wrapped key in base64url, empty once destroyed
 *     `:subject:<subject>` hash: day → id
 *     `:days`              sorted set of `<day> <subject>`
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../failures.ts';
import type { Destroyed, KeyPurpose, StoredKey, SubjectKey, SubjectKeys } from '../../ports/subject-keys.ts';
import { type Redis, RedisConnection, type RedisOptions, script } from '../../storage/redis-connection.ts';
import { allMissing, besides, checkMaster, makeKey, newCheck, unknownKey, unwrap } from '../key-wrapping.ts';

const openScript = script(`
if ARGV[1] ~= '' and redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'store', ARGV[1], 'check', ARGV[2])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'master', ARGV[3]) end
end
return redis.call('HMGET', KEYS[1], 'store', 'check', 'master')`);

/** Stores each offered key unless its subject and day already have one. */
const takeScript = script(`
local base = KEYS[1]
if redis.call('HGET', base, 'store') ~= ARGV[1] then return false end
local taken = {}
for i = 2, #ARGV, 4 do
  local subject, day, id, wrapped = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local kept = redis.call('HGET', base .. ':subject:' .. subject, day)
  local own = kept and redis.call('HGET', base .. ':key', kept)
  if own and own ~= '' then
    id, wrapped = kept, own
  else
    redis.call('HSET', base .. ':key', id, wrapped)
    redis.call('HSET', base .. ':subject:' .. subject, day, id)
    redis.call('ZADD', base .. ':days', 0, day .. ' ' .. subject)
  end
  taken[#taken + 1] = id
  taken[#taken + 1] = wrapped
end
return taken`);

const destroySubjectScript = script(`
local base, subject = KEYS[1], ARGV[2]
if redis.call('HGET', base, 'store') ~= ARGV[1] then return false end
local of = base .. ':subject:' .. subject
local kept = redis.call('HGETALL', of)
for i = 1, #kept, 2 do
  redis.call('HSET', base .. ':key', kept[i + 1], '')
  redis.call('ZREM', base .. ':days', kept[i] .. ' ' .. subject)
end
redis.call('DEL', of)
return #kept / 2`);

const destroyBeforeScript = script(`
local base = KEYS[1]
if redis.call('HGET', base, 'store') ~= ARGV[1] then return false end
local old = redis.call('ZRANGE', base .. ':days', '-', '(' .. ARGV[2], 'BYLEX', 'LIMIT', 0, ARGV[3])
for _, entry in ipairs(old) do
  local day, subject = string.match(entry, '^(%S+) (.*)$')
  local of = base .. ':subject:' .. subject
  redis.call('HSET', base .. ':key', redis.call('HGET', of, day), '')
  redis.call('HDEL', of, day)
  redis.call('ZREM', base .. ':days', entry)
end
return #old`);

/**
 * For each key: its id, subject and day, the field to store it under if that day already has a key, and the wrapped key
 * (empty if destroyed).
 */
const putScript = script(`
local base, put = KEYS[1], 0
if redis.call('HGET', base, 'store') ~= ARGV[1] then return false end
for i = 2, #ARGV, 5 do
  local id, subject, day, wrapped = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 4]
  if wrapped == '' then
    redis.call('HSET', base .. ':key', id, '')
  elseif redis.call('HSETNX', base .. ':key', id, wrapped) == 1 then
    local of = base .. ':subject:' .. subject
    if redis.call('HEXISTS', of, day) == 1 then day = ARGV[i + 3] end
    redis.call('HSET', of, day, id)
    redis.call('ZADD', base .. ':days', 0, day .. ' ' .. subject)
    put = put + 1
  end
end
return put`);

/** Maximum number of keys destroyed, stored or returned in a step, so that other clients do not wait long. */
const portionMax = 500;

export interface RedisKeysConfig extends RedisOptions {
  namespace: string;
  /** The 32-byte master key. If null, one is created and stored next to the keys. */
  master: Uint8Array | null;
  /** Never creates, takes or destroys a key. */
  readOnly?: boolean;
}

interface Opened {
  store: string;
  master: Uint8Array;
}

export class RedisKeys implements SubjectKeys {
  readonly #redis: Redis;
  readonly #base: string;
  readonly #config: RedisKeysConfig;
  #opened: Promise<Opened> | null = null;
  /** Whether keys were found. From then on, an empty store is rejected. */
  #found = false;

  /** Connects in the background; see `open`. */
  constructor(config: RedisKeysConfig, redis: Redis = RedisConnection.open(config)) {
    this.#config = config;
    this.#redis = redis;
    this.#base = `${config.namespace}:{keys}`;
  }

  /**
   * Finds the keys, or starts with an empty store if there never were any. Other calls do this implicitly. Fails with
   * `unavailable`, and with `invalid` if the keys are wrapped by another master key.
   */
  async open(): Promise<void> {
    await this.#open();
    // A server that does not report its persistence settings may still be persistent.
    const kept = await this.#redis.call<string>('INFO', 'persistence').catch(() => '');
    if (/^aof_enabled:0/m.test(kept))
      this.#config.onTrouble?.(
        "Redis stores the keys of people's words without a journal (appendonly no): if it loses a key, the text is lost. Set appendonly to yes.",
      );
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#find().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #find(): Promise<Opened> {
    const { master: given, readOnly = false } = this.#config;
    const offered = given ?? randomBytes(32);
    const offer =
      readOnly || this.#found
        ? ['', '', '']
        : [
            randomBytes(16).toString('base64url'),
            newCheck(offered).toString('base64url'),
            given === null ? offered.toString('base64url') : '',
          ];
    const [store, check, kept] = await this.#redis.run<[string | null, string | null, string | null]>(
      openScript,
      ...([this.#base, ...offer] as [string, ...string[]]),
    );
    if (!store || !check) throw unknownKey();
    if (given === null && kept === null)
      throw new Failure(
        'invalid',
        "The keys of people's words in Redis are wrapped by a master key: give this instance the same DOCENT_MASTER_KEY as the others.",
      );
    const master = given ?? Buffer.from(kept!, 'base64url');
    checkMaster(master, Buffer.from(check, 'base64url'));
    this.#found = true;
    return { store, master };
  }

  async take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]> {
    return this.#inStore(async ({ store, master }) => {
      const offers = purposes.flatMap(({ subject, day }) => {
        const { id, wrapped } = makeKey(master);
        return [subject, day, id, wrapped.toString('base64url')];
      });
      const taken = await this.#redis.run<string[] | null>(takeScript, this.#base, store, ...offers);
      return (
        taken &&
        purposes.map((_, n) => {
          const id = taken[2 * n]!;
          return { id, key: unwrap(master, id, Buffer.from(taken[2 * n + 1]!, 'base64url')) };
        })
      );
    });
  }

  async find(ids: readonly string[]): Promise<(Uint8Array | null)[]> {
    if (ids.length === 0) return [];
    return this.#inStore(async ({ store, master }) => {
      const found = await this.#wrapped(store, [...ids, allMissing]);
      const given = found?.pop() ?? null;
      if (found === null) return null;
      return found.map((own, n) => {
        const wrapped = own ?? given;
        if (wrapped === null) throw unknownKey();
        return wrapped === '' ? null : unwrap(master, ids[n]!, Buffer.from(wrapped, 'base64url'));
      });
    });
  }

  async knows(id: string): Promise<boolean> {
    const found = await this.#inStore(({ store }) => this.#wrapped(store, [id, allMissing]));
    return found.some((wrapped) => wrapped !== null);
  }

  async giveUpMissing(): Promise<void> {
    await this.#open();
    await this.#redis.call('HSET', this.#keys, allMissing, '');
  }

  async destroy(which: Destroyed): Promise<number> {
    const run = (script: typeof destroySubjectScript, ...args: string[]) =>
      this.#inStore(({ store }) => this.#redis.run<number | null>(script, this.#base, store, ...args));
    if ('subject' in which) return run(destroySubjectScript, which.subject);
    for (let all = 0; ; ) {
      const destroyed = await run(destroyBeforeScript, which.before, String(portionMax));
      if (destroyed === 0) return all;
      all += destroyed;
    }
  }

  /** `from` is the last returned entry of `:days`, and later the cursor of a scan for the destroyed keys. */
  async stored(from: string | null): Promise<{ keys: StoredKey[]; next: string | null }> {
    await this.#open();
    const [, scanned] = /^#(\d+)$/.exec(from ?? '') ?? [];
    if (scanned !== undefined) {
      const [next, fields] = await this.#redis.call<[string, string[]]>(
        ...['HSCAN', this.#keys, scanned, 'COUNT', String(portionMax)],
      );
      const ids = fields.filter((id, n) => n % 2 === 0 && id !== allMissing && fields[n + 1] === '');
      return {
        keys: ids.map((id) => ({ id, of: null, wrapped: null })),
        next: next === '0' ? null : `#${next}`,
      };
    }
    const days = `${this.#base}:days`;
    const entries = await this.#redis.call<string[]>(
      ...['ZRANGE', days, from === null ? '-' : `(${from}`, '+', 'BYLEX', 'LIMIT', '0', String(portionMax)],
    );
    const purposes = entries.map((entry) => {
      const at = entry.indexOf(' ');
      return { day: entry.slice(0, at), subject: entry.slice(at + 1) };
    });
    const ids = await Promise.all(
      purposes.map(({ subject, day }) => {
        const of = `${this.#base}:subject:${subject}`;
        return this.#redis.call<string | null>('HGET', of, day);
      }),
    );
    const wrapped =
      ids.length === 0
        ? []
        : await this.#redis.call<(string | null)[]>(
            ...['HMGET', this.#keys, ...ids.map((id) => id ?? allMissing)],
          );
    // Keys destroyed in the meantime appear among the destroyed ones.
    const keys = ids.flatMap((id, n): StoredKey[] =>
      id && wrapped[n] ? [{ id, of: purposes[n]!, wrapped: wrapped[n] }] : [],
    );
    return { keys, next: entries.length < portionMax ? '#0' : entries.at(-1)! };
  }

  async putBack(keys: readonly StoredKey[]): Promise<number> {
    const { master } = await this.#open();
    for (const { id, wrapped } of keys)
      if (wrapped !== null) unwrap(master, id, Buffer.from(wrapped, 'base64url'));
    let put = 0;
    for (let at = 0; at < keys.length; at += portionMax) {
      const args = keys.slice(at, at + portionMax).flatMap(({ id, of, wrapped }) => {
        const { subject, day } = of ?? { subject: '', day: '' };
        return [id, subject, day, besides(day, id), (of && wrapped) ?? ''];
      });
      put += await this.#inStore(({ store }) =>
        this.#redis.run<number | null>(putScript, this.#base, store, ...args),
      );
    }
    return put;
  }

  get #keys(): string {
    return `${this.#base}:key`;
  }

  /** Stored keys by id, null for missing ones. The whole result is null if the store is a different one. */
  async #wrapped(store: string, ids: readonly string[]): Promise<(string | null)[] | null> {
    const [there, found] = await Promise.all([
      this.#redis.call<string | null>('HGET', this.#base, 'store'),
      this.#redis.call<(string | null)[]>('HMGET', this.#keys, ...ids),
    ]);
    return there === store ? found : null;
  }

  /**
   * Runs `work` in the opened store; `work` resolves with null if that store is gone. A different store is adopted if
   * the keys it lacks have been given up.
   */
  async #inStore<T>(work: (opened: Opened) => Promise<T | null>): Promise<T> {
    let done = await work(await this.#open());
    if (done === null && (await this.#redis.call<number>('HEXISTS', this.#keys, allMissing)) === 1) {
      this.#opened = null;
      done = await work(await this.#open());
    }
    if (done === null)
      throw new Failure(
        'unavailable',
        "Redis has lost the keys that people's words are sealed with: restore its data.",
      );
    return done;
  }

  close(): Promise<void> {
    return this.#redis.close();
  }
}
