/**
 * A pool of equal worker threads. A thread that dies is restarted, immediately the first time and then with a
 * back-off; meanwhile calls go to the others. A thread that has not answered anything for longer than a call may take
 * is ended and replaced: only so does work end that never yields.
 */
import { orAborted } from '../async/until-aborted.ts';
import { Failure } from '../failures.ts';
import { faultNotice, type Thread } from './rpc.ts';

export interface PoolOptions {
  /** What its threads are called in sentences for the operator. */
  name: string;
  /** `again`: in the place of one that has gone. */
  start(again: boolean): Thread;
  onTrouble(sentence: string): void;
  /** What a thread says unasked. */
  onNotice?(notice: string, value: unknown): void;
  /** Threads at most; the first is started at once, each further one when all others are busy. Default 1. */
  sizeMax?: number;
  /** The first is started with the first call. */
  startsWhenAsked?: boolean;
  /** A thread that has been asked nothing for so long is ended; the next call starts another. Default: for ever. */
  idleMs?: number;
  /**
   * After so many calls a second thread is got ready, before there is more to do than one can; 0: as soon as the first is
   * warm. Default: never.
   */
  secondAfter?: number;
  /** A thread with so many calls waiting is busy. Default 8. */
  busyAt?: number;
  /** Calls that may wait for one thread; further callers are asked to retry later. Default: any number. */
  waitingMax?: number;
  /** Called once when a thread starts; until it has answered, calls may take `startMs`. */
  warmUp?: string;
  /** How long a call may take, in ms: then it fails (`timeout`). Default: for ever. */
  deadlineMs?: number;
  /** A method that a thread which takes the place of a dead one must answer, else it counts as dead too. */
  probe?: string;
  /** Called when `deathsMax` threads in a row have died; without it another is started for ever. */
  onLost?(): void;
}

export type PoolState = 'ok' | 'degraded' | 'down';

/** A thread that lived so long has outlived what killed the one before it. */
const steadyMs = 60_000;
const backOffMs = { first: 1_000, longest: 30_000 };
const deathsMax = 5;
const startMs = 60_000;
/** A thread that says nothing for so long, pinged every second, is not there for `state`. */
const silentMs = 5_000;
/** A thread with work that has been silent for so long gets no more while another is free. */
const stuckMs = 1_000;

const tooMuch = new Failure('unavailable', 'Too much is being asked at once, try again shortly.', {
  retryAfterS: 1,
});

interface Slot {
  /** null while a dead one waits to be started again. */
  thread: Thread | null;
  startedAt: number;
  warm: boolean;
  /** Of this thread, in the order they were sent. */
  jobs: Set<Job>;
  /** Deaths since a thread here last lived steadily. */
  deaths: number;
  startsAt: number;
  timer: NodeJS.Timeout | undefined;
  /** Ends it when it has been idle. */
  resting: NodeJS.Timeout | undefined;
}

/** 0: it answers; 1: it is being warmed up; 2: it has been silent over its work for a while. */
function unready({ thread, warm }: Slot): 0 | 1 | 2 {
  if (!warm) return 1;
  return thread!.stuckMs > stuckMs ? 2 : 0;
}

interface Job {
  method: string;
  args: unknown[];
  /** Set to 1 when its caller has left; null for one whose caller does not. */
  cancelled: Int32Array | null;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout | undefined;
  /** It was waiting for a thread that had to be ended, and goes to another once. */
  moved: boolean;
}

export class ThreadPool {
  readonly #options: Required<Pick<PoolOptions, 'sizeMax' | 'secondAfter' | 'busyAt' | 'waitingMax'>> &
    PoolOptions;
  readonly #slots: Slot[] = [];
  /** Idle threads that are being ended. */
  readonly #ending = new Set<Promise<void>>();
  #calls = 0;
  #closing = false;

  constructor(options: PoolOptions) {
    const any = Number.POSITIVE_INFINITY;
    this.#options = { sizeMax: 1, secondAfter: any, busyAt: 8, waitingMax: any, ...options };
    if (!options.startsWhenAsked) this.#add();
  }

  /**
   * The least busy thread's answer. Failure `unavailable` where no thread lives, all have too much to do, or the one
   * that was asked died; `timeout` after the deadline; and what the method fails with.
   */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#call(null, method, args);
  }

  /** As `call`, until the signal aborts: then it fails (`cancelled`), and the thread's work on it ends. */
  async callUntil<T>(signal: AbortSignal, method: string, ...args: unknown[]): Promise<T> {
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const cancel = () => Atomics.store(cancelled, 0, 1);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await orAborted(this.#call<T>(cancelled, method, args), signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #call<T>(cancelled: Int32Array | null, method: string, args: unknown[]): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#send({
      method,
      args,
      cancelled,
      resolve: resolve as (value: unknown) => void,
      reject,
      timer: undefined,
      moved: false,
    });
    return promise;
  }

  /** Asks each thread for a sign of life. */
  ping(): void {
    for (const { thread } of this.#slots) thread?.ping();
  }

  /** `down`: no thread answers; `degraded`: not all do. As of the last pings. */
  get state(): PoolState {
    const answering = this.#slots.filter(({ thread }) => thread !== null && thread.silentMs < silentMs);
    if (answering.length === this.#slots.length) return 'ok';
    return answering.length > 0 ? 'degraded' : 'down';
  }

  /** Lets the threads finish what they were asked and ends them. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([
      ...this.#ending,
      ...this.#slots.map(async (slot) => {
        clearTimeout(slot.timer);
        clearTimeout(slot.resting);
        await slot.thread?.close();
      }),
    ]);
  }

  #send(job: Job): void {
    const slot = this.#choose();
    const { waitingMax } = this.#options;
    this.#calls++;
    // Not at that call alone: the first may not be warm by then.
    if (slot?.warm) this.#addSecond();
    if (slot === null) {
      job.reject(this.#away());
      return;
    }
    const { jobs } = slot;
    const thread = slot.thread!;
    if (thread.pending >= waitingMax) {
      job.reject(tooMuch);
      return;
    }
    jobs.add(job);
    clearTimeout(slot.resting);
    this.#limit(slot, job);
    // A job that was given up or moved meanwhile is none of this thread's any more.
    const settle = (done: () => void) => {
      if (!jobs.delete(job)) return;
      clearTimeout(job.timer);
      this.#rest(slot);
      done();
    };
    const { method, args, cancelled } = job;
    const answer = cancelled
      ? thread.callCancellable(cancelled, method, ...args)
      : thread.call(method, ...args);
    answer.then(
      (value) => settle(() => job.resolve(value)),
      (error) => settle(() => job.reject(error)),
    );
  }

  /**
   * The living thread with the least to do. One that does not answer comes last, and one that is being warmed up waits
   * until it is warm while another has time; another is started beside when all have too much.
   */
  #choose(): Slot | null {
    const { sizeMax, busyAt } = this.#options;
    const least = () =>
      this.#slots
        .filter(({ thread }) => thread !== null)
        .sort((a, b) => unready(a) - unready(b) || a.thread!.pending - b.thread!.pending)[0] ?? null;
    const first = least();
    if (first === null) return this.#slots.length > 0 || this.#closing ? null : this.#add();
    const hasTime = first.thread!.pending < busyAt && unready(first) === 0;
    if (hasTime || this.#closing) return first;
    if (this.#slots.length < sizeMax && this.#slots.every(({ warm }) => warm)) this.#add();
    return least();
  }

  #add(): Slot {
    const slot: Slot = {
      thread: null,
      startedAt: 0,
      warm: false,
      jobs: new Set(),
      deaths: 0,
      startsAt: 0,
      timer: undefined,
      resting: undefined,
    };
    this.#slots.push(slot);
    this.#start(slot);
    return slot;
  }

  #addSecond(): void {
    const { secondAfter, sizeMax } = this.#options;
    if (this.#calls >= secondAfter && this.#slots.length < Math.min(2, sizeMax) && !this.#closing)
      this.#add();
  }

  /** Ends a thread that has nothing to do when that stays so. */
  #rest(slot: Slot): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined || slot.jobs.size > 0) return;
    clearTimeout(slot.resting);
    slot.resting = setTimeout(() => {
      const { thread } = slot;
      if (slot.jobs.size > 0 || thread === null || this.#closing) return;
      this.#slots.splice(this.#slots.indexOf(slot), 1);
      const ending = thread.close().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }, idleMs).unref();
  }

  #start(slot: Slot): void {
    const { name, start, onNotice, onTrouble, warmUp, probe } = this.#options;
    const thread = start(slot.deaths > 0);
    slot.thread = thread;
    slot.jobs = new Set();
    slot.startedAt = performance.now();
    thread.onNotice = (notice, value) => {
      if (notice === faultNotice) onTrouble(`A ${name} thread met an unexpected error: ${value}.`);
      else onNotice?.(notice, value);
    };
    thread.onDeath = (reason) => this.#died(slot, thread, reason);
    slot.warm = warmUp === undefined;
    if (warmUp !== undefined) {
      const warmed = () => {
        slot.warm = true;
        if (slot.thread !== thread) return;
        for (const job of slot.jobs) this.#limit(slot, job);
        this.#addSecond();
      };
      thread.call(warmUp).then(warmed, warmed);
    }
    if (probe !== undefined && slot.deaths > 0)
      thread.call(probe).catch(() => {
        thread.terminate();
        this.#died(slot, thread, 'it cannot be used');
      });
  }

  #died(slot: Slot, thread: Thread, reason: string): void {
    if (slot.thread !== thread || this.#closing) return;
    this.#options.onTrouble(`A ${this.#options.name} thread has ended (${reason}).`);
    this.#restart(slot);
  }

  /** Starts a thread in the place of one that has gone: at once, or later the more have died of late. */
  #restart(slot: Slot): void {
    const { onLost, name, onTrouble } = this.#options;
    slot.thread = null;
    if (performance.now() - slot.startedAt > steadyMs) slot.deaths = 0;
    slot.deaths++;
    if (onLost !== undefined && slot.deaths >= deathsMax) {
      this.#closing = true;
      onTrouble(`No ${name} thread can be started.`);
      onLost();
      return;
    }
    if (slot.deaths === 1) {
      this.#start(slot);
      return;
    }
    const waitMs = Math.min(backOffMs.first * 2 ** (slot.deaths - 2), backOffMs.longest);
    slot.startsAt = performance.now() + waitMs;
    slot.timer = setTimeout(() => this.#start(slot), waitMs).unref();
  }

  #away(): Failure {
    const now = performance.now();
    const inMs = Math.min(backOffMs.longest, ...this.#slots.map(({ startsAt }) => startsAt - now));
    return new Failure('unavailable', 'The service is recovering from a fault, try again shortly.', {
      retryAfterS: Math.max(1, Math.ceil(inMs / 1000)),
    });
  }

  #limit(slot: Slot, job: Job): void {
    const { deadlineMs } = this.#options;
    if (deadlineMs === undefined) return;
    clearTimeout(job.timer);
    const limitMs = slot.warm ? deadlineMs : startMs;
    job.timer = setTimeout(() => this.#overdue(slot, job, limitMs), limitMs).unref();
  }

  /** Gives a call up; a thread that has answered nothing all the while is replaced, its other calls go elsewhere. */
  #overdue(slot: Slot, job: Job, limitMs: number): void {
    const { name, onTrouble } = this.#options;
    const { thread } = slot;
    if (thread === null || !slot.jobs.delete(job)) return;
    // A thread that yields is not replaced: it ends the work by itself.
    if (job.cancelled !== null) Atomics.store(job.cancelled, 0, 1);
    job.reject(new Failure('timeout', 'The operation timed out.'));
    if (thread.stuckMs < limitMs / 2) return;
    onTrouble(`A ${name} thread did not respond for ${Math.round(thread.stuckMs)} ms and is replaced.`);
    const waiting = [...slot.jobs];
    slot.jobs.clear();
    thread.terminate();
    this.#restart(slot);
    for (const other of waiting) {
      clearTimeout(other.timer);
      if (other.moved) other.reject(this.#away());
      else this.#send(Object.assign(other, { moved: true }));
    }
  }
}
