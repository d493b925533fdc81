/** The event log port: an append-only history of all streams. */
import type { EventType, EventTypes } from '../domain/events.ts';

/** Orders all events in a log. Opaque, but can be compared as a string. A copy of a history has different positions. */
export type Position = string;

export interface NewEvent<T extends EventType = EventType> {
  /** UUID. Appending the same ids again at the same revision is a retry, not a second write. */
  id: string;
  type: T;
  /** Schema version of `data`. */
  version: number;
  /** RFC 3339 UTC with milliseconds. */
  time: string;
  /** `admin:<account>`, `key:<id>`, `public` or `system`. */
  actor: string;
  correlation_id: string;
  causation_id: string | null;
  data: EventTypes[T];
}

export type RecordedEvent = {
  [T in EventType]: NewEvent<T> & { stream: string; revision: number; position: Position };
}[EventType];

/**
 * An event exactly as stored in the log, regardless of the program's version. Proofs and copies are made from stored
 * events.
 */
export interface StoredEvent {
  id: string;
  type: string;
  /** Canonical JSON (RFC 8785) in UTF-8, as written. */
  data: Uint8Array;
  /**
   * The metadata in the same form: the schema `version` of the data, `time`, `actor`, `$correlationId` and, if present,
   * `$causationId`.
   */
  metadata: Uint8Array;
  stream: string;
  revision: number;
  position: Position;
}

export interface Appended {
  /** Revision and position of the last event written or, for an empty append, of the stream's last event. */
  revision: number;
  position: Position | null;
}

/** Maximum size of an append in bytes: for each event, the JSON of its data plus 512 for its envelope. */
export const appendBytesMax = 1_000_000;

/** Maximum size of a page of the whole log, in bytes of data. A page ends with the event that reaches it. */
export const pageBytesMax = 4_000_000;

/** Maximum difference between the clocks of processes that write to the same history, in ms. */
const clockSkewMs = 5 * 60_000;

/** When an event was recorded, from its metadata; empty if no time is stated. */
export function recordedAt({ metadata }: Pick<StoredEvent, 'metadata'>): string {
  try {
    const { time } = JSON.parse(Buffer.from(metadata).toString('utf8')) as { time?: unknown };
    return typeof time === 'string' ? time : '';
  } catch {
    return '';
  }
}

/** Every event after an event with this time was recorded at `time` or later, despite clock differences. */
export const surelyAfter = (time: string): string => new Date(Date.parse(time) + clockSkewMs).toISOString();

/**
 * All methods may fail with `unavailable`, `conflict`, `too_large` or `storage_full`, with `invalid` for a position
 * from another log, and with `newer_format` for an event written by a later version of the program.
 */
export interface EventLog {
  /**
   * Writes all events or none, after the stream's event `expectedRevision` (-1: the stream must not exist yet).
   * Resolves once they are on disk. If the stream is at a different revision, fails with `conflict`, unless the same
   * event ids are already there. In that case it succeeds with the original revision and position, so that a retry
   * after an unknown outcome is safe. An empty list writes nothing.
   */
  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended>;
  /**
   * Like `append`, but for events from another log, which are written byte for byte as stored there. Fails with
   * `invalid` if the bytes are not UTF-8.
   */
  appendStored(
    stream: string,
    expectedRevision: number,
    events: readonly Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>[],
  ): Promise<Appended>;
  /**
   * Events of a stream in order, starting at a revision (default: 0), upcast to the current versions; at most `limit`
   * of them (default: all). Empty for an unknown stream.
   */
  readStream(stream: string, fromRevision?: number, limit?: number): Promise<RecordedEvent[]>;
  /**
   * The next events of the whole log after a position (null: from the start): at most `limit`, and fewer if they are
   * large (`pageBytesMax`). Empty only at the end of the log.
   */
  readAll(after: Position | null, limit: number): Promise<RecordedEvent[]>;
  /** Like `readAll`, but in stored form. Never fails with `newer_format`. */
  readStored(after: Position | null, limit: number): Promise<StoredEvent[]>;
  /** Like `readStored`, but backwards: the events before a position (null: the end), last one first. */
  readStoredBefore(before: Position | null, limit: number): Promise<StoredEvent[]>;
  /** Position of the last event; null for an empty log. */
  head(): Promise<Position | null>;
  /**
   * Position of the last event recorded before a time (RFC 3339 UTC with milliseconds), according to the events' own
   * times; null if there is none. A log that can search by time (see each adapter) does not read everything: times
   * increase along a log, except for differences between the writers' clocks, which must stay below `clockSkewMs`.
   */
  lastBefore(time: string): Promise<Position | null>;
  /**
   * Why some appends are currently refused, as a sentence that may be shown publicly; null if none are. Absent if the
   * log cannot know.
   */
  degraded?(): Promise<string | null>;
  /** Number of events after a position, up to and including another one; null if the log would have to count them. */
  distance(after: Position | null, until: Position): number | null;
  /**
   * All events after a position in batches, then new ones as they are written by any process, until the signal aborts.
   */
  subscribe(after: Position | null, signal: AbortSignal): AsyncIterable<RecordedEvent[]>;
  close(): Promise<void>;
}
