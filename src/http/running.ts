/**
 * The asks this instance is working on, apart from the connections that watch them: an ask runs on when its
 * connection drops, can be watched by several, and is cancelled when nobody has come back within the grace time.
 */
import type { AskInput } from '../app.ts';
import type { Part } from '../ask/parts.ts';
import { Failure } from '../failures.ts';
import type { HttpApp } from './door.ts';
import { errorReply } from './errors.ts';

export interface RunningLimits {
  /** How long an ask nobody watches runs on. */
  graceMs: number;
  /** More asks at once than this are refused (`unavailable`). */
  asksMax: number;
}

export class RunningAsk {
  readonly requestId: string;
  readonly keyId: number | null;
  readonly #controller = new AbortController();
  readonly #graceMs: number;
  /** All parts so far; an answer is small, and whoever comes back reads it from here. */
  readonly #parts: Part[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;
  #watchers = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(requestId: string, keyId: number | null, graceMs: number) {
    this.requestId = requestId;
    this.keyId = keyId;
    this.#graceMs = graceMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** Adds a part; the first `done` or `error` is the last part whatever comes after it. */
  push(part: Part): void {
    if (this.#ended) return;
    if (this.#parts.push(part) === 1) this.#awaitWatcher();
    if (part.type === 'done' || part.type === 'error') {
      this.#ended = true;
      clearTimeout(this.#grace);
    }
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** All parts from the first on, the later ones as they come; ends after the last one, or early by the signal. */
  async *watch(signal: AbortSignal): AsyncGenerator<Part, void> {
    this.#watchers++;
    clearTimeout(this.#grace);
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    try {
      for (let next = 0; !signal.aborted; ) {
        const part = this.#parts[next];
        if (part !== undefined) {
          next++;
          yield part;
        } else if (this.#ended) return;
        else await Promise.race([this.#wake.promise, aborted]);
      }
    } finally {
      if (--this.#watchers === 0 && !this.#ended) this.#awaitWatcher();
    }
  }

  #awaitWatcher(): void {
    this.#grace = setTimeout(() => this.cancel(), this.#graceMs).unref();
  }
}

export class RunningAsks {
  readonly #app: HttpApp;
  readonly #limits: RunningLimits;
  readonly #asks = new Map<string, RunningAsk>();
  readonly #idle: (() => void)[] = [];

  constructor(app: HttpApp, limits: RunningLimits) {
    this.#app = app;
    this.#limits = limits;
  }

  get size(): number {
    return this.#asks.size;
  }

  get(requestId: string): RunningAsk | undefined {
    return this.#asks.get(requestId);
  }

  /**
   * Begins an ask and resolves with it once its first part is there. Rejects with the Failure of an ask that never
   * began (unknown corpus, history not writable, too many at once); the input must carry its request_id.
   */
  async start(input: AskInput & { request_id: string }): Promise<RunningAsk> {
    if (this.#asks.size >= this.#limits.asksMax)
      throw new Failure('unavailable', 'Too many questions are being answered, try again shortly.', {
        retryAfterS: 2,
      });
    const ask = new RunningAsk(input.request_id, input.caller.key_id, this.#limits.graceMs);
    this.#asks.set(ask.requestId, ask);
    const parts = this.#app.ask(input, ask.signal)[Symbol.asyncIterator]();
    try {
      const first = await parts.next();
      if (first.done) throw new Failure('internal', 'The answer has no parts.');
      ask.push(first.value);
    } catch (error) {
      this.#remove(ask);
      throw error;
    }
    void this.#drain(ask, parts);
    return ask;
  }

  /** Resolves when no ask is running. */
  async idle(): Promise<void> {
    if (this.#asks.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  cancelAll(): void {
    for (const ask of this.#asks.values()) ask.cancel();
  }

  async #drain(ask: RunningAsk, parts: AsyncIterator<Part>): Promise<void> {
    const fail = (error: unknown): void => {
      const { body } = errorReply(error);
      const failure = error instanceof Failure ? error : new Failure('internal', String(body.detail));
      const { code, detail, retryable } = failure;
      ask.push({ type: 'error', request_id: ask.requestId, code, detail, retryable });
    };
    try {
      for (let next = await parts.next(); !next.done; next = await parts.next()) ask.push(next.value);
      fail(new Failure('internal', 'The answer broke off.'));
    } catch (error) {
      fail(error);
    } finally {
      this.#remove(ask);
    }
  }

  #remove(ask: RunningAsk): void {
    this.#asks.delete(ask.requestId);
    if (this.#asks.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
