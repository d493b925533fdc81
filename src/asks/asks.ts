/**
 * Asks for all doors. A question starts an ask, or joins the one that the same delivery started earlier. An ask can be
 * found by its request id and cancelled, whether it is running in this process, is running in another one, or has
 * ended. Messages that a platform delivers twice and requests with a repeated Idempotency-Key are handled in the same
 * way.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Part } from '../answering/parts.ts';
import { deliveryIds } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Asker, AskInput, AskQuestions } from './ask-port.ts';
import { Cursor, type NumberedPart } from './cursor.ts';
import { type AskEndListener, errorPart, InFlightAsks, type InFlightLimits } from './in-flight.ts';
import { type AnswerReader, mayReadAnswer } from './may-read-answer.ts';
import type { RecordedAsks } from './recorded-asks.ts';
import type { RecordedAsk } from './replay-parts.ts';

/** An answer that can be read by its request id, from any point. */
export interface AskStream {
  requestId: string;
  /**
   * Yields the parts that the reader does not have yet, numbered (see cursor.ts), as they arrive. `lastSeen` is the
   * number of the last part that the reader has seen, or 0. Ends after `done` or `error`, or early if the signal
   * aborts.
   */
  after(lastSeen: number, signal: AbortSignal): AsyncGenerator<NumberedPart, void>;
}

/**
 * Identifies a question so that repetitions are recognised. `scope` is the deliverer (`key:<id>`, a network address,
 * `slack:<workspace>`, `telegram:<bot>`), so that keys of different deliverers never collide. `key` is the deliverer's
 * own identifier (Idempotency-Key, event id, update id). Neither is stored: the request id is a keyed hash of both.
 */
export interface Delivery {
  scope: string;
  key: string;
}

export interface AsksDeps {
  ask: AskQuestions;
  /** Asks of other instances, and past asks. */
  recordedAsks: Pick<RecordedAsks, 'find' | 'ended' | 'cancel'>;
  /** The same for all instances. Without the secret, a request id does not reveal who delivered the question. */
  secret(): Buffer;
  clock: Clock;
}

/** An earlier ask from the same delivery. */
interface EarlierAsk {
  stream: AskStream;
  /** Whether the ask has failed and a new attempt may succeed. */
  mayBeRetried: boolean;
}

/** The request ids for attempt `n` of a delivery, counted from 0. */
type AttemptIds = (attempt: number) => ReturnType<typeof deliveryIds>;

const dayMs = 86_400_000;
/** The maximum number of retries of a failed delivery. */
const attemptsMax = 10;

export class Asks {
  readonly #history: AsksDeps['recordedAsks'];
  readonly #clock: Clock;
  readonly #secret: AsksDeps['secret'];
  readonly #inFlight: InFlightAsks;
  /**
   * The latest start of each delivery in progress. If a delivery arrives several times simultaneously, the first one
   * starts the ask and the others join it.
   */
  readonly #beginnings = new Map<string, Promise<unknown>>();

  constructor({ ask, recordedAsks, secret, clock }: AsksDeps, limits: Partial<InFlightLimits> = {}) {
    this.#history = recordedAsks;
    this.#clock = clock;
    this.#secret = secret;
    this.#inFlight = new InFlightAsks(ask, limits);
  }

  /** The number of questions that this process is answering. */
  get running(): number {
    return this.#inFlight.size;
  }

  /** Calls the listener whenever an ask of this process ends. */
  onEnd(listener: AskEndListener): void {
    this.#inFlight.onEnd(listener);
  }

  /**
   * Starts an ask, or returns the one that the same delivery started within the last 24 hours. After a retryable
   * failure, it asks again. `count` is awaited before a new question is asked, and `countResume` before a delivery is
   * looked up. If either throws, the question is rejected. If `gone` aborts before a question without a delivery has
   * begun, the question is dropped. Fails with `invalid` if the same delivery has a different question. Otherwise
   * rejects with the Failure of an ask that could not begin (see App.ask; `unavailable` if there are too many
   * concurrent asks).
   */
  async begin(
    input: AskInput & { request_id: string },
    delivery: Delivery | null,
    count: () => Promise<void> = async () => {},
    countResume: () => Promise<void> = async () => {},
    gone?: AbortSignal,
  ): Promise<AskStream> {
    if (delivery === null) {
      await count();
      const anonymous = input.channel === 'http' || input.channel === 'mcp';
      return this.#local(await this.#inFlight.start(input, { anonymous, ...(gone && { gone }) }));
    }
    await countResume();
    const { query, corpus_id, style, history } = input;
    const body_hash = createHash('sha256')
      .update(JSON.stringify([query, corpus_id ?? null, style, history]))
      .digest('hex');
    const now = this.#clock.now();
    const scope = createHmac('sha256', this.#secret()).update(delivery.scope).digest('base64url');
    const idsOf: AttemptIds = (attempt) =>
      deliveryIds(scope, attempt === 0 ? 'ask' : `ask ${attempt}`, delivery.key, now);
    const first = idsOf(0).today;
    const before = this.#beginnings.get(first) ?? Promise.resolve();
    const begin = () => this.#meetOrAsk({ ...input, body_hash }, idsOf, now.getTime() - dayMs, count);
    const begun = before.then(begin, begin);
    this.#beginnings.set(first, begun);
    try {
      return await begun;
    } finally {
      if (this.#beginnings.get(first) === begun) this.#beginnings.delete(first);
    }
  }

  async #meetOrAsk(
    input: AskInput & { body_hash: string },
    idsOf: AttemptIds,
    since: number,
    count: () => Promise<void>,
    attempt = 0,
  ): Promise<AskStream> {
    const { body_hash } = input;
    const { today, yesterday } = idsOf(attempt);
    const asked =
      (await this.#asked(today, body_hash, since)) ?? (await this.#asked(yesterday, body_hash, since));
    if (asked?.mayBeRetried && attempt < attemptsMax)
      return this.#meetOrAsk(input, idsOf, since, count, attempt + 1);
    if (asked) return asked.stream;
    await count();
    try {
      return this.#local(await this.#inFlight.start({ ...input, request_id: today }));
    } catch (error) {
      // Another instance received the same question at the same time.
      const met =
        error instanceof Failure && error.code === 'conflict'
          ? await this.#asked(today, body_hash, since)
          : null;
      if (met) return met.stream;
      throw error;
    }
  }

  /**
   * Returns the answer to an earlier request. Fails with `not_found`, also if the reader may not read it (see
   * `AnswerReader`).
   */
  async find(requestId: string, reader: AnswerReader): Promise<AskStream> {
    const running = this.#inFlight.get(requestId);
    const record = running ? null : await this.#history.find(requestId);
    const asked = running ?? (record && { keyId: record.key_id, corpusId: record.corpus_id });
    if (!asked || !mayReadAnswer(asked, reader))
      throw new Failure('not_found', 'No question was asked under this request id.');
    if (running) return this.#local(running);
    return this.#elsewhere(requestId, record);
  }

  /**
   * Ends a running ask immediately. An ask that has already ended is not changed. Fails with `not_found` like `find`.
   */
  async cancel(requestId: string, caller: AnswerReader & Pick<Asker, 'actor'>): Promise<void> {
    await this.find(requestId, caller);
    const running = this.#inFlight.get(requestId);
    if (running) running.cancel();
    else await this.#history.cancel(requestId, caller.actor);
  }

  /**
   * Stops accepting asks. Resolves when the running asks have ended; those still running after `drainMs` are cancelled.
   */
  close(drainMs: number): Promise<void> {
    return this.#inFlight.close(drainMs);
  }

  async #asked(requestId: string, bodyHash: string, sinceMs: number): Promise<EarlierAsk | null> {
    const running = this.#inFlight.get(requestId);
    if (running) {
      sameBody(running.bodyHash, bodyHash);
      await running.begun;
      return { stream: this.#local(running), mayBeRetried: false };
    }
    const record = await this.#history.find(requestId);
    if (!record || Date.parse(record.asked_at) < sinceMs) return null;
    sameBody(record.body_hash, bodyHash);
    const last = record.parts?.at(-1);
    const mayBeRetried = last?.type === 'error' && last.retryable;
    return { stream: this.#elsewhere(requestId, record), mayBeRetried };
  }

  #local(ask: { requestId: string; watch(signal: AbortSignal): AsyncIterable<Part> }): AskStream {
    return {
      requestId: ask.requestId,
      async *after(lastSeen, signal) {
        yield* numbered(ask.watch(signal), new Cursor(lastSeen));
      },
    };
  }

  /** An ask that is recorded or is running on another instance. In the latter case, readers wait for its record. */
  #elsewhere(requestId: string, record: RecordedAsk | null): AskStream {
    const history = this.#history;
    return {
      requestId,
      async *after(lastSeen, signal) {
        const cursor = new Cursor(lastSeen);
        try {
          const ended = record?.parts ? record : await history.ended(requestId, signal);
          for (const part of partsFor(ended, cursor)) {
            const next = cursor.take(part);
            if (next !== null) yield next;
          }
        } catch (error) {
          if (signal.aborted) return;
          const last = cursor.take(errorPart(requestId, error));
          if (last !== null) yield last;
        }
      },
    };
  }
}

async function* numbered(parts: AsyncIterable<Part>, cursor: Cursor): AsyncGenerator<NumberedPart, void> {
  for await (const part of parts) {
    const next = cursor.take(part);
    if (next !== null) yield next;
  }
}

/** Returns the recorded parts. A reader who received text that was later replaced gets a `replace` part. */
function partsFor({ parts, replaced }: RecordedAsk, cursor: Cursor): Part[] {
  if (parts === null) return [];
  if (replaced === null || !cursor.holdsText) return parts;
  const first = parts.findIndex(({ type }) => type === 'text');
  const answer = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return parts.flatMap((part, n): Part[] => {
    if (part.type !== 'text') return [part];
    return n === first ? [{ type: 'replace', answer, reason: replaced }] : [];
  });
}

function sameBody(before: string | null, now: string): void {
  if (before === now) return;
  throw new Failure('invalid', 'The Idempotency-Key was used earlier with a different question.');
}
