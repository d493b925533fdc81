/**
 * A pool of identical threads (piscina) that answer calls with the handlers given to `servePool`. A thread that dies or
 * exceeds the deadline of a call is replaced.
 */
import { flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { Failure, traceOf } from '../failures.ts';
import {
  askedSignal,
  fromWire,
  givenUpAt,
  type Handlers,
  type OnTrouble,
  recovering,
  run,
  toWire,
  type WireFailure,
} from './rpc.ts';

interface Task {
  method: string;
  args: unknown[];
  /** Set to 1 when no caller is waiting for the answer any more; absent for calls that cannot be cancelled. */
  cancelled?: Int32Array;
}

/** `trouble` is the type and origin of an unexpected error, without personal text. */
type Outcome = { value: unknown } | { failure: WireFailure; trouble: string | null };

export interface PoolOptions {
  /** The name of its threads in messages to the operator. */
  name: string;
  /** Passed to `servePool`. */
  data: unknown;
  /** Number of threads that are started immediately and kept. Default: 0. */
  threadsMin?: number;
  /** Maximum number of threads; more are started when all are busy. Default: 1. */
  threadsMax?: number;
  /** Concurrent calls per thread; more than one if the thread waits for servers. Default: 1. */
  atOnce?: number;
  /**
   * Deadline of a call including waiting time, in ms. If a thread runs one call at a time, the thread is terminated
   * too, because work that never yields cannot be stopped otherwise.
   */
  deadlineMs: number;
  /** Memory limit of a thread in MB, above which it dies. Default: Node's limit. */
  oldMb?: number;
  onTrouble?: OnTrouble;
}

/** Maximum number of calls waiting for a thread; further callers are asked to retry later. */
const waitingMax = 256;
/** How long a thread above `threadsMin` stays idle before it ends, in ms. */
const idleMs = 60_000;
/** Size of a thread's young generation in MB. */
const youngMb = 16;

/** The default export of a pool thread's module. `open` is called once, with the pool's data. */
export function servePool(open: (data: never) => Handlers): (task: Task) => Promise<Outcome> {
  const handlers = open(workerData as never);
  let isFirst = true;
  return async ({ method, args, cancelled }) => {
    try {
      const signal = cancelled && [askedSignal(cancelled)];
      signal?.[0]?.throwIfAborted();
      return { value: await run(handlers, method, [...args, ...(signal ?? [])]) };
    } catch (error) {
      return {
        failure: toWire(error),
        trouble: error instanceof Failure ? null : `${method}: ${traceOf(error)}`,
      };
    } finally {
      // A pool thread is terminated from outside and would otherwise not write its compile cache.
      if (isFirst) setImmediate(flushCompileCache);
      isFirst = false;
    }
  };
}

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #pool: Piscina;
  /** Number of running and waiting calls. */
  #calls = 0;
  #closing = false;

  /** `entry` is the module of the threads, as a file: URL. */
  constructor(entry: URL, options: PoolOptions) {
    const { data, threadsMin = 0, threadsMax = 1, atOnce = 1 } = options;
    this.#options = options;
    this.#pool = new Piscina({
      filename: entry.href,
      workerData: data,
      minThreads: threadsMin,
      maxThreads: threadsMax,
      concurrentTasksPerWorker: atOnce,
      idleTimeout: idleMs,
      // While a thread waits for its next call with Atomics, it receives no other messages.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: {
        maxYoungGenerationSizeMb: youngMb,
        ...(options.oldMb !== undefined && { maxOldGenerationSizeMb: options.oldMb }),
      },
    });
    this.#pool.on('error', (error: unknown) => this.#report(error));
  }

  /**
   * Calls a method in a thread. Fails with `unavailable` if too many calls are waiting or the thread died, with
   * `timeout` after the deadline, and otherwise with the failure of the method.
   */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#run({ method, args });
  }

  /** Like `call`, but fails with `cancelled` once the signal aborts; the thread stops at its next check. */
  callUntil<T>(signal: AbortSignal, method: string, ...args: unknown[]): Promise<T> {
    return givenUpAt(signal, (cancelled) => this.#run<T>({ method, args, cancelled }));
  }

  async #run<T>(task: Task): Promise<T> {
    const { deadlineMs, atOnce = 1, threadsMax = 1 } = this.#options;
    // Piscina's own limit does not count calls that can be aborted.
    if (this.#calls >= threadsMax * atOnce + waitingMax)
      throw new Failure('unavailable', 'Too many requests at once; try again shortly.', { retryAfterS: 1 });
    this.#calls++;
    const overdue = Promise.withResolvers<never>();
    const ending = new AbortController();
    const timer = setTimeout(() => {
      overdue.reject(new Failure('timeout', 'The operation timed out.'));
      ending.abort();
    }, deadlineMs);
    try {
      const answer = this.#pool.run(task, atOnce === 1 ? { signal: ending.signal } : {});
      // A thread that is not terminated at the deadline continues with the call.
      const over = () => {
        this.#calls--;
      };
      answer.then(over, over);
      const outcome: Outcome = await Promise.race([answer, overdue.promise]);
      if ('value' in outcome) return outcome.value as T;
      if (outcome.trouble !== null)
        this.#options.onTrouble?.(`Unexpected error in a ${this.#options.name} thread: ${outcome.trouble}.`);
      throw fromWire(outcome.failure);
    } catch (error) {
      if (error instanceof Failure) throw error;
      this.#report(error);
      throw recovering();
    } finally {
      clearTimeout(timer);
      overdue.promise.catch(() => {});
    }
  }

  #report(error: unknown): void {
    if (!this.#closing)
      this.#options.onTrouble?.(`A ${this.#options.name} thread has ended (${traceOf(error)}).`);
  }

  /** Terminates the threads immediately. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool.destroy();
  }
}
