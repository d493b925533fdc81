/**
 * The asks that this process is working on, independent of the connections that watch them. An ask keeps running when
 * its connection drops, and several connections can watch it. It is cancelled if no watcher returns within the grace
 * period, which is short until some of its text has been read.
 */
import type { Part } from '../answering/parts.ts';
import type { Channel } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { AskInput, AskQuestions } from './ask-port.ts';

export interface InFlightLimits {
  /** How long an ask without watchers keeps running once some of its text has been read, in ms. Default: 30,000. */
  graceMs: number;
  /** The same, before any text has been read. Default: 2,000. */
  unreadGraceMs: number;
  /**
   * The same for an ask whose id is sent only with the complete answer, so that it cannot be resumed. Default: 1,000.
   */
  anonymousGraceMs: number;
  /** Maximum number of concurrent asks; further ones are rejected (`unavailable`). Default: 512. */
  asksMax: number;
}

const limitsDefault: InFlightLimits = {
  graceMs: 30_000,
  unreadGraceMs: 2_000,
  anonymousGraceMs: 1_000,
  asksMax: 512,
};

/** Called with the first and last part of an ask that has ended, and its duration in ms. */
export type AskEndListener = (channel: Channel, first: Part, last: Part, ms: number) => void;

type IdentifiedInput = AskInput & { request_id: string };

class InFlightAsk {
  readonly requestId: string;
  readonly keyId: number | null;
  readonly corpusId: string | null;
  readonly bodyHash: string | null;
  /** Resolves when the first part is available. Rejects with the Failure of an ask that never began. */
  readonly begun: Promise<void>;
  readonly #controller = new AbortController();
  /** The grace periods before and after text has been read, in ms. */
  readonly #graces: { unread: number; read: number };
  #isRead = false;
  /** All parts so far. An answer is small, and returning watchers read it from here. */
  readonly #parts: Part[] = [];
  readonly #begin = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();
  #ended = false;
  #watchers = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(input: IdentifiedInput, graces: { unread: number; read: number }) {
    this.requestId = input.request_id;
    this.keyId = input.caller.key_id;
    this.corpusId = input.corpus_id ?? null;
    this.bodyHash = input.body_hash ?? null;
    this.#graces = graces;
    this.begun = this.#begin.promise;
    this.begun.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first and the last part so far. */
  get ends(): [first: Part | undefined, last: Part | undefined] {
    return [this.#parts[0], this.#parts.at(-1)];
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** Adds a part. The first `done` or `error` is the last part; later parts are ignored. */
  push(part: Part): void {
    if (this.#ended) return;
    if (this.#parts.push(part) === 1) {
      this.#begin.resolve();
      this.#awaitWatcher();
    }
    if (part.type === 'done' || part.type === 'error') {
      this.#ended = true;
      clearTimeout(this.#grace);
    }
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Ends the ask with an error: as its last part or, if there are no parts yet, as an ask that never began. */
  fail(error: unknown): void {
    if (this.#parts.length === 0) this.#begin.reject(error);
    else this.push(errorPart(this.requestId, error));
  }

  /**
   * Yields all parts from the start, and later ones as they arrive. Ends after the last part, or early if the signal
   * aborts.
   */
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
          // The reader has requested the next part, so it has read this one.
          this.#isRead ||= part.type === 'text';
        } else if (this.#ended) return;
        else await Promise.race([this.#wake.promise, aborted]);
      }
    } finally {
      if (--this.#watchers === 0 && !this.#ended) this.#awaitWatcher();
    }
  }

  #awaitWatcher(): void {
    const graceMs = this.#isRead ? this.#graces.read : this.#graces.unread;
    this.#grace = setTimeout(() => this.cancel(), graceMs).unref();
  }
}

/** The error as the last part of an answer. Only Failures are reported with details. */
export function errorPart(requestId: string, error: unknown): Part {
  const { code, detail, retryable } =
    error instanceof Failure ? error : new Failure('internal', 'Internal error.');
  return { type: 'error', request_id: requestId, code, detail, retryable };
}

export class InFlightAsks {
  readonly #ask: AskQuestions;
  readonly #limits: InFlightLimits;
  readonly #asks = new Map<string, InFlightAsk>();
  readonly #listeners: AskEndListener[] = [];
  readonly #idle: (() => void)[] = [];
  #closing = false;

  constructor(ask: AskQuestions, limits: Partial<InFlightLimits> = {}) {
    this.#ask = ask;
    this.#limits = { ...limitsDefault, ...limits };
  }

  onEnd(listener: AskEndListener): void {
    this.#listeners.push(listener);
  }

  get size(): number {
    return this.#asks.size;
  }

  get(requestId: string): InFlightAsk | undefined {
    return this.#asks.get(requestId);
  }

  /**
   * Starts an ask and resolves with it when its first part is available. Rejects with the Failure of an ask that never
   * began (unknown corpus, history not writable, too many concurrent asks). `anonymous`: the caller does not know the
   * id until the answer is complete. If `gone` aborts while the ask is waiting for its turn, the ask is cancelled.
   */
  async start(
    input: IdentifiedInput,
    { anonymous = false, gone }: { anonymous?: boolean; gone?: AbortSignal } = {},
  ): Promise<InFlightAsk> {
    if (this.#closing) throw new Failure('unavailable', 'The service is shutting down.');
    if (this.#asks.size >= this.#limits.asksMax)
      throw new Failure('unavailable', 'Too many questions are being answered; try again shortly.', {
        retryAfterS: 2,
      });
    const { graceMs, unreadGraceMs, anonymousGraceMs } = this.#limits;
    const ask = new InFlightAsk(
      input,
      anonymous
        ? { unread: anonymousGraceMs, read: anonymousGraceMs }
        : { unread: unreadGraceMs, read: graceMs },
    );
    this.#asks.set(ask.requestId, ask);
    void this.#run(ask, input);
    const leave = () => ask.cancel();
    gone?.addEventListener('abort', leave, { once: true });
    if (gone?.aborted) leave();
    try {
      await ask.begun;
    } finally {
      gone?.removeEventListener('abort', leave);
    }
    return ask;
  }

  /**
   * Stops accepting asks. Resolves when the running asks have ended; those still running after `drainMs` are cancelled.
   */
  async close(drainMs: number): Promise<void> {
    this.#closing = true;
    const late = setTimeout(() => {
      for (const ask of this.#asks.values()) ask.cancel();
    }, drainMs);
    if (this.#asks.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    clearTimeout(late);
  }

  async #run(ask: InFlightAsk, input: IdentifiedInput): Promise<void> {
    const startedAt = performance.now();
    try {
      for await (const part of this.#ask(input, ask.signal)) ask.push(part);
      ask.fail(new Failure('internal', 'The answer ended unexpectedly.'));
    } catch (error) {
      ask.fail(error);
    } finally {
      const [first, last] = ask.ends;
      const ms = performance.now() - startedAt;
      if (first && last) for (const listener of this.#listeners) listener(input.channel, first, last, ms);
      this.#asks.delete(ask.requestId);
      if (this.#asks.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }
}
