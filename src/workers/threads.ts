/** The worker threads of one process. */
import { faultNotice, Thread, type ThreadMemory } from './rpc.ts';
import { type PoolOptions, type PoolState, ThreadPool } from './thread-pool.ts';

/** Called with a sentence about what failed and will be retried; it holds nothing personal. */
export type OnTrouble = (sentence: string) => void;

const entry = (worker: string) => new URL(`./${worker}-worker.ts`, import.meta.url);

/** The threads of one process, closed in the reverse order. */
export class Threads {
  readonly #pools: ThreadPool[] = [];
  readonly #onTrouble: OnTrouble;
  readonly #closing = new AbortController();

  constructor(onTrouble: OnTrouble = () => {}) {
    this.#onTrouble = onTrouble;
  }

  /**
   * Starts a pool of `<worker>-worker.ts`, each thread with `data`, and with `again: true` where it takes the place of
   * one that has gone.
   */
  start(
    worker: string,
    data: object,
    { youngMb, oldMb, ...options }: Partial<PoolOptions> & ThreadMemory = {},
  ): ThreadPool {
    const pool = new ThreadPool({
      name: worker,
      start: (again) =>
        new Thread(
          entry(worker),
          { ...data, again },
          { ...(youngMb !== undefined && { youngMb }), ...(oldMb !== undefined && { oldMb }) },
        ),
      onTrouble: this.#onTrouble,
      ...options,
    });
    this.#pools.push(pool);
    return pool;
  }

  /**
   * Has a thread of its own do one thing, which may take long, and ends it. It is told to `stop` when the signal aborts,
   * or the threads are closed.
   */
  async once<T>(
    worker: string,
    data: object,
    method: string,
    { signal, onNotice }: { signal?: AbortSignal; onNotice?: (notice: string, value: unknown) => void } = {},
  ): Promise<T> {
    const thread = new Thread(entry(worker), data);
    thread.onNotice = (notice, value) => {
      if (notice === faultNotice) this.#onTrouble(`A ${worker} thread met an unexpected error: ${value}.`);
      else onNotice?.(notice, value);
    };
    const stopped = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const stop = () => void thread.call('stop').catch(() => {});
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    try {
      return await thread.call<T>(method);
    } finally {
      stopped.removeEventListener('abort', stop);
      await thread.close();
    }
  }

  /** Asks each thread for a sign of life. */
  ping(): void {
    for (const pool of this.#pools) pool.ping();
  }

  /** `down`: a kind of thread is not there at all; `degraded`: not all answer. As of the last pings. */
  get state(): PoolState {
    const states = this.#pools.map(({ state }) => state);
    return states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const pool of this.#pools.toReversed()) await pool.close();
  }
}
