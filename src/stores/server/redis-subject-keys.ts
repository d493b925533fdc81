/**
 * Subjects' keys in Redis, wrapped by a master key, for all instances: apart from the read models, which come and go.
 * Each change is one script, so instances that make a key at the same moment get the same. Of a destroyed key its id
 * alone is left. Every look holds only while this is the store that was opened: a Redis that was emptied, or is another
 * one, is told from it, and no new keys are made there. All keys are in one slot of a cluster, begun by `<namespace>:{keys}`:
 *
 *     ``                   hash: store (its name), check, master (where none was given)
 *     `:key`               hash: id → the wrapped key in base64url, empty once it was destroyed
 *     `:subject:<subject>` hash: day → id
 *     `:days`              sorted set of `<day> <subject>`
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../failures.ts';
import type { Destroyed, KeyPurpose, SubjectKey, SubjectKeys } from '../../ports/subject-keys.ts';
import { checkMaster, makeKey, newCheck, unknownKey, unwrap } from '../key-wrapping.ts';
import { type Redis, RedisConnection, type RedisOptions, script } from './redis-connection.ts';

const openScript = script(`
if ARGV[1] ~= '' and redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'store', ARGV[1], 'check', ARGV[2])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'master', ARGV[3]) end
end
return redis.call('HMGET', KEYS[1], 'store', 'check', 'master')`);

/** What is offered is taken where there is none yet. */
const takeScript = script(`
local base = KEYS[1]
if redis.call('HGET', base, 'store') ~= ARGV[1] then return false end
local taken = {}
for i = 2, #ARGV, 4 do
  local subject, day, id, wrapped = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local kept = redis.call('HGET', base .. ':subject:' .. subject, day)
  if kept then
    id, wrapped = kept, redis.call('HGET', base .. ':key', kept)
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

/** Keys destroyed in one step, so that nobody else waits long. */
const destroyedAtOnce = 500;

export interface RedisKeysPlace extends RedisOptions {
  namespace: string;
  /** Wraps the keys; 32 bytes. null: one is made and kept beside them. */
  master: Uint8Array | null;
  /** Nothing is made, taken or destroyed. */
  readOnly?: boolean;
}

interface Opened {
  store: string;
  master: Uint8Array;
}

export class RedisKeys implements SubjectKeys {
  readonly #redis: Redis;
  readonly #base: string;
  readonly #place: RedisKeysPlace;
  #opened: Promise<Opened> | null = null;

  /** Connects in the background; see `open`. */
  constructor(place: RedisKeysPlace, redis: Redis = RedisConnection.open(place)) {
    this.#place = place;
    this.#redis = redis;
    this.#base = `${place.namespace}:{keys}`;
  }

  /**
   * Finds the keys, or begins with none where there never were any. Every other call does so by itself. Failure
   * `unavailable`; `invalid`: they are wrapped by another master key.
   */
  async open(): Promise<void> {
    await this.#open();
    // A server that does not tell may keep them.
    const kept = await this.#redis.call<string>(this.#base, 'INFO', 'persistence').catch(() => '');
    if (/^aof_enabled:0/m.test(kept))
      this.#place.onTrouble?.(
        "Redis holds the keys of people's words and keeps no journal (appendonly no): what it loses of them is forgotten. Set appendonly to yes.",
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
    const { master: given, readOnly = false } = this.#place;
    const offered = given ?? randomBytes(32);
    const offer = readOnly
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
    return { store, master };
  }

  async take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]> {
    const { store, master } = await this.#open();
    const offers = purposes.flatMap(({ subject, day }) => {
      const { id, wrapped } = makeKey(master);
      return [subject, day, id, wrapped.toString('base64url')];
    });
    const taken = await this.#changed<string[]>(takeScript, store, ...offers);
    return purposes.map((_, n) => {
      const id = taken[2 * n]!;
      return { id, key: unwrap(master, id, Buffer.from(taken[2 * n + 1]!, 'base64url')) };
    });
  }

  async find(ids: readonly string[]): Promise<(Uint8Array | null)[]> {
    if (ids.length === 0) return [];
    const { master } = await this.#open();
    const kept = `${this.#base}:key`;
    const found = await this.#redis.call<(string | null)[]>(kept, 'HMGET', kept, ...ids);
    return found.map((wrapped, n) => {
      if (wrapped === null) throw unknownKey();
      return wrapped === '' ? null : unwrap(master, ids[n]!, Buffer.from(wrapped, 'base64url'));
    });
  }

  async destroy(which: Destroyed): Promise<number> {
    const { store } = await this.#open();
    if ('subject' in which) return this.#changed<number>(destroySubjectScript, store, which.subject);
    for (let all = 0; ; ) {
      const most = String(destroyedAtOnce);
      const destroyed = await this.#changed<number>(destroyBeforeScript, store, which.before, most);
      if (destroyed === 0) return all;
      all += destroyed;
    }
  }

  async #changed<T>(
    ...[text, store, ...args]: [Parameters<Redis['run']>[0], string, ...string[]]
  ): Promise<T> {
    const reply = await this.#redis.run<T | null>(text, this.#base, store, ...args);
    if (reply === null)
      throw new Failure(
        'unavailable',
        "Redis has lost the keys that people's words are sealed with: give it back what it held.",
      );
    return reply;
  }

  close(): Promise<void> {
    return this.#redis.close();
  }
}
