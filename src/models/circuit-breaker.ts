/**
 * A circuit breaker. After several consecutive failures, no calls are made for a while. Then a single trial call
 * decides whether calls resume. Each further failure doubles the pause.
 */
import { Failure } from '../failures.ts';

export interface BreakerOptions {
  /** The name of the service, used in failures. */
  name: string;
  /** A monotonic clock in ms. */
  now(): number;
  /** Called with the reason when it opens, and with null when it closes. */
  onChange?(why: string | null): void;
  /** Number of consecutive failures that open it. Default: 5. */
  failuresMax?: number;
  /** Initial and maximum time it stays open, in ms. Defaults: 10,000 and 120,000. */
  openMs?: number;
  openMsMax?: number;
}

/** An admitted call. Its outcome is reported once. */
export interface AdmittedCall {
  succeeded(): void;
  /** `atLeastMs` is the minimum pause. */
  failed(why: string, atLeastMs?: number): void;
  /** Nothing can be concluded: the caller cancelled the call, or the request itself was at fault. */
  left(): void;
}

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #failuresMax: number;
  #failures = 0;
  #openings = 0;
  /** Null while closed. */
  #opensUntil: number | null = null;
  #isProbed = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#failuresMax = options.failuresMax ?? 5;
  }

  /** Whether calls are rejected, except for a trial call. */
  get isOpen(): boolean {
    return this.#opensUntil !== null;
  }

  /** Fails with `unavailable` while it is open. */
  enter(): AdmittedCall {
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
