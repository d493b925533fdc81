/**
 * A circuit breaker: what has failed several times in a row is not asked for a while, then by one caller alone, whose
 * luck decides for all. Each time it fails again the while is twice as long.
 *
 * Source: M. Nygard, Release It! (2007).
 */
import { Failure } from '../failures.ts';

export interface BreakerOptions {
  /** What does not answer, as its failures name it. */
  name: string;
  /** Milliseconds that only grow. */
  now(): number;
  /** Told when it opens (why) and when it closes (null). */
  onChange?(why: string | null): void;
  /** Failures in a row that open it. Default 5. */
  failuresMax?: number;
  /** How long it stays open, at first and at most, in ms. Default 10,000 and 120,000. */
  openMs?: number;
  openMsMax?: number;
}

/** One call that was let through; it is told once how it went. */
export interface Passage {
  succeeded(): void;
  /** `atLeastMs`: not to be asked before. */
  failed(why: string, atLeastMs?: number): void;
  /** It says nothing: given up by the caller, or refused for what was asked. */
  left(): void;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #failuresMax: number;
  #failures = 0;
  #openings = 0;
  /** null: closed. */
  #opensUntil: number | null = null;
  #isProbed = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#failuresMax = options.failuresMax ?? 5;
  }

  /** Whether calls are refused, or only tried out. */
  get isOpen(): boolean {
    return this.#opensUntil !== null;
  }

  /** Failure `unavailable` while it is open. */
  enter(): Passage {
    const { name, now } = this.#options;
    const probes = this.#opensUntil !== null;
    if (this.#opensUntil !== null) {
      const waitMs = this.#opensUntil - now();
      if (waitMs > 0 || this.#isProbed)
        throw new Failure('unavailable', `${name} is paused: it has not been responding.`, {
          retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
        });
      this.#isProbed = true;
    }
    let isSettled = false;
    const once = (settle: () => void) => {
      if (isSettled) return;
      isSettled = true;
      if (probes) this.#isProbed = false;
      settle();
    };
    return {
      succeeded: () => once(() => this.#close()),
      failed: (why, atLeastMs = 0) =>
        once(() => {
          this.#failures++;
          if (probes || this.#failures >= this.#failuresMax) this.#open(why, atLeastMs);
        }),
      left: () => once(() => {}),
    };
  }

  #close(): void {
    this.#failures = 0;
    this.#openings = 0;
    if (this.#opensUntil === null) return;
    this.#opensUntil = null;
    this.#options.onChange?.(null);
  }

  #open(why: string, atLeastMs: number): void {
    const { openMs = 10_000, openMsMax = 120_000, now, onChange } = this.#options;
    const isNew = this.#opensUntil === null;
    const forMs = Math.max(atLeastMs, Math.min(openMsMax, openMs * 2 ** this.#openings++));
    this.#opensUntil = now() + forMs;
    if (isNew) onChange?.(why);
  }
}
