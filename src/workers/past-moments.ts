/**
 * The read models of a past moment, or of two compared moments. They are replayed on demand into folders of this
 * process, kept while they are being read, and deleted after a period without reads or when another moment is
 * requested.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Reads } from '../answering/reads.ts';
import { Failure } from '../failures.ts';
import type { ChangesPage, ChangesRequest } from '../history/past.ts';
import type { Position } from '../ports/event-log.ts';
import { type AdapterConfig, modelPaths, pastFolder } from './adapter-config.ts';
import type { MadeMoment } from './history-worker.ts';
import { openReads, type PooledReads } from './pooled-reads.ts';
import type { OnTrouble } from './rpc.ts';
import { openTemporaryFolder, sweepTemporaryFolders, type TemporaryFolder } from './temporary-folders.ts';
import { Threads } from './threads.ts';

export interface MomentLimits {
  /** Limit on the disk space used by the read models of a moment. */
  bytesMax: number;
  /** Time limit for a replay. */
  makeMs: number;
  /** How long unread models are kept. */
  idleMs: number;
  /** How long a caller waits for a replay before it is asked to retry later. */
  waitMs: number;
}

export const momentLimits: MomentLimits = {
  bytesMax: 4 * 1024 ** 3,
  makeMs: 30 * 60_000,
  idleMs: 10 * 60_000,
  waitMs: 2_000,
};

export interface PastMomentsOptions {
  onTrouble?: OnTrouble;
  /** Default: `momentLimits`. */
  limits?: MomentLimits;
  /** A monotonic clock in ms. Default: the process's clock. */
  now?: () => number;
  /** Runs the jobs over the history one after another, and is closed with this object. Default: threads. */
  workers?: Pick<Threads, 'once' | 'close'>;
}

/** The progress of a moment. */
export interface MomentState {
  position: Position;
  status: 'making' | 'ready' | 'failed';
  /** Events replayed so far, excluding those of the earlier moment from which it continues. */
  events: number;
  /** Size on disk; 0 until it is ready. */
  bytes: number;
  /** A sentence with the reason why it could not be built. */
  error: string | null;
}

interface KeptMoment extends MomentState {
  folder: TemporaryFolder | null;
  reads: PooledReads | null;
}

/** The moments that are kept: one, or two in chronological order. */
interface View {
  moments: KeptMoment[];
  making: Promise<void>;
  usedAt: number;
  /** Number of reads in progress. */
  pending: number;
  dropped: AbortController;
}

/** How long a failure is returned to callers before the next attempt. */
const failedMs = 30_000;
const tidyMs = 60_000;
/** A moment read this recently is kept, because its reader may be about to request the next page. */
const restMs = 5_000;

export class PastMoments {
  readonly #adapters: AdapterConfig;
  readonly #limits: MomentLimits;
  readonly #onTrouble: OnTrouble;
  readonly #now: () => number;
  readonly #workers: Pick<Threads, 'once' | 'close'>;
  readonly #closing = new AbortController();
  readonly #tidying: NodeJS.Timeout;
  #view: View | null = null;

  constructor(
    adapters: AdapterConfig,
    {
      onTrouble = () => {},
      limits = momentLimits,
      now = () => performance.now(),
      workers = new Threads(onTrouble),
    }: PastMomentsOptions = {},
  ) {
    this.#adapters = adapters;
    this.#limits = limits;
    this.#onTrouble = onTrouble;
    this.#now = now;
    this.#workers = workers;
    void sweepTemporaryFolders(pastFolder(adapters.folder));
    this.#tidying = setInterval(() => void this.#tidy(), Math.min(tidyMs, limits.idleMs)).unref();
  }

  /** The moments that are kept or being built, latest first. */
  states(): MomentState[] {
    return (this.#view?.moments ?? [])
      .map(({ position, status, events, bytes, error }) => ({ position, status, events, bytes, error }))
      .reverse();
  }

  /**
   * The reads of a moment, which is first replayed if necessary. Fails with `unavailable` if this or another moment is
   * being replayed (with the progress), if another one is being read, or if it could not be built (with the reason).
   */
  async at(position: Position): Promise<Reads> {
    const view = await this.#ready([position]);
    const { reads } = view.moments.find((moment) => moment.position === position)!;
    // Calls through it count as use of the view.
    const calls = Object.entries(reads!) as [string, (...args: unknown[]) => Promise<unknown>][];
    const counted = calls.map(([name, call]) => [
      name,
      (...args: unknown[]) => this.#using(view, () => call(...args)),
    ]);
    return Object.fromEntries(counted) as Reads;
  }

  /** The differences between the second moment and the first. Fails like `at`. */
  async changes(from: Position, to: Position, request: ChangesRequest): Promise<ChangesPage> {
    const view = await this.#ready([from, to]);
    return this.#using(view, async () => {
      const folders = [from, to].map(
        (position) => view.moments.find((moment) => moment.position === position)!.folder!.path,
      );
      try {
        return await this.#workers.once<ChangesPage>('history', this.#adapters, 'changes', {
          args: [...folders, request],
          signal: this.#closing.signal,
        });
      } catch (error) {
        if (!view.dropped.signal.aborted) throw error;
        throw new Failure(
          'unavailable',
          'The compared read models were removed in the meantime; try again.',
          { retryAfterS: 1 },
        );
      }
    });
  }

  async #ready(positions: readonly Position[]): Promise<View> {
    const holds = (one: View | null): one is View =>
      one !== null &&
      positions.every((position) => one.moments.some((moment) => moment.position === position));
    const view = holds(this.#view) ? this.#view : await this.#begin([...new Set(positions)].sort());
    view.usedAt = this.#now();
    if (view.moments.some(({ status }) => status === 'making'))
      await Promise.race([view.making, delay(this.#limits.waitMs, undefined, { ref: false })]);
    for (const { status, error } of view.moments) {
      if (status === 'failed') throw new Failure('unavailable', error!, { retryAfterS: failedMs / 1000 });
      if (status === 'making') throw this.#busy(view);
    }
    return view;
  }

  async #using<T>(view: View, read: () => Promise<T>): Promise<T> {
    view.pending++;
    try {
      return await read();
    } finally {
      view.pending--;
      view.usedAt = this.#now();
    }
  }

  #busy({ moments }: View): Failure {
    const { position, events } = moments.find(({ status }) => status === 'making')!;
    return new Failure(
      'unavailable',
      `The read models as of ${position} are being built: ${events} events so far. Try again later; GET /admin/api/moments shows the progress.`,
      { retryAfterS: 2 },
    );
  }

  async #begin(positions: Position[]): Promise<View> {
    if (this.#closing.signal.aborted) throw new Failure('unavailable', 'The service is shutting down.');
    const before = this.#view;
    if (before?.moments.some(({ status }) => status === 'making')) throw this.#busy(before);
    const failed = before?.moments.some(({ status }) => status === 'failed');
    if (before && !failed && (before.pending > 0 || this.#now() - before.usedAt <= restMs))
      throw new Failure('unavailable', 'Another moment of the past is being read; try again shortly.', {
        retryAfterS: 5,
      });
    const view: View = {
      moments: positions.map((position) => ({
        position,
        status: 'making',
        events: 0,
        bytes: 0,
        error: null,
        folder: null,
        reads: null,
      })),
      making: Promise.resolve(),
      usedAt: this.#now(),
      pending: 0,
      dropped: new AbortController(),
    };
    this.#view = view;
    if (before) await this.#remove(before);
    view.making = this.#make(view);
    return view;
  }

  /** Never rejects; errors are recorded in the moments' status. */
  async #make(view: View): Promise<void> {
    const late = AbortSignal.timeout(this.#limits.makeMs);
    const signal = AbortSignal.any([late, this.#closing.signal, view.dropped.signal]);
    let earlier: string | null = null;
    try {
      for (const moment of view.moments) {
        moment.folder = await openTemporaryFolder(pastFolder(this.#adapters.folder));
        const { path } = moment.folder;
        const { bytesMax } = this.#limits;
        const made = await this.#workers.once<MadeMoment>('history', this.#adapters, 'makeMoment', {
          args: [{ until: moment.position, folder: path, from: earlier, bytesMax }],
          signal,
          onNotice: (notice, value) => {
            if (notice === 'events') moment.events = Number(value);
          },
        });
        view.dropped.signal.throwIfAborted();
        earlier = path;
        const readModels = modelPaths(path);
        moment.reads = openReads(
          { ...this.#adapters, readModels },
          { name: 'past reading', onTrouble: this.#onTrouble },
        );
        Object.assign(moment, made, { status: 'ready' });
      }
      view.usedAt = this.#now();
    } catch (error) {
      const sentence = late.aborted
        ? 'Building the read models of that moment exceeded the time limit.'
        : error instanceof Failure
          ? error.detail
          : 'The read models of that moment could not be built.';
      for (const moment of view.moments) Object.assign(moment, { status: 'failed', error: sentence });
      if (!this.#closing.signal.aborted && !view.dropped.signal.aborted)
        this.#onTrouble(`A past moment was not built: ${sentence}`);
      await this.#remove(view);
      setTimeout(() => this.#forget(view), failedMs).unref();
    }
  }

  #forget(view: View): void {
    if (this.#view === view) this.#view = null;
  }

  async #remove(view: View): Promise<void> {
    for (const moment of view.moments) {
      await moment.reads?.close();
      await moment.folder?.remove().catch(() => {});
      Object.assign(moment, { reads: null, folder: null });
    }
  }

  async #tidy(): Promise<void> {
    await sweepTemporaryFolders(pastFolder(this.#adapters.folder));
    const view = this.#view;
    if (view && view.pending === 0 && this.#now() - view.usedAt > this.#limits.idleMs) await this.clear();
  }

  /** Deletes the kept moments if they were unread for too long or built from data that has changed. */
  async clear(): Promise<void> {
    const view = this.#view;
    if (view === null) return;
    this.#forget(view);
    view.dropped.abort();
    await view.making;
    await this.#remove(view);
  }

  async close(): Promise<void> {
    clearInterval(this.#tidying);
    this.#closing.abort();
    await this.#workers.close();
    await this.clear();
  }
}
