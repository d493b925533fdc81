/** Rate limits of a platform's API, and the calls counted against them. */

/** A clock; replaced in tests. */
export interface Time {
  /** Milliseconds since an arbitrary point in time; never decreases. */
  now(): number;
  /** If the signal aborts, resolves early without an error. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted || ms <= 0) return resolve();
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** Allows at most a fixed number of calls within any window of a fixed length. */
export class Budget {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #time: Time;
  #taken: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(max: number, windowMs: number, time: Time = realTime) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#time = time;
  }

  /** Takes an optional call if more than `keep` calls are left and no other call is waiting. */
  tryTake(keep = 0): boolean {
    return this.#waiting === 0 && this.#takeNow(keep);
  }

  #takeNow(keep: number): boolean {
    this.#drop();
    if (this.#taken.length + keep >= this.#max) return false;
    this.#taken.push(this.#time.now());
    return true;
  }

  /**
   * Takes a call as soon as one is available, in the order of the requests. If the signal aborts, resolves early
   * without a call.
   */
  take(signal?: AbortSignal): Promise<void> {
    this.#waiting++;
    const turn = this.#turn.then(async () => {
      while (!this.#takeNow(0) && !signal?.aborted)
        await this.#time.sleep(Math.max(1, this.#taken[0]! + this.#windowMs - this.#time.now()), signal);
      this.#waiting--;
    });
    this.#turn = turn;
    return turn;
  }

  #drop(): void {
    const now = this.#time.now();
    const first = this.#taken.findIndex((at) => at > now - this.#windowMs);
    this.#taken = first === -1 ? [] : this.#taken.slice(first);
  }
}

/**
 * Limits how often a changing state is shown. The first change is shown after a short delay, during which more changes
 * can arrive. Later changes are shown when the interval since the last update has passed. Each update shows only the
 * latest state.
 */
export class Throttle {
  readonly #show: () => Promise<void>;
  readonly #intervalMs: () => number;
  readonly #time: Time;
  readonly #firstMs: number;
  readonly #ended = new AbortController();
  /** When the next update may be shown; null before the first change. */
  #next: number | null = null;
  #dirty = false;
  #running: Promise<void> = Promise.resolve();

  /** `show` must not reject. */
  constructor(
    show: () => Promise<void>,
    { firstMs, intervalMs, time = realTime }: { firstMs: number; intervalMs: () => number; time?: Time },
  ) {
    this.#show = show;
    this.#intervalMs = intervalMs;
    this.#time = time;
    this.#firstMs = firstMs;
  }

  changed(): void {
    if (this.#dirty) return;
    this.#dirty = true;
    this.#running = this.#running.then(() => this.#update());
  }

  /** Stops further updates. Resolves when the update in progress has ended. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #update(): Promise<void> {
    const { signal } = this.#ended;
    this.#next ??= this.#time.now() + this.#firstMs;
    await this.#time.sleep(this.#next - this.#time.now(), signal);
    if (signal.aborted) return;
    this.#dirty = false;
    await this.#show();
    this.#next = this.#time.now() + this.#intervalMs();
  }
}
