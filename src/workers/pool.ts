/**
 * A pool of equal threads (piscina) that answer calls with the handlers of `servePool`. A thread that dies, or that is
 * over the deadline of a call, is replaced.
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
  /** Becomes 1 when no caller waits for the answer any more; absent for calls that cannot be given up. */
  cancelled?: Int32Array;
}

/** `trouble`: what an unexpected error was and where it came from, without what people wrote. */
type Outcome = { value: unknown } | { failure: WireFailure; trouble: string | null };

export interface PoolOptions {
  /** What its threads are called in sentences for the operator. */
  name: string;
  /** Passed to `servePool`. */
  data: unknown;
  /** Threads that are started at once and stay. Default 0. */
  threadsMin?: number;
  /** Further threads are started when those there are have something to do. Default 1. */
  threadsMax?: number;
  /** Calls that one thread works on at once: more than one where it waits for servers. Default 1. */
  atOnce?: number;
  /** Calls that may wait for a thread; further callers are asked to retry later. Default 256. */
  waitingMax?: number;
  /**
   * How long a call may take, in ms, waiting included. Where a thread works on one call at once, the thread is ended
   * with it: only so does work end that never yields.
   */
  deadlineMs: number;
  /** How long a thread above `threadsMin` lives without a call, in ms. Default 60,000. */
  idleMs?: number;
  /** Of a thread's young generation, in MB: the more a call makes and drops, the larger it should be. Default 16. */
  youngMb?: number;
  /** What a thread may keep in memory, in MB; beyond it the thread dies. Default: as Node decides. */
  oldMb?: number;
  onTrouble?: OnTrouble;
}

const waitingMaxDefault = 256;

/** Inside a thread of a pool: what its module exports by default. `open` is called once, with the pool's data. */
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
      // A thread of a pool is ended from outside, and would leave nothing of what it compiled to the next start.
      if (isFirst) setImmediate(flushCompileCache);
      isFirst = false;
    }
  };
}

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #pool: Piscina;
  /** Under way or waiting. */
  #calls = 0;
  #closing = false;

  /** `entry`: the module of its threads, a file: URL. */
  constructor(entry: URL, options: PoolOptions) {
    const { data, threadsMin = 0, threadsMax = 1, atOnce = 1, idleMs = 60_000 } = options;
    this.#options = options;
    this.#pool = new Piscina({
      filename: entry.href,
      workerData: data,
      minThreads: threadsMin,
      maxThreads: threadsMax,
      concurrentTasksPerWorker: atOnce,
      idleTimeout: idleMs,
      // A thread that waits for its next call with Atomics hears of nothing else.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: {
        maxYoungGenerationSizeMb: options.youngMb ?? 16,
        ...(options.oldMb !== undefined && { maxOldGenerationSizeMb: options.oldMb }),
      },
    });
    this.#pool.on('error', (error: unknown) => this.#report(error));
  }

  /**
   * A thread's answer. Failure `unavailable` where too many calls wait or the thread died; `timeout` after the deadline;
   * and what the method fails with.
   */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#run({ method, args });
  }

  /** As `call`, until the signal aborts: then it fails (`cancelled`), and the thread's work ends where it looks. */
  callUntil<T>(signal: AbortSignal, method: string, ...args: unknown[]): Promise<T> {
    return givenUpAt(signal, (cancelled) => this.#run<T>({ method, args, cancelled }));
  }

  async #run<T>(task: Task): Promise<T> {
    const { deadlineMs, atOnce = 1, threadsMax = 1, waitingMax = waitingMaxDefault } = this.#options;
    // Piscina's own limit does not count calls that can be aborted.
    if (this.#calls >= threadsMax * atOnce + waitingMax)
      throw new Failure('unavailable', 'Too much is being asked at once, try again shortly.', {
        retryAfterS: 1,
      });
    this.#calls++;
    const overdue = Promise.withResolvers<never>();
    const ending = new AbortController();
    const timer = setTimeout(() => {
      overdue.reject(new Failure('timeout', 'The operation timed out.'));
      ending.abort();
    }, deadlineMs);
    try {
      const answer = this.#pool.run(task, atOnce === 1 ? { signal: ending.signal } : {});
      // A thread that is not ended at the deadline goes on with the call.
      const over = () => {
        this.#calls--;
      };
      answer.then(over, over);
      const outcome: Outcome = await Promise.race([answer, overdue.promise]);
      if ('value' in outcome) return outcome.value as T;
      if (outcome.trouble !== null)
        this.#options.onTrouble?.(
          `A ${this.#options.name} thread met an unexpected error: ${outcome.trouble}.`,
        );
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

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool.destroy();
  }
}
