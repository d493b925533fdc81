/**
 * Callers that go on sending what is refused: to refuse costs time too, and a flood of it costs others theirs. After some
 * refusals within a minute a caller's requests are looked at one after the other, the more slowly the more of them are
 * refused; what comes faster is refused unread. Somebody else behind the same address is slowed as well, never shut out.
 */

export interface PaceOptions {
  /** Milliseconds that only rise; a test gives its own. */
  now?: () => number;
  /** Callers remembered; default 10,000. Beyond, the most silent are forgotten. */
  callersMax?: number;
}

/** Bytes of a request that count as one refusal more: to find what is wrong with it took as long. */
export const bytesOfRefusal = 32 * 1024;
/** Refusals within a minute of each other that cost a caller nothing. */
const patience = 20;
/** After so many more the step is as long again, up to the longest, in ms. */
const slowedEach = 20;
const stepMs = { first: 250, longest: 1_000 };
const waitMsMax = 2_000;
const forgottenMs = 60_000;

interface Caller {
  refusals: number;
  lastAt: number;
  /** When its next request may be looked at. */
  nextAt: number;
}

export class Pace {
  readonly #now: () => number;
  readonly #callersMax: number;
  /** The most silent first. */
  readonly #callers = new Map<string, Caller>();

  constructor({ now = () => performance.now(), callersMax = 10_000 }: PaceOptions = {}) {
    this.#now = now;
    this.#callersMax = callersMax;
  }

  /** A request of the caller was refused; `weight`: for as many refusals as it counts. */
  refused(name: string, weight = 1): void {
    const now = this.#now();
    const caller = this.#known(name, now) ?? { refusals: 0, lastAt: now, nextAt: now };
    caller.refusals += weight;
    caller.lastAt = now;
    this.#callers.delete(name);
    this.#callers.set(name, caller);
    for (const oldest of this.#callers.keys()) {
      if (this.#callers.size <= this.#callersMax) break;
      this.#callers.delete(oldest);
    }
  }

  /** How long the caller's next request has to wait, in ms; null: too many of them do, it is refused unread. */
  waitMs(name: string): number | null {
    const now = this.#now();
    const caller = this.#known(name, now);
    if (caller === null || caller.refusals <= patience) return 0;
    const waitMs = Math.max(0, caller.nextAt - now);
    if (waitMs > waitMsMax) {
      this.refused(name);
      return null;
    }
    const steps = 1 + Math.floor((caller.refusals - patience) / slowedEach);
    caller.nextAt = now + waitMs + Math.min(stepMs.first * steps, stepMs.longest);
    return waitMs;
  }

  #known(name: string, now: number): Caller | null {
    const caller = this.#callers.get(name);
    return caller !== undefined && now - caller.lastAt < forgottenMs ? caller : null;
  }
}
