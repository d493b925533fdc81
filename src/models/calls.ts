/**
 * Calls to providers, shared by all capabilities: with a time limit, a circuit breaker, retries where they make sense,
 * and failures that do not repeat anything sent or received. The clients' own retries and time-outs are disabled,
 * because they wait as long as a server requests, regardless of the caller's limit, and stop timing once the headers
 * have arrived.
 */
import { cancelled, Failure } from '../failures.ts';
import { type AdmittedCall, CircuitBreaker } from './circuit-breaker.ts';
import type { Timing } from './options.ts';

export interface CallsOptions {
  /** The name of the called service in messages to the operator: "Cohere's chat". */
  name: string;
  timing: Timing;
  /** Receives messages for the operator. */
  onTrouble(sentence: string): void;
  /** Throws a Failure if the call must not be made. */
  admit(): void;
}

/** Maximum number of attempts per call, and the first and longest wait between two attempts, in ms. */
const triesMax = 3;
const firstWaitMs = 250;
const waitMsMax = 8_000;

export class Calls {
  readonly #options: CallsOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: CallsOptions) {
    const { name, timing, onTrouble } = options;
    this.#options = options;
    this.#breaker = new CircuitBreaker({
      name,
      now: timing.now,
      onChange: (why) =>
        onTrouble(why === null ? `${name} is responding again.` : `${name} is paused: ${why}`),
    });
  }

  get name(): string {
    return this.#options.name;
  }

  /** Whether calls are temporarily suspended. */
  get isDown(): boolean {
    return this.#breaker.isOpen;
  }

  /**
   * Makes a call. Retries after jittered waits, or after the waits requested by the server, if they end within the time
   * limit. May fail with `unavailable`, `rate_limited` or `timeout` (which may be retried later), with `cancelled`
   * because of the signal, and with `internal` or `forbidden` if the request or the key is rejected.
   */
  async call<T>(
    { withinMs, signal }: { withinMs: number; signal: AbortSignal | undefined },
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timing } = this.#options;
    const endsAt = timing.now() + withinMs;
    const { passage, failureOf } = this.enter(signal);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), withinMs);
    const ending = AbortSignal.any([late.signal, ...(signal ? [signal] : [])]);
    try {
      for (let tries = 1; ; tries++) {
        try {
          const value = await call(ending);
          passage.succeeded();
          return value;
        } catch (error) {
          const failure = failureOf(error, late.signal.aborted);
          const waitMs = tries < triesMax ? this.#waitMs(failure, tries) : Number.POSITIVE_INFINITY;
          if (!failure.retryable || timing.now() + waitMs >= endsAt) throw failure;
          await timing.sleep(waitMs, ending).catch(() => {
            throw failureOf(error, late.signal.aborted);
          });
        }
      }
    } catch (error) {
      ended(passage, error as Failure);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Admits a call that reports its own outcome. Fails with `unavailable` while the breaker is open, or with the failure
   * of `admit`.
   */
  enter(signal: AbortSignal | undefined): {
    passage: AdmittedCall;
    failureOf(error: unknown, isLate: boolean): Failure;
  } {
    const { name, admit } = this.#options;
    admit();
    return {
      passage: this.#breaker.enter(),
      failureOf: (error, isLate) =>
        signal?.aborted
          ? cancelled()
          : isLate
            ? new Failure('timeout', `${name} took too long.`)
            : failureOf(name, error),
    };
  }

  #waitMs({ retryAfterS }: Failure, tries: number): number {
    if (retryAfterS !== undefined) return retryAfterS * 1000;
    const longest = Math.min(waitMsMax, firstWaitMs * 2 ** tries);
    return longest * (0.5 + this.#options.timing.random() / 2);
  }
}

/** Reports the outcome of a call to the breaker. */
export function ended(passage: AdmittedCall, { code, detail, retryable, retryAfterS = 0 }: Failure): void {
  if (code === 'cancelled') passage.left();
  else if (retryable || code === 'forbidden') passage.failed(detail, retryAfterS * 1000);
  // The server rejected the request, so it is responding.
  else passage.succeeded();
}

/** An error response from the server. */
class Refusal extends Error {
  readonly status: number;
  readonly retryAfter: { retryAfterS?: number };
  constructor({ status, headers }: Response) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter(headers.get('retry-after'));
  }
}

/**
 * The fetch function used by the clients. Error responses are read here, because the clients parse their bodies and
 * lose the status if the content type is wrong.
 */
export const checkedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.ok) return response;
  await response.body?.cancel();
  throw new Refusal(response);
};

/** The clients wrap errors thrown by fetch. */
function refusalOf(error: unknown): Refusal | null {
  const thrown = error instanceof Refusal || !(error instanceof Error) ? error : error.cause;
  return thrown instanceof Refusal ? thrown : null;
}

/** Whether a server rejected a request's format or content, in which case another format may work. */
export const refusesForm = (error: unknown): boolean => [400, 422].includes(refusalOf(error)?.status ?? 0);

/** The failure without the client's message, because that repeats the body. */
function failureOf(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const refusal = refusalOf(error);
  if (!refusal) return new Failure('unavailable', `${name} cannot be reached or does not respond.`);
  const { status, retryAfter: again } = refusal;
  if (status === 429) return new Failure('rate_limited', `${name} rate-limited the service.`, again);
  if ([401, 403, 498].includes(status))
    return new Failure('forbidden', `${name} rejected the key (status ${status}).`);
  if (status === 408 || status >= 500)
    return new Failure('unavailable', `${name} responded with status ${status}.`, again);
  return new Failure('internal', `${name} rejected the request (status ${status}).`);
}

/** Parses a number of seconds or a date. */
function retryAfter(header: string | null): { retryAfterS?: number } {
  if (header === null) return {};
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? { retryAfterS: Math.max(0, seconds) } : {};
}

/** The response does not match the interface. */
export const garbled = (name: string): Failure =>
  new Failure('unavailable', `${name} sent an invalid response.`);
