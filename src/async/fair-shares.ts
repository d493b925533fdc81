/**
 * Accounts for what each caller has used of a shared resource, to choose whose turn it is (after start-time fair
 * queueing: Goyal and others, SIGCOMM 1996). A piece of work costs the time it took, which is known when it has ended
 * (until then the mean of all), times its size, which is known before: of those who have had as little the smaller
 * piece goes first, and who sends large ones comes less often. What somebody has had is halved every ten seconds.
 */

/** Whose piece of work it is, and how much of the mean it may take. */
export interface Piece {
  who: string;
  size: number;
}

/** What somebody has had by a moment, in ms times size, and the sizes of their pieces under way. */
interface Account {
  had: number;
  at: number;
  underWay: number;
}

const halvedMs = 10_000;
const accountsMax = 10_000;
/** Weight of one piece in the moving average. */
const smoothing = 0.05;

export class FairShares {
  readonly #now: () => number;
  /** The most silent first. */
  readonly #accounts = new Map<string, Account>();
  #meanMs: number;

  /** `firstMeanMs`: what a piece of size 1 takes, by estimate; `now`: milliseconds that only rise. */
  constructor(firstMeanMs: number, now: () => number = () => performance.now()) {
    this.#meanMs = firstMeanMs;
    this.#now = now;
  }

  /** What its sender will have had with it, in ms: whoever's is least comes first. */
  cost({ who, size }: Piece, now = this.#now()): number {
    const account = this.#accounts.get(who);
    const [had, underWay] = account === undefined ? [0, 0] : [hadBy(account, now), account.underWay];
    return had + (underWay + size) * this.#meanMs;
  }

  begin({ who, size }: Piece): void {
    this.#account(who).underWay += size;
  }

  /** A piece that was begun has ended and took so long. */
  end({ who, size }: Piece, ms: number): void {
    const now = this.#now();
    const account = this.#account(who);
    account.had = hadBy(account, now) + ms * size;
    account.at = now;
    account.underWay = Math.max(0, account.underWay - size);
    this.#meanMs += smoothing * (ms - this.#meanMs);
  }

  #account(who: string): Account {
    const account = this.#accounts.get(who) ?? { had: 0, at: this.#now(), underWay: 0 };
    this.#accounts.delete(who);
    this.#accounts.set(who, account);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > accountsMax && oldest !== undefined) this.#accounts.delete(oldest);
    return account;
  }
}

const hadBy = ({ had, at }: Account, now: number): number => had * 2 ** ((at - now) / halvedMs);
