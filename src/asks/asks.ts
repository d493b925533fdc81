/**
 * Asks, for all doors: a question is started or, if the same delivery came before, joined; an answer is found again by
 * its request id, running here, running elsewhere, or recorded; and it is cancelled. A platform that delivers a
 * message twice and a client that repeats its Idempotency-Key are the same case.
 */

import { createHash, createHmac } from 'node:crypto';
import type { Asker } from '../answering/ask-port.ts';
import type { Part } from '../answering/parts.ts';
import { deliveryIds } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import { type AnswerReader, mayReadAnswer } from './answer-reader.ts';
import type { AskInput, AskQuestions } from './ask-input.ts';
import { Cursor, type Numbered } from './cursor.ts';
import type { AskHistory } from './history.ts';
import { type AskEndListener, errorPart, InFlightAsks, type InFlightLimits } from './in-flight.ts';
import type { RecordedAsk } from './replay-parts.ts';

/** An answer that can be read from any place on, by its request id. */
export interface AskStream {
  requestId: string;
  /**
   * The parts a reader does not hold yet, numbered (see cursor.ts), as they come. `lastSeen`: number of the last one
   * it has seen, 0 for none. Ends after `done` or `error`, or early by the signal.
   */
  after(lastSeen: number, signal: AbortSignal): AsyncGenerator<Numbered, void>;
}

/**
 * What makes a question the same one when it comes again. `scope`: who delivers it, so that nobody meets another's
 * (`key:<id>`, a network address, `slack:<workspace>`, `telegram:<bot>`); `key`: what the deliverer calls it
 * (Idempotency-Key, event id, update id). Neither is kept: only a keyed hash of both goes further, as the request id.
 */
export interface Delivery {
  scope: string;
  key: string;
}

export interface AsksDeps {
  ask: AskQuestions;
  /** Asks of other instances and of the past. */
  history: Pick<AskHistory, 'find' | 'ended' | 'cancel'>;
  /** The same for all instances: without it a request id does not reveal who delivered the question. */
  secret(): Buffer;
  clock: Clock;
}

/** What a delivery asked before. */
interface Asked {
  stream: AskStream;
  /** It has failed, and may do better now. */
  mayBeRetried: boolean;
}

/** The request ids of a delivery that is asked for the n-th time, from 0. */
type AttemptIds = (attempt: number) => ReturnType<typeof deliveryIds>;

const dayMs = 86_400_000;
/** How often a failed delivery is asked again. */
const attemptsMax = 10;

export class Asks {
  readonly #history: AsksDeps['history'];
  readonly #clock: Clock;
  readonly #secret: AsksDeps['secret'];
  readonly #inFlight: InFlightAsks;
  /** The last beginning of each delivery that is under way: of those that come at once the first asks, the others meet it. */
  readonly #beginnings = new Map<string, Promise<unknown>>();

  constructor({ ask, history, secret, clock }: AsksDeps, limits: Partial<InFlightLimits> = {}) {
    this.#history = history;
    this.#clock = clock;
    this.#secret = secret;
    this.#inFlight = new InFlightAsks(ask, limits);
  }

  /** Questions this process is answering. */
  get running(): number {
    return this.#inFlight.size;
  }

  /** Calls the listener with each ask of this process that has ended. */
  onEnd(listener: AskEndListener): void {
    this.#inFlight.onEnd(listener);
  }

  /**
   * Asks, or returns what the same delivery asked within 24 hours; after a retryable failure it asks again. `count` is
   * awaited before a new question is asked, `countResume` before a delivery is looked up; if either throws, the
   * question is refused. `gone`: a question without a delivery is dropped if this aborts before it has begun. Failure
   * `invalid` for another question under the same delivery; else the Failure of an ask that could not begin (see
   * App.ask; `unavailable` for too many at once).
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
      const anonymous = input.channel === 'http';
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
      // Another instance was asked the same at the same moment.
      const met =
        error instanceof Failure && error.code === 'conflict'
          ? await this.#asked(today, body_hash, since)
          : null;
      if (met) return met.stream;
      throw error;
    }
  }

  /** The answer of an earlier request. Failure `not_found`, also for one the reader may not read (`AnswerReader`). */
  async find(requestId: string, reader: AnswerReader): Promise<AskStream> {
    const running = this.#inFlight.get(requestId);
    const record = running ? null : await this.#history.find(requestId);
    const asked = running ?? (record && { keyId: record.key_id, corpusId: record.corpus_id });
    if (!asked || !mayReadAnswer(asked, reader))
      throw new Failure('not_found', 'Nothing was asked under this request id.');
    if (running) return this.#local(running);
    return this.#elsewhere(requestId, record);
  }

  /** Ends a running ask at once; one that has ended stays as it is. Failure `not_found` as for `find`. */
  async cancel(requestId: string, caller: AnswerReader & Pick<Asker, 'actor'>): Promise<void> {
    await this.find(requestId, caller);
    const running = this.#inFlight.get(requestId);
    if (running) running.cancel();
    else await this.#history.cancel(requestId, caller.actor);
  }

  /** Begins no more asks; resolves when those that run have ended, after `drainMs` by being cancelled. */
  close(drainMs: number): Promise<void> {
    return this.#inFlight.close(drainMs);
  }

  async #asked(requestId: string, bodyHash: string, sinceMs: number): Promise<Asked | null> {
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

  /** Recorded, or running on another instance: then its record is waited for. */
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

async function* numbered(parts: AsyncIterable<Part>, cursor: Cursor): AsyncGenerator<Numbered, void> {
  for await (const part of parts) {
    const next = cursor.take(part);
    if (next !== null) yield next;
  }
}

/** The recorded parts; a reader that received text which was later replaced gets a `replace`. */
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
  throw new Failure('invalid', 'The Idempotency-Key was used with another question before.');
}
