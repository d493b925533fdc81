/** EventLog over the SQLite history: through the log thread (app.ts) or a connection of one's own (projector). */

import type { EventType } from '../../domain/events.ts';
import { lift } from '../../domain/lifting.ts';
import { Failure } from '../../failures.ts';
import type { Appended, EventLog, NewEvent, Position, RecordedEvent } from '../../ports.ts';
import { type AppendRequest, type EventRow, type LogStore, positionOf, type StoredRow } from './log-store.ts';

/** The calls of LogStore as they may come over a thread. */
export interface LogCalls {
  append(request: AppendRequest): Promise<Appended>;
  readStream(stream: string, fromRevision: number, limit: number): Promise<StoredRow[]>;
  readAll(after: Position | null, limit: number): Promise<StoredRow[]>;
  head(): Promise<Position | null>;
  close(): Promise<void>;
}

/** Events a page of a stream holds, and the largest event the history takes, in bytes of JSON. */
const pageSize = 200;
const eventBytesMax = 900_000;
/** How often a follower that has caught up looks for new events, those of other processes included. */
const followMs = 20;
const followLimit = 500;

export class EmbeddedLog implements EventLog {
  readonly #calls: LogCalls;
  constructor(calls: LogCalls) {
    this.#calls = calls;
  }

  async append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    return this.#calls.append({ stream, expectedRevision, events: events.map(toRow) });
  }

  async readStream(stream: string, fromRevision = 0): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await this.#calls.readStream(stream, fromRevision + events.length, pageSize);
      for (const row of page) events.push(toEvent(row));
      if (page.length < pageSize) return events;
    }
  }

  async readAll(after: Position | null, limit: number): Promise<RecordedEvent[]> {
    return (await this.#calls.readAll(after, limit)).map(toEvent);
  }

  head(): Promise<Position | null> {
    return this.#calls.head();
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

function toRow(event: NewEvent): EventRow {
  const data = JSON.stringify(event.data);
  if (data.length > eventBytesMax / 3 && Buffer.byteLength(data) > eventBytesMax) {
    throw new Failure('too_large', `An event of type ${event.type} has more than ${eventBytesMax} bytes.`);
  }
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

/** A stored row as an event of today's version. */
export function toEvent(row: StoredRow): RecordedEvent {
  return {
    id: row.id,
    type: row.type as EventType,
    version: row.version,
    time: row.time,
    actor: row.actor,
    correlation_id: row.correlation_id,
    causation_id: row.causation_id,
    data: lift(row.type, row.version, JSON.parse(row.data)),
    stream: row.stream,
    revision: row.revision,
    position: positionOf(row.position),
  } as RecordedEvent;
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
