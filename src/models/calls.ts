/**
 * Calls to a provider as all its capabilities make them: within a time, through a circuit breaker, tried again where
 * that makes sense, and with failures that repeat nothing of what was sent or came back. The clients' own retries and
 * time-outs are off: they wait for as long as a server says whatever the caller's time, and count no time once the
 * headers have come.
 */
import { Failure } from '../failures.ts';
import { CircuitBreaker, type Passage } from './circuit-breaker.ts';
import type { Timing } from './options.ts';

export interface CallsOptions {
  /** What is called, in sentences for the operator: "Cohere's chat". */
  name: string;
  timing: Timing;
  /** Sentences for the operator. */
  onTrouble(sentence: string): void;
  /** Throws the Failure by which a call is not to be made. */
  admit(): void;
}

/** Tries of one call, and the longest wait between two, in ms. */
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

  /** It is done without for a while. */
  get isDown(): boolean {
    return this.#breaker.isOpen;
  }

  /**
   * What one call gives, tried again after jittered waits, or those the server names, while they end within the time.
   * `check`: what is used of it; it throws Failure for what is no answer. Failures: `unavailable`, `rate_limited` and
   * `timeout` may be tried again later; `cancelled` by the signal; `internal` where the key or the request is refused.
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

  /** Lets one call through that looks after itself. Failure `unavailable` while the breaker is open, or of `admit`. */
  enter(signal: AbortSignal | undefined): {
    passage: Passage;
    failureOf(error: unknown, isLate: boolean): Failure;
  } {
    const { name, admit } = this.#options;
    admit();
    return {
      passage: this.#breaker.enter(),
      failureOf: (error, isLate) =>
        signal?.aborted
          ? new Failure('cancelled', 'The question was cancelled.')
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

/** Tells the breaker how a call ended. */
export function ended(passage: Passage, { code, detail, retryable, retryAfterS = 0 }: Failure): void {
  if (code === 'cancelled') passage.left();
  else if (retryable || code === 'forbidden') passage.failed(detail, retryAfterS * 1000);
  // What was asked was refused: it answers.
  else passage.succeeded();
}

/** What the server said instead of an answer. */
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
 * The clients' way to the network. A refusal is read here: the clients read its body, and lose the status where that is
 * not what it says it is.
 */
export const checkedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.ok) return response;
  await response.body?.cancel();
  throw new Refusal(response);
};

/** The clients wrap what was thrown on their way. */
function refusalOf(error: unknown): Refusal | null {
  const thrown = error instanceof Refusal || !(error instanceof Error) ? error : error.cause;
  return thrown instanceof Refusal ? thrown : null;
}

/** Whether a server does not take the form of a request, or something in it: another may do. */
export const refusesForm = (error: unknown): boolean => [400, 422].includes(refusalOf(error)?.status ?? 0);

/** What went wrong, without the client's words: they repeat the body. */
function failureOf(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const refusal = refusalOf(error);
  if (!refusal) return new Failure('unavailable', `${name} cannot be reached or does not respond.`);
  const { status, retryAfter: again } = refusal;
  if (status === 429) return new Failure('rate_limited', `${name} rate-limited the service.`, again);
  if ([401, 403, 498].includes(status))
    return new Failure('forbidden', `${name} refuses the key (status ${status}).`);
  if (status === 408 || status >= 500)
    return new Failure('unavailable', `${name} answers with status ${status}.`, again);
  return new Failure('internal', `${name} refuses the request (status ${status}).`);
}

/** Seconds, or a date. */
function retryAfter(header: string | null): { retryAfterS?: number } {
  if (header === null) return {};
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? { retryAfterS: Math.max(0, seconds) } : {};
}

/** What came is not what the interface promises. */
export const garbled = (name: string): Failure =>
  new Failure('unavailable', `${name} sent an unintelligible response.`);
