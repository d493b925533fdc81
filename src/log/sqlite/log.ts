/** EventLog over the SQLite history, through the log thread (workers/main-log.ts) or a direct connection (workers/open-log.ts). */

import { setTimeout as delay } from 'node:timers/promises';
import { vitalEvents } from '../../domain/events.ts';
import type {
  Appended,
  EventLog,
  NewEvent,
  Position,
  RecordedEvent,
  StoredEvent,
} from '../../ports/event-log.ts';
import { type EncodedEvent, EventCodec, refuseTooLarge, textsOf } from '../encoding.ts';
import {
  type AppendRequest,
  type LogStore,
  positionOf,
  type StoredBytesRow,
  type StoredRow,
  type StreamRows,
} from './log-store.ts';

/** The methods of LogStore as promises, so that they can be called across threads. */
export interface LogCalls {
  append(request: AppendRequest): Promise<Appended>;
  readStream(stream: string, fromRevision: number, limit: number): Promise<StreamRows>;
  readAll(after: Position | null, limit: number): Promise<StoredRow[]>;
  readStored(after: Position | null, limit: number): Promise<StoredBytesRow[]>;
  readStoredBefore(before: Position | null, limit: number): Promise<StoredBytesRow[]>;
  head(): Promise<Position | null>;
  lastBefore(time: string): Promise<Position | null>;
  degraded(): Promise<string | null>;
  close(): Promise<void>;
}

/** Maximum number of events per page of a stream. */
const pageSize = 200;
/** How often a follower at the end of the log checks for new events, including those written by other processes. */
const followMs = 20;
const followLimit = 500;

export class EmbeddedLog implements EventLog {
  readonly #calls: LogCalls;
  readonly #codec: EventCodec;

  constructor(calls: LogCalls, codec = new EventCodec()) {
    this.#calls = calls;
    this.#codec = codec;
  }

  async append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    return this.#codec.handOn(events, async (encoded) => this.#append(stream, expectedRevision, encoded));
  }

  async appendStored(
    stream: string,
    expectedRevision: number,
    events: readonly Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>[],
  ): Promise<Appended> {
    return this.#append(stream, expectedRevision, events.map(textsOf));
  }

  #append(stream: string, expectedRevision: number, events: EncodedEvent[]): Promise<Appended> {
    refuseTooLarge(stream, events);
    const vital = events.some(({ type }) => vitalEvents.has(type));
    return this.#calls.append({ stream, expectedRevision, events, vital });
  }

  async readStream(stream: string, fromRevision = 0, limit = Infinity): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const wanted = Math.min(pageSize, limit - events.length);
      const { rows, more } = await this.#calls.readStream(stream, fromRevision + events.length, wanted);
      events.push(...(await this.#toEvents(rows)));
      if (!more || events.length === limit) return events;
    }
  }

  async readAll(after: Position | null, limit: number): Promise<RecordedEvent[]> {
    return this.#toEvents(await this.#calls.readAll(after, limit));
  }

  async readStored(after: Position | null, limit: number): Promise<StoredEvent[]> {
    return (await this.#calls.readStored(after, limit)).map(placed);
  }

  async readStoredBefore(before: Position | null, limit: number): Promise<StoredEvent[]> {
    return (await this.#calls.readStoredBefore(before, limit)).map(placed);
  }

  #toEvents(rows: readonly StoredRow[]): Promise<RecordedEvent[]> {
    return this.#codec.decode(rows.map((row) => ({ ...row, position: positionOf(row.position) })));
  }

  head(): Promise<Position | null> {
    return this.#calls.head();
  }

  lastBefore(time: string): Promise<Position | null> {
    return this.#calls.lastBefore(time);
  }

  degraded(): Promise<string | null> {
    return this.#calls.degraded();
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
      } else await delay(followMs, undefined, { signal }).catch(() => {});
    }
  }

  async close(): Promise<void> {
    await this.#codec.settled();
    await this.#calls.close();
  }
}

const placed = (row: StoredBytesRow): StoredEvent => ({ ...row, position: positionOf(row.position) });

/** Calls to a store in the same thread. */
export function directLog(store: LogStore): LogCalls {
  return {
    append: async (request) => {
      const [outcome] = store.append([request]);
      if (!outcome!.ok) throw outcome!.failure;
      return outcome!.appended;
    },
    readStream: async (stream, from, limit) => store.readStream(stream, from, limit),
    readAll: async (after, limit) => store.readAll(after, limit),
    readStored: async (after, limit) => store.readStored(after, limit),
    readStoredBefore: async (before, limit) => store.readStoredBefore(before, limit),
    head: async () => store.head(),
    lastBefore: async (time) => store.lastBefore(time),
    degraded: async () => store.degraded(),
    close: async () => store.close(),
  };
}
