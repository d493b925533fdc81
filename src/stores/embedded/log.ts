/** EventLog over the SQLite history: through the log thread (app.ts) or a connection of one's own (projector). */

import type { Appended, EventLog, NewEvent, Position, RecordedEvent } from '../../ports/event-log.ts';
import { decode, encodeData, type Lifting } from '../encoding.ts';
import { type AppendRequest, type EventRow, type LogStore, positionOf, type StoredRow } from './log-store.ts';

/** The calls of LogStore as they may come over a thread. */
export interface LogCalls {
  append(request: AppendRequest): Promise<Appended>;
  readStream(stream: string, fromRevision: number, limit: number): Promise<StoredRow[]>;
  readAll(after: Position | null, limit: number): Promise<StoredRow[]>;
  head(): Promise<Position | null>;
  close(): Promise<void>;
}

/** Events a page of a stream holds. */
const pageSize = 200;
/** How often a follower that has caught up looks for new events, those of other processes included. */
const followMs = 20;
const followLimit = 500;

export class EmbeddedLog implements EventLog {
  readonly #calls: LogCalls;
  readonly #toEvent: (row: StoredRow) => RecordedEvent;

  constructor(calls: LogCalls, lifting?: Lifting) {
    this.#calls = calls;
    this.#toEvent = (row) =>
      decode({ ...row, data: JSON.parse(row.data), position: positionOf(row.position) }, lifting);
  }

  async append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    const data = encodeData(stream, events);
    return this.#calls.append({ stream, expectedRevision, events: events.map((e, i) => toRow(e, data[i]!)) });
  }

  async readStream(stream: string, fromRevision = 0): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await this.#calls.readStream(stream, fromRevision + events.length, pageSize);
      for (const row of page) events.push(this.#toEvent(row));
      if (page.length < pageSize) return events;
    }
  }

  async readAll(after: Position | null, limit: number): Promise<RecordedEvent[]> {
    return (await this.#calls.readAll(after, limit)).map(this.#toEvent);
  }

  head(): Promise<Position | null> {
    return this.#calls.head();
  }

  distance(after: Position | null, until: Position): number {
    return Number(until) - Number(after ?? 0);
  }

  async *subscribe(after: Position | null, signal: AbortSignal): AsyncGenerator<RecordedEvent[]> {
    let position = after;
    while (!signal.aborted) {
      const batch = await this.readAll(position, followLimit);
      if (batch.length > 0) {
        position = batch[batch.length - 1]!.position;
        yield batch;
      } else await pause(followMs, signal);
    }
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}

function toRow(event: NewEvent, data: string): EventRow {
  return {
    id: event.id,
    type: event.type,
    version: event.version,
    time: event.time,
    actor: event.actor,
    correlation_id: event.correlation_id,
    causation_id: event.causation_id,
    data,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, ms);
  signal.addEventListener('abort', done);
  return promise;
}

/** The calls over a store in the same thread. */
export function directLog(store: LogStore): LogCalls {
  return {
    append: async (request) => {
      const [outcome] = store.append([request]);
      if (!outcome!.ok) throw outcome!.failure;
      return outcome!.appended;
    },
    readStream: async (stream, from, limit) => store.readStream(stream, from, limit),
    readAll: async (after, limit) => store.readAll(after, limit),
    head: async () => store.head(),
    close: async () => store.close(),
  };
}
