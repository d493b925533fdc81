/**
 * Read models of past moments, built beside the live ones and cached while they are in use: a few of them, of bounded
 * size, in folders of this process alone. One is made at a time, in a thread of its own, from the latest earlier one
 * that is kept; who asks meanwhile is told how far it is.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';
import type { Reads } from '../reads/reads.ts';
import type { ChangesPage, ChangesRequest } from '../verification/past.ts';
import { type AdapterConfig, modelPaths } from './adapter-config.ts';
import type { MadeMoment, MomentJob } from './moment-worker.ts';
import { openPastFolder, type PastFolder, sweepPastFolders } from './past-folders.ts';
import { pooledReads } from './pooled-reads.ts';
import type { ThreadPool } from './thread-pool.ts';
import { type OnTrouble, Threads } from './threads.ts';

export interface MomentLimits {
  /** Kept at once, the one being made among them. */
  countMax: number;
  /** Of all of them together. */
  bytesMax: number;
  /** How long making one may take. */
  makeMs: number;
  /** How long an unused one is kept. */
  idleMs: number;
  /** How long a caller waits for one that is being built, before it is asked to retry later. */
  waitMs: number;
}

export const momentLimits: MomentLimits = {
  countMax: 4,
  bytesMax: 8 * 1024 ** 3,
  makeMs: 30 * 60_000,
  idleMs: 15 * 60_000,
  waitMs: 2_000,
};

export interface KeptMomentsOptions {
  onTrouble?: OnTrouble;
  /** Default: `momentLimits`. */
  limits?: MomentLimits;
  /** Milliseconds of a clock that never goes back; default: the process's. */
  now?: () => number;
  /** Those that make, one after another; closed with this. Default: threads. */
  makers?: Pick<Threads, 'once' | 'close'>;
}

/** How far a moment is. */
export interface MomentState {
  position: Position;
  status: 'making' | 'ready' | 'failed';
  /** Events replayed to make it; those of an earlier moment it was made from are not counted again. */
  events: number;
  /** On disk; 0 until it is ready. */
  bytes: number;
  /** Why it could not be made, in a sentence. */
  error: string | null;
}

interface Kept extends MomentState {
  folder: PastFolder | null;
  making: Promise<void>;
  reads: Reads | null;
  threads: Threads | null;
  usedAt: number;
  /** Reads under way. */
  pending: number;
  /** Ends the making of it. */
  dropped: AbortController;
}

/** For so long a failure is returned to callers; then it is tried again. */
const failedMs = 30_000;
const tidyMs = 60_000;
/** Whose moment was read so lately may be about to read its next page. */
const restMs = 5_000;
const readMsMax = 30_000;
const searchMsMax = 30_000;
const waitingMax = 64;
/** Two moments are compared by one thread, a few pages in a row. */
const comparing = { deadlineMs: 30_000, waitingMax: 4, idleMs: 60_000 };

export class KeptMoments {
  readonly #adapters: AdapterConfig;
  readonly #limits: MomentLimits;
  readonly #onTrouble: OnTrouble;
  readonly #now: () => number;
  readonly #kept = new Map<Position, Kept>();
  readonly #closing = new AbortController();
  readonly #tidying: NodeJS.Timeout;
  readonly #makers: Pick<Threads, 'once' | 'close'>;
  /** Those that compare. */
  readonly #comparers: Threads;
  readonly #comparing: ThreadPool;

  constructor(
    adapters: AdapterConfig,
    {
      onTrouble = () => {},
      limits = momentLimits,
      now = () => performance.now(),
      makers = new Threads(onTrouble),
    }: KeptMomentsOptions = {},
  ) {
    this.#adapters = adapters;
    this.#limits = limits;
    this.#onTrouble = onTrouble;
    this.#now = now;
    this.#makers = makers;
    this.#comparers = new Threads(onTrouble);
    const options = { name: 'past comparing', startsWhenAsked: true, ...comparing };
    this.#comparing = this.#comparers.start('changes', {}, options);
    void sweepPastFolders(adapters.folder);
    this.#tidying = setInterval(() => void this.#tidy(), Math.min(tidyMs, limits.idleMs)).unref();
  }

  /** All that are kept or being made, the latest moment first. */
  states(): MomentState[] {
    return [...this.#kept.values()]
      .map(({ position, status, events, bytes, error }) => ({ position, status, events, bytes, error }))
      .sort((a, b) => (a.position < b.position ? 1 : -1));
  }

  /**
   * The reads of a moment, made now where it is not kept. Failure `unavailable`, with how far it is: it, or another, is
   * being made, or all are in use; and why it could not be made.
   */
  async at(position: Position): Promise<Reads> {
    return (await this.#ready(position)).reads!;
  }

  /**
   * What is otherwise at the second moment than at the first. Failure as `at`, of either, and `unavailable` where too
   * much is compared at once; `timeout`.
   */
  async changes(from: Position, to: Position, request: ChangesRequest): Promise<ChangesPage> {
    const first = await this.#ready(from);
    return this.#using(first, async () => {
      const second = await this.#ready(to);
      return this.#using(second, async () => {
        const folders = [first, second].map(({ folder }) => folder!.path);
        try {
          return await this.#comparing.call<ChangesPage>('page', ...folders, request);
        } catch (error) {
          if (!first.dropped.signal.aborted && !second.dropped.signal.aborted) throw error;
          throw new Failure(
            'unavailable',
            'The compared read models were removed in the meantime; try again.',
            {
              retryAfterS: 1,
            },
          );
        }
      });
    });
  }

  async #ready(position: Position): Promise<Kept> {
    const kept = this.#kept.get(position) ?? (await this.#begin(position));
    kept.usedAt = this.#now();
    if (kept.status === 'making')
      await Promise.race([kept.making, delay(this.#limits.waitMs, undefined, { ref: false })]);
    // Waiting callers check the status again.
    const status = kept.status as MomentState['status'];
    if (status === 'failed') throw new Failure('unavailable', kept.error!, { retryAfterS: failedMs / 1000 });
    if (status === 'making') throw this.#busy(kept);
    return kept;
  }

  /** While it is read, it is not let go of to make room. */
  async #using<T>(kept: Kept, read: () => Promise<T>): Promise<T> {
    kept.pending++;
    try {
      return await read();
    } finally {
      kept.pending--;
      kept.usedAt = this.#now();
    }
  }

  /** Lets go of all of them: what they were made from has changed. */
  async clear(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((kept) => this.#drop(kept)));
  }

  async close(): Promise<void> {
    clearInterval(this.#tidying);
    this.#closing.abort();
    await this.#makers.close();
    await this.#comparers.close();
    await Promise.all([...this.#kept.values()].map(({ making }) => making));
    await this.clear();
  }

  #busy({ position, events }: Kept): Failure {
    return new Failure(
      'unavailable',
      `The read models as of ${position} are being made: ${events} events so far. Ask again; GET /admin/api/moments tells how far they are.`,
      { retryAfterS: 2 },
    );
  }

  async #begin(position: Position): Promise<Kept> {
    if (this.#closing.signal.aborted) throw new Failure('unavailable', 'The service is shutting down.');
    const making = [...this.#kept.values()].find(({ status }) => status === 'making');
    if (making) throw this.#busy(making);
    await this.#makeRoom();
    const there = this.#kept.get(position);
    if (there) return there;
    const kept: Kept = {
      ...{ position, status: 'making', events: 0, bytes: 0, error: null },
      ...{ folder: null, reads: null, threads: null, usedAt: this.#now(), pending: 0 },
      dropped: new AbortController(),
      making: Promise.resolve(),
    };
    this.#kept.set(position, kept);
    kept.making = this.#make(kept);
    return kept;
  }

  /** Rejects for nothing: what went wrong is the moment's status. */
  async #make(kept: Kept): Promise<void> {
    const { bytesMax, makeMs } = this.#limits;
    const late = AbortSignal.timeout(makeMs);
    try {
      kept.folder = await openPastFolder(this.#adapters.folder);
      const earlier = [...this.#kept.values()]
        .filter(({ status, position }) => status === 'ready' && position < kept.position)
        .reduce<Kept | null>((a, b) => (a === null || b.position > a.position ? b : a), null);
      if (earlier) earlier.usedAt = this.#now();
      const others = [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
      const job: MomentJob = {
        adapters: this.#adapters,
        until: kept.position,
        folder: kept.folder.path,
        from: earlier?.folder?.path ?? null,
        bytesMax: bytesMax - others,
      };
      const made = await this.#makers.once<MadeMoment>('moment', job, 'make', {
        signal: AbortSignal.any([late, this.#closing.signal, kept.dropped.signal]),
        onNotice: (notice, value) => {
          if (notice === 'events') kept.events = Number(value);
        },
      });
      kept.dropped.signal.throwIfAborted();
      Object.assign(kept, made);
      this.#open(kept);
      kept.status = 'ready';
      kept.usedAt = this.#now();
    } catch (error) {
      kept.status = 'failed';
      kept.error = late.aborted
        ? `The read models as of ${kept.position} took longer than they may to make.`
        : error instanceof Failure
          ? error.detail
          : 'The read models of that moment could not be made.';
      if (!this.#closing.signal.aborted && !kept.dropped.signal.aborted)
        this.#onTrouble(`A past moment was not built: ${kept.error}`);
      await kept.folder?.remove().catch(() => {});
      setTimeout(() => void this.#drop(kept), failedMs).unref();
    }
  }

  #open(kept: Kept): void {
    const adapters: AdapterConfig = { ...this.#adapters, readModels: modelPaths(kept.folder!.path) };
    const threads = new Threads(this.#onTrouble);
    kept.threads = threads;
    const records = threads.start('record', adapters, {
      ...{ name: 'past reading', startsWhenAsked: true, waitingMax, deadlineMs: readMsMax },
    });
    const searching = threads.start('search', adapters, {
      ...{ name: 'past search', startsWhenAsked: true, waitingMax, deadlineMs: searchMsMax },
    });
    const using =
      <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> =>
        this.#using(kept, () => call(...args));
    const pools = {
      records: { call: using(records.call.bind(records)) as typeof records.call },
      searching: {
        call: using(searching.call.bind(searching)) as typeof searching.call,
        callUntil: using(searching.callUntil.bind(searching)) as typeof searching.callUntil,
      },
    };
    kept.reads = pooledReads(pools.records, pools.searching);
  }

  /** The one that was asked longest ago goes while there are too many. Failure `unavailable`: all are in use. */
  async #makeRoom(): Promise<void> {
    const { countMax, bytesMax } = this.#limits;
    for (;;) {
      const all = [...this.#kept.values()];
      const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
      // Room for another as large as the largest.
      const largest = Math.max(0, ...all.map((one) => one.bytes));
      if (all.length < countMax && bytes + largest <= bytesMax) return;
      const oldest = all
        .filter(({ status, pending }) => status !== 'making' && pending === 0)
        .sort((a, b) => a.usedAt - b.usedAt)[0];
      const rested = oldest && (oldest.status === 'failed' || this.#now() - oldest.usedAt > restMs);
      if (!rested)
        throw new Failure(
          'unavailable',
          'Too many moments of the past are being looked at; ask again shortly.',
          {
            retryAfterS: 5,
          },
        );
      await this.#drop(oldest);
    }
  }

  async #tidy(): Promise<void> {
    await sweepPastFolders(this.#adapters.folder);
    const now = this.#now();
    for (const kept of [...this.#kept.values()])
      if (kept.status === 'ready' && kept.pending === 0 && now - kept.usedAt > this.#limits.idleMs)
        await this.#drop(kept);
  }

  async #drop(kept: Kept): Promise<void> {
    if (this.#kept.get(kept.position) === kept) this.#kept.delete(kept.position);
    kept.dropped.abort();
    if (kept.status === 'making') await kept.making;
    await kept.threads?.close();
    await kept.folder?.remove().catch(() => {});
  }
}
