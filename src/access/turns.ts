/**
 * Work that is done one piece at a time because each takes much: whoever is trusted goes before all who are not, and of
 * either kind few wait, in the order of waiting.ts. So nobody who waits does so for long, and a flood of one kind holds
 * the other up for no longer than the piece under way. After a piece for somebody who is not trusted the others like them
 * rest, so that all of them together take a part of a processor and no more.
 */
import { Failure } from '../failures.ts';
import { Waiting } from './waiting.ts';

export interface TurnsOptions {
  /** How many may wait, of those who are trusted and of those who are not. */
  waitingMax: { trusted: number; others: number };
  /** How long those who are not trusted rest after a piece of one of them, as a multiple of what it took. */
  rests: number;
  /** Milliseconds that only rise. */
  now(): number;
  wait(ms: number): Promise<unknown>;
  /** From 0 up to 1. */
  random(): number;
}

/** For whom a piece is done, see Waiter. */
export interface Asking {
  isTrusted: boolean;
  suspicion(): number;
  isGone(): boolean;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #trusted: Waiting;
  readonly #others: Waiting;
  #busy = false;
  #resting = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    const { waitingMax, random } = options;
    this.#trusted = new Waiting(waitingMax.trusted, random);
    this.#others = new Waiting(waitingMax.others, random);
  }

  /** The result of `work`, done in its turn. Failure `unavailable`: too many wait already. */
  async take<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    if (this.#busy || (this.#resting && !asking.isTrusted)) await this.#wait(asking);
    this.#busy = true;
    const began = this.#options.now();
    try {
      return await work();
    } finally {
      this.#busy = false;
      if (!asking.isTrusted) this.#rest((this.#options.now() - began) * this.#options.rests);
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

  #wait({ isTrusted, suspicion, isGone }: Asking): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () =>
      reject(new Failure('unavailable', 'Too many log-ins at once, try again shortly.', { retryAfterS: 1 }));
    const waiting = isTrusted ? this.#trusted : this.#others;
    waiting.add({ suspicion, isGone, start: resolve, leave });
    return promise;
  }

  #next(): void {
    if (this.#busy) return;
    const next = this.#trusted.next() ?? (this.#resting ? null : this.#others.next());
    if (next === null) return;
    // It is nobody else's turn before this one begins.
    this.#busy = true;
    next.start();
  }
}
