/**
 * A bounded queue for the work of all callers. `atOnce` pieces run while the others wait; the next piece is taken from
 * the caller with the least usage. A flood therefore delays other callers only by the running pieces.
 *
 * A caller's usage is the time taken by its pieces, multiplied by their size and halved every five seconds, even while
 * a piece waits. A caller that pauses to read an answer therefore precedes one that asks again immediately, and no
 * caller starves. A running piece counts as 20 ms times its size, so a short question overtakes a long one, and a
 * caller's second question comes after another caller's first.
 */
import { cancelled, Failure } from '../failures.ts';

/** A piece of work: its caller, and its expected size (1 for a short question). */
export interface QueuedWork {
  who: string;
  size: number;
}

export interface FairQueueOptions {
  /** Number of pieces that run concurrently. */
  atOnce: number;
  /**
   * Maximum number of waiting pieces. Beyond it, a piece from the caller with the highest usage is refused. Default:
   * 256.
   */
  waitingMax?: number;
  /** Maximum wait of a piece, in ms. Default: 10,000. */
  waitMsMax?: number;
  /** After this time, in ms, a running piece frees its place for another and continues alongside it. Default: 1,000. */
  longMs?: number;
}

interface Waiting {
  /** The piece with the lowest rank is next. */
  rank: number;
  begin(): void;
  refuse(failure: Failure): void;
}

const expectedMs = 20;
/**
 * The half-life of usage, in ms. It also determines how long past usage delays a caller: if a caller has used twice as
 * much as another, its piece waits this much longer. It is therefore similar to the time for which pieces wait under a
 * flood.
 */
const halvedMs = 5_000;
const callersMax = 10_000;

/**
 * The order of costs that are halved every `halvedMs` after their arrival. It does not depend on the time of
 * comparison: a cost that arrived `halvedMs` earlier ranks like half the cost.
 */
const rankOf = (cost: number, cameAt: number): number => Math.log2(cost) + cameAt / halvedMs;

const tooMuch = () =>
  new Failure('unavailable', 'Too many requests at once; try again shortly.', { retryAfterS: 1 });

export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  #running = 0;
  /** The usage of each caller at a given time, in ms. Ordered by last use, longest silent caller first. */
  readonly #used = new Map<string, { ms: number; at: number }>();

  constructor(options: FairQueueOptions) {
    this.#options = { waitingMax: 256, waitMsMax: 10_000, longMs: 1_000, ...options };
  }

  /** Number of waiting pieces. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with a function that ends the piece, when the piece may run. Fails with `unavailable` if its turn does not
   * come in time, and with `cancelled` if the signal aborts first.
   */
  async enter(piece: QueuedWork, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    const expected = expectedMs * piece.size;
    const cost = this.#use(piece.who, expected);
    if (this.#running < this.#options.atOnce) this.#running++;
    else await this.#turn(rankOf(cost, performance.now()), signal);
    const began = performance.now();
    let hasPlace = true;
    const leave = () => {
      if (!hasPlace) return;
      hasPlace = false;
      const next = this.#best(Math.min);
      if (next === null) this.#running--;
      else next.begin();
    };
    const long = setTimeout(leave, this.#options.longMs).unref();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(long);
      this.#use(piece.who, (performance.now() - began) * piece.size - expected);
      leave();
    };
  }

  /** Runs `work` in its turn and returns its result. Fails like `enter`. */
  async take<T>(piece: QueuedWork, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const leave = await this.enter(piece, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async #turn(rank: number, signal: AbortSignal): Promise<void> {
    const { waitingMax, waitMsMax } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { rank, begin: resolve, refuse: reject };
    const leave = (failure: Failure) => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      reject(failure);
    };
    const abort = () => leave(cancelled());
    const late = setTimeout(() => leave(tooMuch()), waitMsMax).unref();
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.push(one);
    if (this.#waiting.length > waitingMax) this.#best(Math.max)?.refuse(tooMuch());
    try {
      await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Removes the waiting piece with the lowest or highest rank (the first one on a tie); null if none is waiting. */
  #best(extreme: typeof Math.min): Waiting | null {
    const ranks = this.#waiting.map(({ rank }) => rank);
    const at = ranks.indexOf(extreme(...ranks));
    return at === -1 ? null : this.#waiting.splice(at, 1)[0]!;
  }

  /** Adds to the caller's usage and returns the total, in ms. */
  #use(who: string, ms: number): number {
    const now = performance.now();
    const before = this.#used.get(who) ?? { ms: 0, at: now };
    const used = Math.max(0, before.ms * 2 ** ((before.at - now) / halvedMs) + ms);
    this.#used.delete(who);
    this.#used.set(who, { ms: used, at: now });
    const [oldest] = this.#used.keys();
    if (this.#used.size > callersMax) this.#used.delete(oldest!);
    return used;
  }
}
