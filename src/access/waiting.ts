/**
 * Those who wait for something scarce that not all can have: whoever is least suspected goes first, and where too many
 * wait the most suspected leaves. Those alike go, and leave, by lot: any order could be met by whoever sends the most.
 */
export interface Waiter {
  /** Asked at every choice: what is suspected may change while it waits. */
  suspicion(): number;
  /** Whether nobody hears the outcome any more: it leaves before anyone else does. */
  isGone(): boolean;
  start(): void;
  leave(): void;
}

export class Waiting {
  readonly #max: number;
  readonly #random: () => number;
  #waiters: Waiter[] = [];

  /** `max`: how many may wait; `random`: from 0 up to 1. */
  constructor(max: number, random: () => number) {
    this.#max = max;
    this.#random = random;
  }

  get size(): number {
    return this.#waiters.length;
  }

  /** Takes one more in; where that is one too many, tells one of them to leave. */
  add(waiter: Waiter): void {
    this.#dismissGone();
    this.#waiters.push(waiter);
    if (this.#waiters.length <= this.#max) return;
    const worst = this.#suspected(Math.max);
    // Of those alike the newest stays: what comes after many at once is no part of them.
    const others = worst.filter((one) => one !== waiter);
    this.#take(this.#lot(others.length > 0 ? others : worst)).leave();
  }

  /** Whose turn it is, who no longer waits then; null where nobody does. */
  next(): Waiter | null {
    this.#dismissGone();
    if (this.#waiters.length === 0) return null;
    return this.#take(this.#lot(this.#suspected(Math.min)));
  }

  #suspected(extreme: (...suspicions: number[]) => number): Waiter[] {
    const suspicions = this.#waiters.map((one) => one.suspicion());
    const chosen = extreme(...suspicions);
    return this.#waiters.filter((_, i) => suspicions[i] === chosen);
  }

  #dismissGone(): void {
    for (const one of this.#waiters.filter((waiter) => waiter.isGone())) this.#take(one).leave();
  }

  #lot(among: readonly Waiter[]): Waiter {
    return among[Math.floor(this.#random() * among.length)]!;
  }

  #take(waiter: Waiter): Waiter {
    this.#waiters = this.#waiters.filter((one) => one !== waiter);
    return waiter;
  }
}
