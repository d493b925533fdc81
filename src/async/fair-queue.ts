/**
 * A bounded queue for work that all callers share: `atOnce` pieces run, the others wait, and the next to run is the one
 * whose caller has used least. A flood then delays others by the pieces that run, however much of it waits.
 *
 * A caller's usage is the time its pieces took, times their size, halved every second, even while a piece waits. So a
 * caller that pauses to read an answer comes before one that asks again at once, and no caller starves. A piece that
 * has not ended counts as 20 ms times its size, so a short question overtakes a long one, and a caller's second
 * question comes after another caller's first.
 */
import { Failure } from '../failures.ts';

/** Whose piece of work it is, and how much it may take: 1 for a short question. */
export interface Piece {
  who: string;
  size: number;
}

export interface FairQueueOptions {
  /** Pieces that run at once. */
  atOnce: number;
  /** Pieces that may wait; beyond, the one whose caller has used most is refused. Default 256. */
  waitingMax?: number;
  /** How long a piece may wait, in ms. Default 10,000. */
  waitMsMax?: number;
  /** A piece that runs longer, in ms, gives its place to another and goes on beside it. Default 1,000. */
  longMs?: number;
}

interface Waiting {
  /** The lowest is next. */
  rank: number;
  begin(): void;
  refuse(failure: Failure): void;
}

const expectedMs = 20;
const halvedMs = 1_000;
const callersMax = 10_000;

/**
 * The order of costs that are all halved every second from their arrival on, whenever they are compared: a cost that came
 * a second earlier ranks as half as much.
 */
const rankOf = (cost: number, cameAt: number): number => Math.log2(cost) + cameAt / halvedMs;

const tooMuch = () =>
  new Failure('unavailable', 'Too much is being asked at once, try again shortly.', { retryAfterS: 1 });
const cancelled = () => new Failure('cancelled', 'The question was cancelled.');

export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  /** In the order they came. */
  #waiting: Waiting[] = [];
  #running = 0;
  /** What each caller has used, in ms, as of a moment; the callers that are silent longest come first. */
  readonly #used = new Map<string, { ms: number; at: number }>();

  constructor(options: FairQueueOptions) {
    this.#options = { waitingMax: 256, waitMsMax: 10_000, longMs: 1_000, ...options };
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when the piece may run, with what ends it. Failure `unavailable`: its turn did not come; `cancelled`: the
   * signal aborted before it came.
   */
  async enter(piece: Piece, signal: AbortSignal): Promise<() => void> {
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

  /** Runs `work` in its turn and gives its result. Fails as `enter`. */
  async take<T>(piece: Piece, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
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

  /** Takes the waiting piece of the lowest or highest rank out of the queue; the first of equals, null if none waits. */
  #best(extreme: typeof Math.min): Waiting | null {
    const ranks = this.#waiting.map(({ rank }) => rank);
    const at = ranks.indexOf(extreme(...ranks));
    return at === -1 ? null : this.#waiting.splice(at, 1)[0]!;
  }

  /** Adds to what the caller has used; all of it, in ms. */
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
