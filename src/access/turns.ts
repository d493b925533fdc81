/**
 * Work that is done one piece at a time because each takes much: whoever is least suspected goes first, of those alike
 * the latest, and where too many wait the most suspected leaves. So a flood of one kind holds nobody else up for longer
 * than the piece under way. After a piece for somebody suspected the others like them rest, so that all of them together
 * take a part of a processor and no more.
 */
import { Failure } from '../failures.ts';

export interface TurnsOptions {
  /** Pieces that may wait. */
  waitingMax: number;
  /** Whoever is suspected more waits for the rest. */
  trustedUpTo: number;
  /** How long the suspected rest after a piece of one of them, as a multiple of what it took. */
  rests: number;
  /** Milliseconds that only rise. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

interface Waiting {
  /** Asked again at every choice: what is suspected may change while it waits. Lower goes first. */
  suspicion(): number;
  start(): void;
  leave(): void;
}

export class Turns {
  readonly #options: TurnsOptions;
  #waiting: Waiting[] = [];
  #busy = false;
  #resting = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** The result of `work`, done in its turn. Failure `unavailable`: too many wait that are suspected less. */
  async take<T>(suspicion: () => number, work: () => Promise<T>): Promise<T> {
    const isSuspected = suspicion() > this.#options.trustedUpTo;
    if (this.#busy || (this.#resting && isSuspected)) await this.#wait(suspicion);
    this.#busy = true;
    const began = this.#options.now();
    try {
      return await work();
    } finally {
      this.#busy = false;
      if (isSuspected) this.#rest((this.#options.now() - began) * this.#options.rests);
      this.#next();
    }
  }

  #rest(ms: number): void {
    this.#resting = true;
    void this.#options.wait(ms).then(() => {
      this.#resting = false;
      this.#next();
    });
  }

  #wait(suspicion: () => number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () =>
      reject(new Failure('unavailable', 'Too many log-ins at once, try again shortly.', { retryAfterS: 1 }));
    this.#waiting.push({ suspicion, start: resolve, leave });
    if (this.#waiting.length > this.#options.waitingMax) {
      // The first among those suspected most: it has had the longest time to be looked at.
      const most = this.#waiting.reduce((a, b) => (b.suspicion() > a.suspicion() ? b : a));
      this.#waiting = this.#waiting.filter((one) => one !== most);
      most.leave();
    }
    return promise;
  }

  #next(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    const least = this.#waiting.reduce((a, b) => (b.suspicion() <= a.suspicion() ? b : a));
    if (this.#resting && least.suspicion() > this.#options.trustedUpTo) return;
    this.#waiting = this.#waiting.filter((one) => one !== least);
    // It is nobody else's turn before this one begins.
    this.#busy = true;
    least.start();
  }
}
