/** The single worker threads of a process: one of each kind, restarted if it dies. */
import type { Failure } from '../failures.ts';
import { faultNotice, givenUpAt, type OnTrouble, recovering, Thread } from './rpc.ts';

/** `down`: a thread does not exist. `degraded`: a thread does not respond. */
export type ThreadState = 'ok' | 'degraded' | 'down';

export interface ThreadOptions {
  /** Its name in messages to the operator. Default: the name of its worker. */
  name?: string;
  /** Receives its unsolicited messages. */
  onNotice?(notice: string, value: unknown): void;
  /** A method that a replacement thread must answer; otherwise it also counts as dead. */
  probe?: string;
  /** Called when `deathsMax` threads in a row have died. Without it, restarts continue indefinitely. */
  onLost?(): void;
}

/** A thread that has lived this long is not affected by the fault that killed its predecessor. */
const steadyMs = 60_000;
const backOffMs = { first: 1_000, longest: 30_000 };
const deathsMax = 5;
/** A thread counts as not responding after this long without a message, although it is pinged every second. */
const silentMs = 5_000;

const entryOf = (worker: string) => new URL(`./${worker}-worker.ts`, import.meta.url);

/**
 * A thread that is restarted when it dies: immediately the first time, then with growing delays after repeated deaths.
 */
export class SupervisedThread {
  readonly #start: (again: boolean) => Thread;
  readonly #options: ThreadOptions & { name: string; onTrouble: OnTrouble };
  /** Null while a dead thread waits for its restart. */
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

  /**
   * Fails with `unavailable` if the thread is being restarted or dies, and otherwise with the failure of the method.
   */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#thread?.call<T>(method, ...args) ?? Promise.reject(this.#away());
  }

  /** Like `call`, but fails with `cancelled` once the signal aborts; the thread stops at its next check. */
  callUntil<T>(signal: AbortSignal, method: string, ...args: unknown[]): Promise<T> {
    return givenUpAt(
      signal,
      (cancelled) =>
        this.#thread?.callCancellable<T>(cancelled, method, ...args) ?? Promise.reject(this.#away()),
    );
  }

  /** Pings the thread. */
  ping(): void {
    this.#thread?.ping();
  }

  /** As of the last ping. */
  get state(): ThreadState {
    if (this.#thread === null) return 'down';
    return this.#thread.silentMs < silentMs ? 'ok' : 'degraded';
  }

  /** Lets the thread finish its calls and ends it. */
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
      if (notice === faultNotice) onTrouble(`Unexpected error in a ${name} thread: ${value}.`);
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

/** The threads of a process, closed in reverse order. */
export class Threads {
  readonly #threads: SupervisedThread[] = [];
  readonly #onTrouble: OnTrouble;
  readonly #closing = new AbortController();

  constructor(onTrouble: OnTrouble = () => {}) {
    this.#onTrouble = onTrouble;
  }

  /** Starts the file of a worker with `data`, adding `again: true` if it replaces a thread that died. */
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
   * Runs a single job, possibly a long one, in a separate thread and ends the thread. Calls its `stop` when the signal
   * aborts or the threads are closed.
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
      if (notice === faultNotice) this.#onTrouble(`Unexpected error in a ${worker} thread: ${value}.`);
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

  /** Pings each thread. */
  ping(): void {
    for (const thread of this.#threads) thread.ping();
  }

  /** The worst state as of the last pings. */
  get state(): ThreadState {
    const states = this.#threads.map(({ state }) => state);
    return states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const thread of this.#threads.toReversed()) await thread.close();
  }
}
