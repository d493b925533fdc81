/**
 * A model of Redis in memory: the commands that the adapters send, executed one at a time, and their scripts,
 * reimplemented in JavaScript. It does not search words or vectors; its indexes only exist and cover the keys with
 * their prefix. The suites that run over the model and a real server check that both behave alike.
 */
import { Failure } from '../../src/failures.ts';
import { createScript, goLiveScript, settledScript } from '../../src/stores/server/redis-chunk-store.ts';
import { sweepScript } from '../../src/stores/server/redis-chunks.ts';
import { readScript, stepScript } from '../../src/stores/server/redis-commit.ts';
import type { Arg, Redis, Script } from '../../src/stores/server/redis-connection.ts';

type Hash = Map<string, Arg>;
type Value = Hash | Set<string> | string[] | { scores: Map<string, number> } | string;
type Reply = Arg | number | null | Reply[];

const fault = (message: string) => new Failure('internal', message, { cause: new Error(message) });

export class RedisModel {
  readonly #values = new Map<string, Value>();
  /** By name: the index's fields, each with its type. */
  readonly #indexes = new Map<string, string[]>();

  /** A connection; any number may be used simultaneously. */
  connect(): Redis {
    return {
      call: async <T>(...args: Arg[]) => asStrings(this.#command(args)) as T,
      callBytes: async <T>(...args: Arg[]) => asBytes(this.#command(args)) as T,
      run: async <T>(script: Script, key: string, ...args: Arg[]) => {
        const act = this.#scripts.get(script.sha);
        if (act === undefined) throw new Error('The model does not know this script.');
        return asStrings(act(key, args)) as T;
      },
      close: async () => {},
    };
  }

  #at<T extends Value>(key: string, make: () => T): T {
    let value = this.#values.get(key) as T | undefined;
    if (value === undefined) {
      value = make();
      this.#values.set(key, value);
    }
    return value;
  }

  #hash = (key: string): Hash => (this.#values.get(key) as Hash | undefined) ?? new Map();
  #set = (key: string): Set<string> => (this.#values.get(key) as Set<string> | undefined) ?? new Set();

  #scores = (key: string): Map<string, number> =>
    (this.#values.get(key) as { scores: Map<string, number> } | undefined)?.scores ?? new Map();

  #dropEmpty(key: string): void {
    const value = this.#values.get(key);
    if (value instanceof Map || value instanceof Set ? value.size === 0 : false) this.#values.delete(key);
  }

  /** One command of a client or a script, in RESP3 form where the versions differ. */
  #command = (args: readonly Arg[]): Reply | Record<string, Arg> => {
    const [name, key = '', ...rest] = args.map((arg, i) => (i < 2 ? String(arg) : arg));
    const words = rest.map(String);
    switch (String(name)) {
      case 'GET':
        return (this.#values.get(String(key)) as string | undefined) ?? null;
      case 'SET':
        this.#values.set(String(key), words[0]!);
        return 'OK';
      case 'DEL':
      case 'UNLINK':
        return [key, ...words].filter((one) => this.#values.delete(String(one))).length;
      case 'HSET': {
        const hash = this.#at<Hash>(String(key), () => new Map());
        for (let i = 0; i < rest.length; i += 2) hash.set(words[i]!, rest[i + 1]!);
        return rest.length / 2;
      }
      case 'HINCRBY': {
        const hash = this.#at<Hash>(String(key), () => new Map());
        hash.set(words[0]!, String(Number(hash.get(words[0]!) ?? 0) + Number(words[1])));
        return 1;
      }
      case 'HGET':
        return this.#hash(String(key)).get(words[0]!) ?? null;
      case 'HMGET':
        return words.map((field) => this.#hash(String(key)).get(field) ?? null);
      case 'HGETALL':
        return Object.fromEntries(this.#hash(String(key)));
      case 'HLEN':
        return this.#hash(String(key)).size;
      case 'HDEL': {
        for (const field of words) this.#hash(String(key)).delete(field);
        this.#dropEmpty(String(key));
        return 1;
      }
      case 'HEXISTS':
        return this.#hash(String(key)).has(words[0]!) ? 1 : 0;
      case 'HSCAN':
        return ['0', [...this.#hash(String(key))].flat()];
      case 'HVALS':
        return [...this.#hash(String(key)).values()];
      case 'SADD':
        for (const member of words) this.#at(String(key), () => new Set<string>()).add(member);
        return 1;
      case 'SREM':
        for (const member of words) this.#set(String(key)).delete(member);
        this.#dropEmpty(String(key));
        return 1;
      case 'SISMEMBER':
        return this.#set(String(key)).has(words[0]!) ? 1 : 0;
      case 'SMEMBERS':
        return [...this.#set(String(key))];
      case 'SRANDMEMBER': {
        const members = [...this.#set(String(key))];
        return words.length > 0 ? members.slice(0, Number(words[0])) : (members[0] ?? null);
      }
      case 'RPUSH':
        return this.#at<string[]>(String(key), () => []).push(...words);
      case 'LLEN':
        return ((this.#values.get(String(key)) as string[] | undefined) ?? []).length;
      case 'LRANGE': {
        const list = (this.#values.get(String(key)) as string[] | undefined) ?? [];
        const end = Number(words[1]);
        return list.slice(Number(words[0]), end < 0 ? list.length + end + 1 : end + 1);
      }
      case 'ZADD':
        this.#at(String(key), () => ({ scores: new Map<string, number>() })).scores.set(
          words[1]!,
          Number(words[0]),
        );
        return 1;
      case 'ZREVRANGE':
        return [...this.#scores(String(key))].sort(([, a], [, b]) => b - a)[0]?.map(String) ?? [];
      case 'ZSCORE':
        return this.#scores(String(key)).get(words[0]!) ?? null;
      case 'ZRANGEBYSCORE': {
        const after = Number(words[0]!.slice(1));
        const found = [...this.#scores(String(key))].filter(([, score]) => score > after);
        return found.sort(([, a], [, b]) => a - b).slice(0, Number(words.at(-1)));
      }
      case 'EXISTS':
        return [key, ...words].filter((one) => this.#values.has(String(one))).length;
      case 'SCAN': {
        const prefix = words[words.indexOf('MATCH') + 1]!.replace(/\*$/, '').replace(/\\(.)/g, '$1');
        return ['0', [...this.#values.keys()].filter((one) => one.startsWith(prefix))];
      }
      case 'FT._LIST':
        return [...this.#indexes.keys()];
      case 'FT.INFO': {
        const fields = this.#indexes.get(String(key));
        if (fields === undefined) throw fault('no such index');
        return {
          attributes: fields.map((field) => ({
            identifier: field.split(' ')[0]!,
            type: field.split(' ')[1]!,
          })),
          indexing: 0,
        } as never;
      }
      case 'FT.SEARCH':
        if (!this.#indexes.has(String(key))) throw fault('no such index');
        return this.#search(String(key), words[0]!) as never;
      case 'FT.AGGREGATE': {
        if (!this.#indexes.has(String(key))) throw fault('no such index');
        const below = [...this.#values.keys()].filter((one) => one.startsWith(`${key}:`));
        const some = below.slice(0, Number(words.at(-1)));
        return [{ results: some.map((one) => ({ extra_attributes: { __key: one } })) } as never, 0];
      }
      case 'FT.CREATE': {
        if (this.#indexes.has(String(key))) throw fault('Index already exists');
        const schema = words.slice(words.indexOf('SCHEMA') + 1);
        const fields = schema.flatMap((field, i) =>
          ['TAG', 'TEXT', 'VECTOR'].includes(schema[i + 1]!) ? [`${field} ${schema[i + 1]}`] : [],
        );
        this.#indexes.set(String(key), fields);
        return 'OK';
      }
      case 'FT.DROPINDEX':
        if (!this.#indexes.delete(String(key))) throw fault('no such index');
        return 'OK';
      default:
        throw new Error(`The model does not know the command ${name}.`);
    }
  };

  /** All keys of an index, without searching words or vectors. */
  #search(index: string, query: string) {
    const keys = [...this.#values.keys()].filter((key) => query === '*' && key.startsWith(`${index}:`));
    const results = keys.map((id) => ({ id, extra_attributes: Object.fromEntries(this.#hash(id)) }));
    return { total_results: results.length, results, warning: [] };
  }

  /** Inside a script, a hash is a list of names and values. */
  #inScript = (args: readonly Arg[]): Reply => {
    const reply = this.#command(args);
    return isRecord(reply) ? Object.entries(reply).flat() : reply;
  };

  /** Splits repeated groups of a count and that many arguments. */
  *#nested(args: readonly Arg[]): Generator<readonly Arg[]> {
    for (let i = 0; i < args.length; ) {
      const count = Number(args[i]);
      yield args.slice(i + 1, i + 1 + count);
      i += count + 1;
    }
  }

  readonly #scripts = new Map<string, (key: string, args: readonly Arg[]) => Reply>([
    [
      readScript.sha,
      (key, [build, ...commands]) => [
        this.#command(['HGET', key, `${build}:at`]) as Reply,
        ...[...this.#nested(commands)].map(this.#inScript),
      ],
    ],
    [
      stepScript.sha,
      (key, [build, expected, checkpoint, ...commands]) => {
        const builds = this.#hash(key);
        if (builds.get(`${build}:at`) !== expected) return 0;
        for (const command of this.#nested(commands)) this.#command(command);
        if (checkpoint !== '') builds.set(`${build}:at`, checkpoint!);
        return 1;
      },
    ],
    [
      createScript.sha,
      (key, [build, signature, role]) => {
        const builds = this.#hash(key);
        const live = builds.get('live');
        if (role === 'live' && live !== undefined) return live;
        if (role !== 'live') {
          for (const [field, value] of builds)
            if (value === signature && field !== 'live' && field !== live) return field;
        }
        this.#command(['HSET', key, build!, signature!, `${build}:at`, '']);
        if (role === 'live') this.#command(['HSET', key, 'live', build!]);
        return build!;
      },
    ],
    [
      goLiveScript.sha,
      (key, [build, dropping]) => {
        const builds = this.#hash(key);
        if (!builds.has(String(build))) return 0;
        this.#command(['HSET', key, 'live', build!, `${build}:whole`, '1']);
        for (const field of [...builds.keys()]) {
          const [of] = /^\d+/.exec(field) ?? [];
          if (of === undefined || of === build) continue;
          builds.delete(field);
          if (of === field) this.#command(['SADD', dropping!, of]);
        }
        return 1;
      },
    ],
    [
      settledScript.sha,
      (key, [build, checkpoint, passed]) => {
        if (this.#hash(key).get(`${build}:at`) !== checkpoint) return 0;
        this.#command(['HSET', key, `${build}:whole`, '1', `${build}:passed`, passed!]);
        return 1;
      },
    ],
    [sweepScript.sha, (_, [prefix, limit]) => this.#sweep(String(prefix), Number(limit))],
  ]);

  #sweep(P: string, limit: number): number {
    let [left, swept] = [limit, 0];
    while (left > 0) {
      const rev = this.#command(['SRANDMEMBER', `${P}dead`]) as string | null;
      if (rev === null) break;
      const field = (name: string) => this.#hash(`${P}r:${rev}`).get(name)?.toString();
      const [partition, done] = [field('partition'), Number(field('swept') ?? 0)];
      const kinds = JSON.parse(field('kinds') ?? '[]') as string[];
      const places = (JSON.parse(field('runs') ?? '[]') as [number, number, number][]).flatMap(
        ([first, count, id]) => Array.from({ length: count }, (_, n) => [first + n, id + n] as const),
      );
      const slice = places.slice(done, done + left);
      for (const [ordinal, id] of slice) {
        const [number, unit] = this.#command(['HMGET', `${P}c:${id}`, 'number', 'unit']) as (string | null)[];
        if (number !== null) {
          this.#command(['SREM', `${P}n:${partition}:${number}`, `${rev}/${ordinal}/${id}/${unit ?? ''}`]);
          if (unit !== null)
            this.#command(['SREM', `${P}u:${partition}:${unit}`, `${rev}/${ordinal}/${number}`]);
        }
        this.#command(['DEL', `${P}c:${id}`, `${P}t:${partition}:${id}`]);
        for (const kind of kinds) this.#command(['DEL', `${P}v:${kind}:${partition}:${id}`]);
      }
      left -= slice.length;
      swept += slice.length;
      if (done + slice.length < places.length)
        this.#command(['HSET', `${P}r:${rev}`, 'swept', String(done + slice.length)]);
      else {
        this.#command(['DEL', `${P}r:${rev}`]);
        this.#command(['SREM', `${P}dead`, rev]);
      }
    }
    return swept;
  }
}

const isRecord = (reply: unknown): reply is Record<string, Arg> =>
  typeof reply === 'object' && reply !== null && !Array.isArray(reply) && !Buffer.isBuffer(reply);

function asStrings(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString();
  if (Array.isArray(reply)) return reply.map(asStrings);
  if (isRecord(reply)) return Object.fromEntries(Object.entries(reply).map(([k, v]) => [k, asStrings(v)]));
  return reply;
}

function asBytes(reply: unknown): unknown {
  if (typeof reply === 'string') return Buffer.from(reply);
  return Array.isArray(reply) ? reply.map(asBytes) : reply;
}
