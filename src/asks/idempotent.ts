/**
 * Answers by their request id: begun here, running here, running elsewhere, or recorded. A question that carries an
 * Idempotency-Key meets the one asked before it under the same key instead of being asked again.
 */
import { createHash } from 'node:crypto';
import type { Part } from '../answering/parts.ts';
import type { AskInput, Caller } from '../app.ts';
import { deliveryIds } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { HttpApp } from '../http/context.ts';
import { ValidationFailure } from '../http/validation.ts';
import { Cursor, type Numbered } from './cursor.ts';
import { errorPart, type RunningAsks } from './in-flight.ts';
import type { RecordedAsk } from './replay-parts.ts';

export interface Answer {
  requestId: string;
  /** The parts a client does not hold yet, numbered, as they come; ends early by the signal. */
  after(lastSeen: number, signal: AbortSignal): AsyncGenerator<Numbered, void>;
}

/** An Idempotency-Key and who sent it (`key:<id>` or a network address, which only a hash of goes further). */
export interface Delivery {
  scope: string;
  key: string;
}

const dayMs = 86_400_000;

export class Answers {
  readonly #app: HttpApp;
  readonly #running: RunningAsks;

  constructor(app: HttpApp, running: RunningAsks) {
    this.#app = app;
    this.#running = running;
  }

  /**
   * Asks, or finds what was asked under the same key within 24 hours. ValidationFailure for another question under
   * the same key; the Failure of an ask that could not begin. `count` is awaited before a question is asked, not for
   * a repeat of one.
   */
  async begin(
    input: AskInput & { request_id: string },
    delivery: Delivery | null,
    count: () => Promise<void>,
  ): Promise<Answer> {
    if (delivery === null) {
      await count();
      return this.#local(await this.#running.start(input));
    }
    const { query, corpus_id, style, history } = input;
    const body_hash = createHash('sha256')
      .update(JSON.stringify([query, corpus_id ?? null, style, history]))
      .digest('hex');
    const now = new Date();
    const { today, yesterday } = deliveryIds(delivery.scope, 'ask', delivery.key, now);
    const since = now.getTime() - dayMs;
    const asked =
      (await this.#asked(today, body_hash, since)) ?? (await this.#asked(yesterday, body_hash, since));
    if (asked) return asked;
    await count();
    try {
      return this.#local(await this.#running.start({ ...input, request_id: today, body_hash }));
    } catch (error) {
      // Another instance was asked the same at the same moment.
      const met =
        error instanceof Failure && error.code === 'conflict'
          ? await this.#asked(today, body_hash, since)
          : null;
      if (met) return met;
      throw error;
    }
  }

  /** The answer of an earlier request. Failure `not_found`, also for one that was asked with another key. */
  async find(requestId: string, caller: Caller): Promise<Answer> {
    const running = this.#running.get(requestId);
    const record = running ? null : await this.#app.history.find(requestId);
    if (!mayRead(running ?? (record && { keyId: record.key_id }), caller))
      throw new Failure('not_found', 'Nothing was asked under this request id.');
    if (running) return this.#local(running);
    return this.#elsewhere(requestId, record);
  }

  /** Ends a running ask at once; one that has ended stays as it is. Failure `not_found` as for `find`. */
  async cancel(requestId: string, caller: Caller): Promise<void> {
    await this.find(requestId, caller);
    const running = this.#running.get(requestId);
    if (running) running.cancel();
    else await this.#app.history.cancel(requestId, caller.actor);
  }

  async #asked(requestId: string, bodyHash: string, sinceMs: number): Promise<Answer | null> {
    const running = this.#running.get(requestId);
    if (running) {
      sameBody(running.bodyHash, bodyHash);
      await running.begun;
      return this.#local(running);
    }
    const record = await this.#app.history.find(requestId);
    if (!record || Date.parse(record.asked_at) < sinceMs) return null;
    sameBody(record.body_hash, bodyHash);
    return this.#elsewhere(requestId, record);
  }

  #local(ask: { requestId: string; watch(signal: AbortSignal): AsyncIterable<Part> }): Answer {
    return {
      requestId: ask.requestId,
      async *after(lastSeen, signal) {
        yield* numbered(ask.watch(signal), new Cursor(lastSeen));
      },
    };
  }

  /** Recorded, or running on another instance: then its record is waited for. */
  #elsewhere(requestId: string, record: RecordedAsk | null): Answer {
    const history = this.#app.history;
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

/** The recorded parts; whoever holds text that was replaced later is told so. */
function partsFor({ parts, replaced }: RecordedAsk, cursor: Cursor): Part[] {
  if (parts === null) return [];
  if (replaced === null || !cursor.holdsText) return parts;
  return parts.map((part) =>
    part.type === 'text' ? { type: 'replace', answer: part.text, reason: replaced } : part,
  );
}

/** Without a key anyone who knows its id may read an answer; one asked with a key only that key may. */
function mayRead(asked: { keyId: number | null } | null | undefined, caller: Caller): boolean {
  return asked != null && (asked.keyId === null || asked.keyId === caller.key_id);
}

function sameBody(before: string | null, now: string): void {
  if (before === now) return;
  const msg = 'Value error, the Idempotency-Key was used with another question before';
  throw new ValidationFailure([{ type: 'value_error', loc: ['body'], msg }]);
}
