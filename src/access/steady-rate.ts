/**
 * How fast callers may send what costs little each time but is never refused: whoever sends more is read more slowly,
 * and told nothing. A caller is held up by what it sent beyond `perS` a second, after `burst` at once (the generic cell
 * rate algorithm: a number for each caller).
 */
export interface SteadyRateOptions {
  /** Messages a second. */
  perS: number;
  /** Messages at once before anything waits. */
  burst: number;
  /** Milliseconds that only rise; a test gives its own. */
  now?: () => number;
  /** Callers remembered; default 10,000. Beyond, the most silent are forgotten. */
  callersMax?: number;
}

export class SteadyRate {
  readonly #options: Required<SteadyRateOptions>;
  /** When what each caller has sent so far will have been paid for, in ms; the most silent first. */
  readonly #paidAt = new Map<string, number>();

  constructor(options: SteadyRateOptions) {
    this.#options = { now: () => performance.now(), callersMax: 10_000, ...options };
  }

  /** How long the caller's next message is to wait, in ms, after one that counts as `weight`. */
  waitMs(name: string, weight = 1): number {
    const { perS, burst, now, callersMax } = this.#options;
    const at = now();
    const paidAt = Math.max(at, this.#paidAt.get(name) ?? at) + (weight * 1000) / perS;
    this.#paidAt.delete(name);
    this.#paidAt.set(name, paidAt);
    for (const oldest of this.#paidAt.keys()) {
      if (this.#paidAt.size <= callersMax) break;
      this.#paidAt.delete(oldest);
    }
    return Math.max(0, paidAt - at - (burst * 1000) / perS);
  }
}
