/**
 * Commits of records. They are read, changed here and written whole. What a commit is made from is read at the
 * checkpoint it claims, and the step that writes compares that again: nobody has changed the records in between. What
 * the next commits change is read ahead of them, in one go, and a commit builds on those before it while they are still
 * under way.
 */
import type { Position } from '../../ports/event-log.ts';
import type { Build, CollectionSchema, Doc, Write } from '../../ports/read-models.ts';
import { changed } from '../records.ts';
import { heldField, madeField, type RedisBuilds } from './redis-builds.ts';
import { madeKey, putCommand } from './redis-collections.ts';
import { BuildMoved, type Command, plainMs, readAt, runStep, type Step } from './redis-commit.ts';
import type { Redis } from './redis-connection.ts';

/** A record as the commits that were begun leave it. */
interface Known {
  collection: string;
  schema: CollectionSchema;
  key: string;
  /** Its key in Redis. */
  hash: string;
  /** null where there is none. */
  doc: Doc | null;
  /** Its place; null where there is none. */
  made: string | null;
  /** Settles when it has been read. */
  read: Promise<void>;
  /** Commits under way that change it. */
  underWay: number;
  /** The turn of the chain it was last asked for. */
  turn: number;
}

/**
 * What this process knows of the records of a build as long as nobody else writes to it: commits build on it while
 * those before them are still under way.
 */
interface Chain {
  /**
   * Checkpoints at which a record that no commit of the chain has changed may be read: where the chain began, then that
   * of each commit begun. At any other place the build was moved by somebody else, and the chain is void.
   */
  checkpoints: string[];
  /** How many records were made, and are there, by collection. */
  made: Map<string, number>;
  held: Map<string, number>;
  /** By collection and key. */
  known: Map<string, Map<string, Known>>;
  size: number;
  /** Counts the readings. */
  turn: number;
  void: boolean;
}

/** Far more than commits under way. */
const checkpointsMax = 100;
/** Records a chain knows; beyond, those go that were last asked for so many turns ago. */
const knownMax = 20_000;
const turnsKept = 10;

function forget(chain: Chain): void {
  for (const records of chain.known.values()) {
    for (const [key, { turn, underWay }] of records) {
      if (turn > chain.turn - turnsKept || underWay > 0) continue;
      records.delete(key);
      chain.size--;
    }
  }
}

/** Builds of two projections may have the same number. */
const keyOf = ({ key, build }: Step): string => `${key} ${build}`;

/** Writes the records of read models; one for each process that runs projections. */
export class RecordWriter {
  readonly #redis: Redis;
  readonly #builds: RedisBuilds;
  readonly #chains = new Map<string, Chain>();
  /** By build: the last commit has been sent. Commits go out in the order in which they were begun. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(redis: Redis, builds: RedisBuilds) {
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
    const { done } = await this.#inTurn(step, async () => {
      try {
        const chain = await this.#chain(step, build);
        const records = this.#records(chain, step, build, writes);
        await Promise.all(records.map(({ read }) => read));
        if (chain.void) return { done: false };
        const { commands, touched } = this.#commands(chain, build, writes);
        commands.push(...others);
        return { done: this.#send(chain, step, checkpoint, commands, touched) };
      } catch (error) {
        if (error instanceof BuildMoved) return { done: false };
        throw error;
      }
    });
    return done;
  }

  /** Reads the records that the next commits of a build change. */
  async prefetch(build: Build, writes: readonly Write[]): Promise<void> {
    const step = this.#builds.step(build);
    try {
      const { records } = await this.#inTurn(step, async () => ({
        records: this.#records(await this.#chain(step, build), step, build, writes),
      }));
      await Promise.all(records.map(({ read }) => read));
    } catch (error) {
      // Nothing was read then, and the commit will find out the same.
      if (!(error instanceof BuildMoved)) throw error;
    }
  }

  async #inTurn<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(keyOf(step)) ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(keyOf(step), over);
    return turn;
  }

  /** The chain that ends where the step is to begin, a new one where there is none. Rejects with BuildMoved. */
  async #chain(step: Step, build: Build): Promise<Chain> {
    const known = this.#chains.get(keyOf(step));
    if (known?.void === false && known.checkpoints.at(-1) === step.expected) return known;
    const collections = this.#builds.collectionsOf(build.name);
    const fields = [madeField, heldField].flatMap((field) =>
      collections.map((name) => field(step.build, name)),
    );
    const counts = await readAt(
      this.#redis,
      step,
      (at) => at === step.expected,
      fields.map((field) => ['HGET', step.key, field]),
    );
    const chain: Chain = {
      checkpoints: [step.expected],
      made: new Map(collections.map((name, i) => [name, Number(counts[i] ?? 0)])),
      held: new Map(collections.map((name, i) => [name, Number(counts[collections.length + i] ?? 0)])),
      known: new Map(),
      size: 0,
      turn: 0,
      void: false,
    };
    this.#chains.set(keyOf(step), chain);
    return chain;
  }

  #drop(chain: Chain, step: Step): void {
    chain.void = true;
    if (this.#chains.get(keyOf(step)) === chain) this.#chains.delete(keyOf(step));
  }

  /** The records of the writes; those that are not known yet are being read. */
  #records(chain: Chain, step: Step, build: Build, writes: readonly Write[]): Known[] {
    const turn = ++chain.turn;
    const all = new Set<Known>();
    const missing: Known[] = [];
    const read = Promise.withResolvers<void>();
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const { collection, key } = write;
      let records = chain.known.get(collection);
      if (records === undefined) {
        records = new Map();
        chain.known.set(collection, records);
      }
      let record = records.get(key);
      if (record === undefined) {
        const { schema } = this.#builds.collection(collection);
        const hash = this.#builds.recordKey(build.name, step.build, collection, key);
        const none = { doc: null, made: null, underWay: 0, turn };
        record = { collection, schema, key, hash, read: read.promise, ...none };
        records.set(key, record);
        missing.push(record);
      }
      record.turn = turn;
      all.add(record);
    }
    chain.size += missing.length;
    if (chain.size > knownMax) forget(chain);
    this.#read(chain, step, missing).then(read.resolve, read.reject);
    read.promise.catch(() => {});
    return [...all];
  }

  async #read(chain: Chain, step: Step, missing: readonly Known[]): Promise<void> {
    if (missing.length === 0) return;
    try {
      const commands = missing.map(({ hash }) => ['HMGET', hash, 'doc', 'made']);
      const found = await readAt(this.#redis, step, (at) => chain.checkpoints.includes(at), commands);
      for (const [n, record] of missing.entries()) {
        const [doc, made] = found[n] as (string | null)[];
        if (!doc) continue;
        record.doc = JSON.parse(doc);
        record.made = made ?? null;
      }
    } catch (error) {
      this.#drop(chain, step);
      throw error;
    }
  }

  async #send(
    chain: Chain,
    step: Step,
    checkpoint: Position,
    commands: readonly Command[],
    touched: Iterable<Known>,
  ): Promise<boolean> {
    const records = [...touched];
    chain.checkpoints.push(checkpoint);
    if (chain.checkpoints.length > checkpointsMax) chain.checkpoints.shift();
    for (const record of records) record.underWay++;
    let done = false;
    try {
      done = await runStep(this.#redis, step, checkpoint, commands);
      return done;
    } finally {
      for (const record of records) record.underWay--;
      if (!done) this.#drop(chain, step);
    }
  }

  /**
   * Several writes to one record become one. Records get their places in the order of the writes that make them, so
   * that it does not matter how events were divided into commits.
   */
  #commands(
    chain: Chain,
    build: Build,
    writes: readonly Write[],
  ): { commands: Command[]; touched: Iterable<Known> } {
    /** Whether the records were there before. */
    const touched = new Map<Known, boolean>();
    const counted = new Set<string>();
    for (const write of writes) {
      if (!('collection' in write)) continue;
      const record = chain.known.get(write.collection)!.get(write.key)!;
      if (!touched.has(record)) touched.set(record, record.doc !== null);
      const doc = changed(record.doc, write);
      if (doc === null) record.made = null;
      else if (record.doc === null) {
        const made = chain.made.get(record.collection)! + 1;
        chain.made.set(record.collection, made);
        counted.add(record.collection);
        record.made = madeKey(made);
      }
      record.doc = doc;
    }
    const commands: Command[] = [];
    for (const [{ collection, schema, key, hash, doc, made }, existed] of touched) {
      const more = Number(doc !== null) - Number(existed);
      if (more !== 0) {
        chain.held.set(collection, chain.held.get(collection)! + more);
        counted.add(collection);
      }
      if (doc !== null) commands.push(putCommand(hash, schema.fields, key, doc, made!));
      else if (existed) commands.push({ args: ['DEL', hash], ms: plainMs });
    }
    if (counted.size > 0) {
      const counts = [...counted].flatMap((name) => [
        ...[madeField(String(build.build), name), String(chain.made.get(name))],
        ...[heldField(String(build.build), name), String(chain.held.get(name))],
      ]);
      commands.push({ args: ['HSET', this.#builds.key(build.name), ...counts], ms: plainMs });
    }
    return { commands, touched: touched.keys() };
  }
}
