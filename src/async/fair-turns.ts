/**
 * Turns at work that takes much of what all share. So many pieces are done at once; of those that wait it is the turn
 * of whoever has had least of late, so that a flood from anywhere holds nobody else up for longer than the pieces under
 * way. Who waits costs nothing but memory, and their number and time are bounded.
 */
import { Failure } from '../failures.ts';
import { FairShares, type Piece } from './fair-shares.ts';

export interface FairTurnsOptions {
  /** Pieces done at once. */
  atOnce: number;
  /**
   * Pieces of a larger size have fewer of these places: what many newcomers ask is not known by what they have had, and
   * smaller pieces would all wait for it. Default: none is large.
   */
  large?: { over: number; atOnce: number };
  /** Pieces that may wait; beyond, one of whoever has had most is refused. Default 512. */
  waitingMax?: number;
  /** How long one may wait, in ms. Default 10,000. */
  waitMsMax?: number;
  /** A piece that takes longer, in ms, makes room for another and goes on beside it. Default 1,000. */
  longMs?: number;
  /** Milliseconds that only rise; a test gives its own. */
  now?: () => number;
}

interface Waiting extends Piece {
  begin(): void;
  refuse(failure: Failure): void;
}

/** What a piece takes, before any has. */
const firstMeanMs = 20;

const tooMuch = () =>
  new Failure('unavailable', 'Too much is being asked at once, try again shortly.', { retryAfterS: 1 });
const cancelled = () => new Failure('cancelled', 'The question was cancelled.');

export class FairTurns {
  readonly #options: Required<FairTurnsOptions>;
  /** In the order they came. */
  #waiting: Waiting[] = [];
  readonly #shares: FairShares;
  #underWay = 0;
  #largeUnderWay = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = {
      waitingMax: 512,
      waitMsMax: 10_000,
      longMs: 1_000,
      large: { over: Number.POSITIVE_INFINITY, atOnce: options.atOnce },
      now: () => performance.now(),
      ...options,
    };
    this.#shares = new FairShares(firstMeanMs, this.#options.now);
  }

  /**
   * The result of `work`, done when it is the turn of `who`; `size`: how much of the mean it may take. Rejects as the work does, with Failure `unavailable` where
   * its turn does not come, and with `cancelled` when the signal aborts before it has.
   */
  async take<T>(piece: Piece, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw cancelled();
    const { size } = piece;
    if (this.#hasRoom(size)) this.#begin(piece);
    else await this.#wait(piece, signal);
    const began = this.#options.now();
    let holds = true;
    const makeRoom = () => {
      if (!holds) return;
      holds = false;
      this.#underWay--;
      if (this.#isLarge(size)) this.#largeUnderWay--;
      this.#next();
    };
    const long = setTimeout(makeRoom, this.#options.longMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(long);
      this.#shares.end(piece, this.#options.now() - began);
      makeRoom();
    }
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async #wait({ who, size }: Piece, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { who, size, begin: resolve, refuse: reject };
    const leave = (failure: Failure) => {
      const at = this.#waiting.indexOf(one);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(failure);
    };
    const abort = () => leave(cancelled());
    const late = setTimeout(() => leave(tooMuch()), this.#options.waitMsMax).unref();
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.push(one);
    if (this.#waiting.length > this.#options.waitingMax) {
      const costs = this.#costs();
      const most = this.#waiting.reduce((a, b) => (costs(b) >= costs(a) ? b : a));
      this.#waiting.splice(this.#waiting.indexOf(most), 1);
      most.refuse(tooMuch());
    }
    try {
      await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
    }
  }

  #next(): void {
    const waiting = this.#waiting.filter(({ size }) => this.#hasRoom(size));
    if (waiting.length === 0) return;
    const costs = this.#costs();
    const least = waiting.reduce((a, b) => (costs(b) < costs(a) ? b : a));
    this.#waiting.splice(this.#waiting.indexOf(least), 1);
    this.#begin(least);
    least.begin();
  }

  #isLarge(size: number): boolean {
    return size > this.#options.large.over;
  }

  #hasRoom(size: number): boolean {
    const { atOnce, large } = this.#options;
    return this.#underWay < atOnce && (!this.#isLarge(size) || this.#largeUnderWay < large.atOnce);
  }

  #begin(piece: Piece): void {
    this.#underWay++;
    if (this.#isLarge(piece.size)) this.#largeUnderWay++;
    this.#shares.begin(piece);
  }

  /** What a piece is put behind by, at this moment. */
  #costs(): (one: Waiting) => number {
    const now = this.#options.now();
    return (one) => this.#shares.cost(one, now);
  }
}
