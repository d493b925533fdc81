/** The single worker threads of one process: each is there once, and restarted when it dies. */
import type { Failure } from '../failures.ts';
import { faultNotice, givenUpAt, type OnTrouble, recovering, Thread } from './rpc.ts';

/** `down`: a thread is not there at all; `degraded`: one does not answer. */
export type ThreadState = 'ok' | 'degraded' | 'down';

export interface ThreadOptions {
  /** What it is called in sentences for the operator; default: its worker's name. */
  name?: string;
  /** What it says unasked. */
  onNotice?(notice: string, value: unknown): void;
  /** A method that a thread which takes the place of a dead one must answer, else it counts as dead too. */
  probe?: string;
  /** Called when `deathsMax` threads in a row have died; without it another is started for ever. */
  onLost?(): void;
}

/** A thread that lived so long has outlived what killed the one before it. */
const steadyMs = 60_000;
const backOffMs = { first: 1_000, longest: 30_000 };
const deathsMax = 5;
/** A thread that says nothing for so long, pinged every second, is not there for `state`. */
const silentMs = 5_000;

const entryOf = (worker: string) => new URL(`./${worker}-worker.ts`, import.meta.url);

/** A thread that is restarted when it dies: at once the first time, then later the more often it has died of late. */
export class SupervisedThread {
  readonly #start: (again: boolean) => Thread;
  readonly #options: ThreadOptions & { name: string; onTrouble: OnTrouble };
  /** null while a dead one waits to be started again. */
  #thread: Thread | null = null;
  #startedAt = 0;
  #deaths = 0;
  #startsAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(
    start: (again: boolean) => Thread,
    options: ThreadOptions & { name: string; onTrouble: OnTrouble },
  ) {
    this.#start = start;
    this.#options = options;
    this.#run();
  }

  /** Failure `unavailable` where the thread is away or dies; and what the method fails with. */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#thread?.call<T>(method, ...args) ?? Promise.reject(this.#away());
  }

  /** As `call`, until the signal aborts: then it fails (`cancelled`), and the thread's work on it ends. */
  callUntil<T>(signal: AbortSignal, method: string, ...args: unknown[]): Promise<T> {
    return givenUpAt(
      signal,
      (cancelled) =>
        this.#thread?.callCancellable<T>(cancelled, method, ...args) ?? Promise.reject(this.#away()),
    );
  }

  /** Asks for a sign of life. */
  ping(): void {
    this.#thread?.ping();
  }

  /** As of the last ping. */
  get state(): ThreadState {
    if (this.#thread === null) return 'down';
    return this.#thread.silentMs < silentMs ? 'ok' : 'degraded';
  }

  /** Lets the thread finish what it was asked and ends it. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    await this.#thread?.close();
  }

  #run(): void {
    const { name, onNotice, onTrouble, probe } = this.#options;
    const thread = this.#start(this.#deaths > 0);
    this.#thread = thread;
    this.#startedAt = performance.now();
    thread.onNotice = (notice, value) => {
      if (notice === faultNotice) onTrouble(`A ${name} thread met an unexpected error: ${value}.`);
      else onNotice?.(notice, value);
    };
    thread.onDeath = (reason) => this.#died(thread, reason);
    if (probe !== undefined && this.#deaths > 0)
      thread.call(probe).catch(() => {
        thread.terminate();
        this.#died(thread, 'it cannot be used');
      });
  }

  #died(thread: Thread, reason: string): void {
    if (this.#thread !== thread || this.#closing) return;
    const { name, onTrouble, onLost } = this.#options;
    onTrouble(`A ${name} thread has ended (${reason}).`);
    this.#thread = null;
    if (performance.now() - this.#startedAt > steadyMs) this.#deaths = 0;
    this.#deaths++;
    if (onLost !== undefined && this.#deaths >= deathsMax) {
      this.#closing = true;
      onTrouble(`No ${name} thread can be started.`);
      onLost();
    } else if (this.#deaths === 1) this.#run();
    else {
      const waitMs = Math.min(backOffMs.first * 2 ** (this.#deaths - 2), backOffMs.longest);
      this.#startsAt = performance.now() + waitMs;
      this.#timer = setTimeout(() => this.#run(), waitMs).unref();
    }
  }

  #away(): Failure {
    return recovering(Math.max(1, Math.ceil((this.#startsAt - performance.now()) / 1000)));
  }
}

/** The threads of one process, closed in the reverse order. */
export class Threads {
  readonly #threads: SupervisedThread[] = [];
  readonly #onTrouble: OnTrouble;
  readonly #closing = new AbortController();

  constructor(onTrouble: OnTrouble = () => {}) {
    this.#onTrouble = onTrouble;
  }

  /** Starts `<worker>-worker.ts` with `data`, and with `again: true` where it takes the place of one that has gone. */
  start(worker: string, data: object, options: ThreadOptions = {}): SupervisedThread {
    const thread = new SupervisedThread((again) => new Thread(entryOf(worker), { ...data, again }), {
      name: worker,
      onTrouble: this.#onTrouble,
      ...options,
    });
    this.#threads.push(thread);
    return thread;
  }

  /**
   * Has a thread of its own do one thing, which may take long, and ends it. It is told to `stop` when the signal aborts,
   * or the threads are closed.
   */
  async once<T>(
    worker: string,
    data: object,
    method: string,
    {
      args = [],
      signal,
      onNotice,
    }: {
      args?: readonly unknown[];
      signal?: AbortSignal;
      onNotice?: (notice: string, value: unknown) => void;
    } = {},
  ): Promise<T> {
    const thread = new Thread(entryOf(worker), data);
    thread.onNotice = (notice, value) => {
      if (notice === faultNotice) this.#onTrouble(`A ${worker} thread met an unexpected error: ${value}.`);
      else onNotice?.(notice, value);
    };
    const stopped = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const stop = () => void thread.call('stop').catch(() => {});
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    try {
      return await thread.call<T>(method, ...args);
    } finally {
      stopped.removeEventListener('abort', stop);
      await thread.close();
    }
  }

  /** Asks each thread for a sign of life. */
  ping(): void {
    for (const thread of this.#threads) thread.ping();
  }

  /** The worst of them, as of the last pings. */
  get state(): ThreadState {
    const states = this.#threads.map(({ state }) => state);
    return states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const thread of this.#threads.toReversed()) await thread.close();
  }
}
