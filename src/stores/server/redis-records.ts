/**
 * Commits of records. They are read, changed here and written whole: the step that writes them compares the checkpoint,
 * so nobody has changed them in between. What the next commits change is read ahead of them, in one go, and a commit
 * builds on those before it while they are still under way.
 */
import type { Position } from '../../ports/event-log.ts';
import type { Build, CollectionSchema, Doc, Write } from '../../ports/read-models.ts';
import { changed } from '../records.ts';
import type { RedisBuilds } from './redis-builds.ts';
import { placeOf, putCommand } from './redis-collections.ts';
import { type Command, plainMs, runStep } from './redis-commit.ts';
import { type RedisConnection, script } from './redis-connection.ts';

/** Records and their places, one after the other. */
const readScript = script(`
local found = {}
for i = 1, #ARGV do
  local record = redis.call('HMGET', ARGV[i], 'doc', 'made')
  found[i * 2 - 1], found[i * 2] = record[1], record[2]
end
return found`);
/** Records read at once: they hold the server for about a millisecond. */
const readMax = 250;

/** A record as it stands. */
interface Known {
  schema: CollectionSchema;
  key: string;
  /** Its key in Redis. */
  hash: string;
  /** null where there is none. */
  doc: Doc | null;
  /** Its place; null where there is none. */
  made: string | null;
  /** The turn of the chain it was last asked for. */
  turn: number;
}

/**
 * What this process knows of the records of a build as long as nobody else has written to it: commits build on it
 * while those before them are still under way.
 */
interface Chain {
  /** The checkpoint of the last commit that was begun. */
  at: string;
  /** How many records were made. */
  made: number;
  /** By collection and key. */
  known: Map<string, Map<string, Known>>;
  size: number;
  /** Counts the reading ahead. */
  turn: number;
}

/** Records a chain knows; beyond, those go that were last asked for so many turns ago that no commit is under way. */
const knownMax = 20_000;
const turnsKept = 10;

function forget(chain: Chain): void {
  for (const records of chain.known.values()) {
    for (const [key, { turn }] of records) {
      if (turn > chain.turn - turnsKept) continue;
      records.delete(key);
      chain.size--;
    }
  }
}

/** Writes the records of read models; one for each process that runs projections. */
export class RecordWriter {
  readonly #redis: RedisConnection;
  readonly #builds: RedisBuilds;
  readonly #chains = new Map<number, Chain>();

  constructor(redis: RedisConnection, builds: RedisBuilds) {
    this.#redis = redis;
    this.#builds = builds;
  }

  /** `others`: commands of the same step. False: the build does not stand where it should. */
  async commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    others: readonly Command[],
  ): Promise<boolean> {
    const step = this.#builds.step(build);
    let chain = this.#chains.get(build.build);
    const known = (chain: Chain) =>
      writes.every((w) => !('collection' in w) || chain.known.get(w.collection)?.has(w.key));
    if (chain?.at !== step.expected || !known(chain)) {
      chain = await this.#readAhead(build, writes);
      // Another commit has begun from the same place meanwhile: this one would build on what it changes.
      if (chain.at !== step.expected) return false;
    }
    const commands = this.#commands(chain, build, writes);
    commands.push(...others);
    chain.at = checkpoint;
    try {
      const done = await runStep(this.#redis, step, checkpoint, commands);
      if (!done) this.#chains.delete(build.build);
      return done;
    } catch (error) {
      this.#chains.delete(build.build);
      throw error;
    }
  }

  /** Reads the records that the next commits of a build change. */
  async prefetch(build: Build, writes: readonly Write[]): Promise<void> {
    await this.#readAhead(build, writes);
  }

  async #readAhead(build: Build, writes: readonly Write[]): Promise<Chain> {
    const { key: builds, expected } = this.#builds.step(build);
    let chain = this.#chains.get(build.build);
    if (chain?.at !== expected) {
      const made = await this.#redis.call<string | null>(builds, 'HGET', builds, `${build.build}:made`);
      chain = { at: expected, made: Number(made ?? 0), known: new Map(), size: 0, turn: 0 };
      this.#chains.set(build.build, chain);
    }
    const { known } = chain;
    const turn = ++chain.turn;
    const missing: Known[] = [];
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const { collection, key } = write;
      let records = known.get(collection);
      if (records === undefined) {
        records = new Map();
        known.set(collection, records);
      }
      const there = records.get(key);
      if (there !== undefined) {
        there.turn = turn;
        continue;
      }
      const { schema } = this.#builds.collection(collection);
      const hash = this.#builds.recordKey(build.name, String(build.build), collection, key);
      const record: Known = { schema, key, hash, doc: null, made: null, turn };
      records.set(key, record);
      missing.push(record);
    }
    chain.size += missing.length;
    if (chain.size > knownMax) forget(chain);
    const reads: Promise<void>[] = [];
    for (let at = 0; at < missing.length; at += readMax) {
      const part = missing.slice(at, at + readMax);
      const hashes = part.map(({ hash }) => hash);
      reads.push(
        this.#redis.run<(string | null)[]>(readScript, builds, ...hashes).then((found) => {
          for (const [n, record] of part.entries()) {
            const doc = found[n * 2];
            if (!doc) continue;
            record.doc = JSON.parse(doc);
            record.made = found[n * 2 + 1] ?? null;
          }
        }),
      );
    }
    try {
      await Promise.all(reads);
    } catch (error) {
      this.#chains.delete(build.build);
      throw error;
    }
    return chain;
  }

  /** Several writes to one record become one. */
  #commands(chain: Chain, build: Build, writes: readonly Write[]): Command[] {
    /** Whether the records were there before. */
    const touched = new Map<Known, boolean>();
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const record = chain.known.get(write.collection)!.get(write.key)!;
      if (!touched.has(record)) touched.set(record, record.doc !== null);
      record.doc = changed(record.doc, write);
    }
    const commands: Command[] = [];
    const before = chain.made;
    for (const [record, existed] of touched) {
      const { schema, key, hash, doc } = record;
      if (doc === null) {
        if (existed) commands.push({ args: ['DEL', hash], ms: plainMs });
        record.made = null;
        continue;
      }
      record.made ??= placeOf(++chain.made);
      commands.push(putCommand(hash, schema.fields, key, doc, record.made));
    }
    if (chain.made !== before) {
      const counter = [`${build.build}:made`, String(chain.made)];
      commands.push({ args: ['HSET', this.#builds.key(build.name), ...counter], ms: plainMs });
    }
    return commands;
  }
}
