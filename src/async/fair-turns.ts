/**
 * Turns at work that takes much of what all share. So many pieces are done at once; of those that wait it is the turn
 * of whoever has had least of late, so that a flood from anywhere holds nobody else up for longer than the pieces under
 * way. Who waits costs nothing but memory, and their number and time are bounded.
 *
 * Start-time fair queueing (Goyal and others, SIGCOMM 1996). A piece costs the time it took, which is known when it has
 * ended (until then the mean of all), times its size, which is known before: of those who have had as little the smaller
 * piece goes first, and who sends large ones comes less often. What somebody has had is halved every ten seconds.
 */
import { Failure } from '../failures.ts';

export interface FairTurnsOptions {
  /** Pieces done at once. */
  atOnce: number;
  /**
   * Pieces of a larger size have half of these places and no more: what many newcomers ask is not known by what they have
   * had, and smaller pieces would all wait for it. Default: none is large.
   */
  largeOver?: number;
  /** Pieces that may wait; beyond, one of whoever has had most is refused. Default 512. */
  waitingMax?: number;
  /** How long one may wait, in ms. Default 10,000. */
  waitMsMax?: number;
  /** A piece that takes longer, in ms, makes room for another and goes on beside it. Default 1,000. */
  longMs?: number;
  /** Milliseconds that only rise; a test gives its own. */
  now?: () => number;
}

interface Waiting {
  who: string;
  size: number;
  begin(): void;
  refuse(failure: Failure): void;
}

/** What somebody has had by a moment, in ms times size, and the sizes of their pieces under way. */
interface Account {
  had: number;
  at: number;
  underWay: number;
}

const halvedMs = 10_000;
const accountsMax = 10_000;
const firstMeanMs = 20;
/** Weight of one piece in the moving average. */
const smoothing = 0.05;

const tooMuch = () =>
  new Failure('unavailable', 'Too much is being asked at once, try again shortly.', { retryAfterS: 1 });
const cancelled = () => new Failure('cancelled', 'The question was cancelled.');

export class FairTurns {
  readonly #options: Required<FairTurnsOptions>;
  /** In the order they came. */
  #waiting: Waiting[] = [];
  /** The most silent first. */
  readonly #accounts = new Map<string, Account>();
  #underWay = 0;
  #largeUnderWay = 0;
  #meanMs = firstMeanMs;

  constructor(options: FairTurnsOptions) {
    this.#options = {
      waitingMax: 512,
      waitMsMax: 10_000,
      longMs: 1_000,
      largeOver: Number.POSITIVE_INFINITY,
      now: () => performance.now(),
      ...options,
    };
  }

  /**
   * The result of `work`, done when it is the turn of `who`; `size`: how much of the mean it may take. Rejects as the work does, with Failure `unavailable` where
   * its turn does not come, and with `cancelled` when the signal aborts before it has.
   */
  async take<T>(
    { who, size }: { who: string; size: number },
    work: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (signal.aborted) throw cancelled();
    if (this.#hasRoom(size)) this.#begin(who, size);
    else await this.#wait(who, size, signal);
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
      this.#charge(who, size, this.#options.now() - began);
      makeRoom();
    }
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async #wait(who: string, size: number, signal: AbortSignal): Promise<void> {
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
    this.#begin(least.who, least.size);
    least.begin();
  }

  #isLarge(size: number): boolean {
    return size > this.#options.largeOver;
  }

  #hasRoom(size: number): boolean {
    const { atOnce } = this.#options;
    return this.#underWay < atOnce && (!this.#isLarge(size) || this.#largeUnderWay < Math.ceil(atOnce / 2));
  }

  #begin(who: string, size: number): void {
    this.#underWay++;
    if (this.#isLarge(size)) this.#largeUnderWay++;
    this.#account(who).underWay += size;
  }

  /** What a piece is put behind by, at this moment. */
  #costs(): (one: Waiting) => number {
    const now = this.#options.now();
    return ({ who, size }) => {
      const account = this.#accounts.get(who);
      const [had, underWay] = account === undefined ? [0, 0] : [hadBy(account, now), account.underWay];
      return had + (underWay + size) * this.#meanMs;
    };
  }

  #charge(who: string, size: number, ms: number): void {
    const now = this.#options.now();
    const account = this.#account(who);
    account.had = hadBy(account, now) + ms * size;
    account.at = now;
    account.underWay = Math.max(0, account.underWay - size);
    this.#meanMs += smoothing * (ms - this.#meanMs);
  }

  #account(who: string): Account {
    const account = this.#accounts.get(who) ?? { had: 0, at: this.#options.now(), underWay: 0 };
    this.#accounts.delete(who);
    this.#accounts.set(who, account);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > accountsMax && oldest !== undefined) this.#accounts.delete(oldest);
    return account;
  }
}

const hadBy = ({ had, at }: Account, now: number): number => had * 2 ** ((at - now) / halvedMs);
