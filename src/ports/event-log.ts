/** The port of the event log: the history, as the service needs it. */
import type { EventType, EventTypes } from '../domain/events.ts';

/** Orders all events of one log; opaque, compares as a string. Changes when a history is copied. */
export type Position = string;

export interface NewEvent<T extends EventType = EventType> {
  /** UUID; appending the same ids again at the same revision is a repeat, not a second write. */
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
 * An event exactly as the log keeps it, whichever version of the program wrote it: what proofs are made over and
 * copies are made of.
 */
export interface StoredEvent {
  id: string;
  type: string;
  /** Canonical JSON (RFC 8785) in UTF-8, as it was when it was written. */
  data: Uint8Array;
  /** Likewise: `version` of the data's schema, `time`, `actor`, `$correlationId` and, where there is one, `$causationId`. */
  metadata: Uint8Array;
  stream: string;
  revision: number;
  position: Position;
}

export interface Appended {
  /** Revision and position of the last event written (of the stream's last event for an empty append). */
  revision: number;
  position: Position | null;
}

/** The most one append may hold, in bytes: the JSON of each event's data and 512 for its envelope. */
export const appendBytesMax = 1_000_000;

/** A page of the whole log ends with the event that takes the data in it to so many bytes, at the latest. */
export const pageBytesMax = 4_000_000;

/** By so much the clocks of those who write to one history may differ. */
export const clockSkewMs = 5 * 60_000;

/** When an event was recorded, as its metadata tells; empty where it does not. */
export function recordedAt({ metadata }: Pick<StoredEvent, 'metadata'>): string {
  try {
    const { time } = JSON.parse(Buffer.from(metadata).toString('utf8')) as { time?: unknown };
    return typeof time === 'string' ? time : '';
  } catch {
    return '';
  }
}

/** From this time on, as events tell it, all that follows was recorded at `time` or later. */
export const surelyAfter = (time: string): string => new Date(Date.parse(time) + clockSkewMs).toISOString();

/**
 * The history. All methods reject with Failure: `unavailable`, `conflict`, `too_large`, `storage_full`; `invalid` for a
 * position of another log;
 * `newer_format` where an event read is of a later program.
 */
export interface EventLog {
  /**
   * Writes all events or none, after the stream's event `expectedRevision` (-1: the stream must not exist yet).
   * Resolves only after they are on disk. Another revision: Failure `conflict`, unless the very same ids are
   * there already, which is a success with the original revision and position: a retry after an unknown
   * outcome is safe. An empty list writes nothing.
   */
  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended>;
  /**
   * As `append`, for events of another log: they are written byte for byte as they were stored there. Failure
   * `invalid` for bytes that are no UTF-8.
   */
  appendStored(
    stream: string,
    expectedRevision: number,
    events: readonly Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>[],
  ): Promise<Appended>;
  /**
   * Events of a stream in order, from a revision on, upcast to today's versions; at most `limit` of them (default:
   * all there are); empty for an unknown stream.
   */
  readStream(stream: string, fromRevision?: number, limit?: number): Promise<RecordedEvent[]>;
  /**
   * The next events of the whole log after a position (null: from the start): at most `limit` of them, fewer when
   * they are large (`pageBytesMax`), none only at the log's end.
   */
  readAll(after: Position | null, limit: number): Promise<RecordedEvent[]>;
  /** The same events as `readAll`, as they are stored; never Failure `newer_format`. */
  readStored(after: Position | null, limit: number): Promise<StoredEvent[]>;
  /** The events before a position (null: the end), likewise, the last one first. */
  readStoredBefore(before: Position | null, limit: number): Promise<StoredEvent[]>;
  /** Position of the last event, null for an empty log. */
  head(): Promise<Position | null>;
  /**
   * Position of the last event recorded before a time (RFC 3339 UTC with milliseconds), as events tell their own; null:
   * there is none. Not all of the log is read for it where the log can tell (each adapter says so): times rise along a
   * log but for what the clocks of those who write differ, which must be less than `clockSkewMs`.
   */
  lastBefore(time: string): Promise<Position | null>;
  /**
   * Why it does not take all it is given at this moment, in a sentence for everybody; null: it does. Absent where a log
   * cannot tell.
   */
  degraded?(): Promise<string | null>;
  /** Number of events after a position up to another one; null where the log would have to count them. */
  distance(after: Position | null, until: Position): number | null;
  /**
   * All events after a position in batches, then new ones as they come, until the signal aborts. Events of other
   * processes on the same log are seen too.
   */
  subscribe(after: Position | null, signal: AbortSignal): AsyncIterable<RecordedEvent[]>;
  close(): Promise<void>;
}
