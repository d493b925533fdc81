/**
 * Work that is done one piece at a time because each takes much: whoever is least suspected goes first, of those alike
 * the latest, and where too many wait the most suspected leaves. So a flood of one kind holds nobody else up for longer
 * than the piece under way.
 */
import { Failure } from '../failures.ts';

interface Waiting {
  /** Asked again at every choice: what is suspected may change while it waits. Lower goes first. */
  suspicion(): number;
  start(): void;
  leave(): void;
}

export class Turns {
  readonly #waitingMax: number;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** The result of `work`, done in its turn. Failure `unavailable`: too many wait that are suspected less. */
  async take<T>(suspicion: () => number, work: () => Promise<T>): Promise<T> {
    if (this.#busy) await this.#wait(suspicion);
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
      this.#next();
    }
  }

  #wait(suspicion: () => number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () =>
      reject(new Failure('unavailable', 'Too many log-ins at once, try again shortly.', { retryAfterS: 1 }));
    this.#waiting.push({ suspicion, start: resolve, leave });
    if (this.#waiting.length > this.#waitingMax) {
      // The first among those suspected most: it has had the longest time to be looked at.
      const most = this.#waiting.reduce((a, b) => (b.suspicion() > a.suspicion() ? b : a));
      this.#waiting = this.#waiting.filter((one) => one !== most);
      most.leave();
    }
    return promise;
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const least = this.#waiting.reduce((a, b) => (b.suspicion() <= a.suspicion() ? b : a));
    this.#waiting = this.#waiting.filter((one) => one !== least);
    // It is nobody else's turn before this one begins.
    this.#busy = true;
    least.start();
  }
}
