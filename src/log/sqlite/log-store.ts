/**
 * The history in an SQLite file, accessed by synchronous calls on a dedicated thread (workers/log-worker.ts). A
 * position is the row number with leading zeros, so that positions can be compared as strings.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Failure } from '../../failures.ts';
import { type Appended, type Position, surelyAfter } from '../../ports/event-log.ts';
import { guarded, openSqlite, transaction } from '../../storage/sqlite.ts';
import type { EncodedEvent } from '../encoding.ts';
import type { DiskReserve } from './reserve.ts';

const format = 2;
/** A page ends early when its events reach this total length (characters or bytes). */
const pageLength = 400_000;
/** The time in an event's metadata; empty if there is none. */
const recordedTime = "coalesce(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.time') END, '')";
/** The table and its only index. */
const logSchema = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_stream ON events (stream, revision)`;

/** An event as passed between threads. */
export interface StoredRow extends EncodedEvent {
  position: number;
  stream: string;
  revision: number;
}

/** The same, with data and metadata as bytes. */
export interface StoredBytesRow extends Omit<StoredRow, 'data' | 'metadata'> {
  data: Uint8Array;
  metadata: Uint8Array;
}

/** A page of a stream. */
export interface StreamRows {
  rows: StoredRow[];
  /** Whether the page ended at its limit of events or bytes, so that there may be more. */
  more: boolean;
}

export interface AppendRequest {
  stream: string;
  expectedRevision: number;
  events: EncodedEvent[];
  /** Written even when the disk is full. */
  vital?: boolean;
}

export interface LogStoreOptions {
  readOnly?: boolean;
  /** Disk space reserved for vital appends. Without it, a full disk stops all appends. */
  reserve?: DiskReserve;
}

const fullDisk = 'The disk is full: only access revocations and text removals are still recorded.';

export type AppendOutcome = { ok: true; appended: Appended } | { ok: false; failure: Failure };

export const positionOf = (row: number): Position => String(row).padStart(16, '0');
function rowOf(position: Position | null): number {
  if (position === null) return 0;
  if (!/^\d{16}$/.test(position)) throw new Failure('invalid', 'This position is not in the history.');
  return Number(position);
}

export class LogStore {
  readonly #db: DatabaseSync;
  readonly #insert;
  readonly #last;
  readonly #idsAfter;
  readonly #stream;
  readonly #all;
  readonly #allBytes;
  readonly #bytesBefore;
  readonly #head;
  readonly #timeFrom;
  readonly #lastTimeBefore;
  readonly #path: string;
  readonly #inode: number;
  readonly #reserve: DiskReserve | null;
  #full = false;

  constructor(path: string, { reserve, ...options }: LogStoreOptions = {}) {
    this.#db = openSqlite(path, { format, schema: logSchema, synchronous: 'FULL', ...options });
    const db = this.#db;
    this.#insert = db.prepare(
      'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?,?,?,?,?,?)',
    );
    this.#last = db.prepare(
      'SELECT revision, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
    );
    this.#idsAfter = db.prepare(
      'SELECT id, revision, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?',
    );
    this.#stream = db.prepare(
      'SELECT * FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
    );
    this.#all = db.prepare('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?');
    const bytes =
      'SELECT position, stream, revision, id, type, CAST(data AS BLOB) AS data, CAST(metadata AS BLOB) AS metadata FROM events';
    this.#allBytes = db.prepare(`${bytes} WHERE position > ? ORDER BY position LIMIT ?`);
    this.#bytesBefore = db.prepare(`${bytes} WHERE position < ? ORDER BY position DESC LIMIT ?`);
    this.#head = db.prepare('SELECT max(position) AS position FROM events');
    this.#timeFrom = db.prepare(
      `SELECT position, ${recordedTime} AS time FROM events WHERE position >= ? AND position < ? ORDER BY position LIMIT 1`,
    );
    this.#lastTimeBefore = db.prepare(
      `SELECT position FROM events WHERE position < ? AND ${recordedTime} < ? ORDER BY position DESC LIMIT 1`,
    );
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#reserve = reserve ?? null;
  }

  /**
   * Writes several appends in a single transaction; each succeeds or fails independently. When this returns, the
   * successful ones are on disk. If the transaction itself fails, they all fail, except on a full disk, where the vital
   * ones are written to the reserved space.
   */
  append(requests: readonly AppendRequest[]): AppendOutcome[] {
    try {
      this.#refuseGone();
      if (this.#reserve?.hold() === false) throw new Failure('storage_full', fullDisk);
      const outcomes = this.#write(requests);
      this.#full = false;
      return outcomes;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'storage_full') return requests.map(() => ({ ok: false, failure }));
      this.#full = true;
      return this.#appendVital(requests, failure);
    }
  }

  #appendVital(requests: readonly AppendRequest[], full: Failure): AppendOutcome[] {
    const refused: AppendOutcome = { ok: false, failure: full };
    const vital = requests.filter((request) => request.vital);
    if (this.#reserve === null || vital.length === 0) return requests.map(() => refused);
    let outcomes: AppendOutcome[];
    try {
      this.#reserve.release();
      outcomes = this.#write(vital);
    } catch (error) {
      const failure = failureOf(error);
      outcomes = vital.map(() => ({ ok: false, failure }));
    }
    return requests.map((request) => outcomes[vital.indexOf(request)] ?? refused);
  }

  #write(requests: readonly AppendRequest[]): AppendOutcome[] {
    return guarded(() => transaction(this.#db, () => requests.map((request) => this.#appendOne(request))));
  }

  /** Fails with `unavailable` if the file was deleted or replaced, because writes would be lost. */
  #refuseGone(): void {
    if (this.#path !== ':memory:' && inodeOf(this.#path) !== this.#inode)
      throw new Failure('unavailable', 'The history is missing from the data folder; nothing is written.');
  }

  /**
   * The reason why some appends are refused; null if all are accepted. Fails with `unavailable` if the file is gone.
   */
  degraded(): string | null {
    this.#refuseGone();
    if (this.#full && this.#reserve?.hold() && this.#reserve.isRoomBeside()) this.#full = false;
    return this.#full ? fullDisk : null;
  }

  #appendOne({ stream, expectedRevision, events }: AppendRequest): AppendOutcome {
    const last = this.#last.get(stream);
    const revision = last === undefined ? -1 : Number(last.revision);
    if (events.length === 0) {
      return {
        ok: true,
        appended: { revision, position: last === undefined ? null : positionOf(Number(last.position)) },
      };
    }
    if (revision !== expectedRevision) return this.#repeated(stream, expectedRevision, events, revision);
    let position = 0;
    for (const [i, e] of events.entries()) {
      const written = this.#insert.run(stream, expectedRevision + 1 + i, e.id, e.type, e.data, e.metadata);
      position = Number(written.lastInsertRowid);
    }
    return {
      ok: true,
      appended: { revision: expectedRevision + events.length, position: positionOf(position) },
    };
  }

  /** The same ids at the same revision are a retry of an earlier append; anything else is a conflict. */
  #repeated(
    stream: string,
    expectedRevision: number,
    events: EncodedEvent[],
    revision: number,
  ): AppendOutcome {
    const there = this.#idsAfter.all(stream, expectedRevision, events.length);
    const last = there.at(-1);
    if (
      there.length === events.length &&
      last !== undefined &&
      there.every((row, i) => row.id === events[i]?.id)
    ) {
      return {
        ok: true,
        appended: { revision: Number(last.revision), position: positionOf(Number(last.position)) },
      };
    }
    return {
      ok: false,
      failure: new Failure(
        'conflict',
        `Stream ${stream} is at revision ${revision}, expected ${expectedRevision}.`,
      ),
    };
  }

  readStream(stream: string, fromRevision: number, limit: number): StreamRows {
    const rows = this.#page<StoredRow>(this.#stream, stream, fromRevision, limit);
    return { rows, more: rows.length === limit || lengthOf(rows) > pageLength };
  }

  readAll(after: Position | null, limit: number): StoredRow[] {
    return this.#page<StoredRow>(this.#all, rowOf(after), limit);
  }

  readStored(after: Position | null, limit: number): StoredBytesRow[] {
    return this.#page<StoredBytesRow>(this.#allBytes, rowOf(after), limit);
  }

  readStoredBefore(before: Position | null, limit: number): StoredBytesRow[] {
    const row = before === null ? Number.MAX_SAFE_INTEGER : rowOf(before);
    return this.#page<StoredBytesRow>(this.#bytesBefore, row, limit);
  }

  #page<Row extends { data: { length: number } }>(
    statement: StatementSync,
    ...of: (string | number)[]
  ): Row[] {
    return guarded(() => {
      const rows: Row[] = [];
      let length = 0;
      for (const row of statement.iterate(...of) as Iterable<unknown> as Iterable<Row>) {
        rows.push(row);
        length += row.data.length;
        if (length > pageLength) break;
      }
      return rows;
    });
  }

  head(): Position | null {
    const position = guarded(() => this.#head.get())?.position;
    return typeof position === 'number' ? positionOf(position) : null;
  }

  /**
   * The last event recorded before a time. A binary search finds a point after which all events are later; from there,
   * events are scanned backwards.
   */
  lastBefore(time: string): Position | null {
    return guarded(() => {
      const later = surelyAfter(time);
      let [low, high] = [0, Number(this.#head.get()?.position ?? 0) + 1];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        const row = this.#timeFrom.get(middle, high);
        if (row === undefined || String(row.time) >= later) high = middle;
        else low = Number(row.position);
      }
      const found = this.#lastTimeBefore.get(high, time)?.position;
      return found === undefined ? null : positionOf(Number(found));
    });
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

const lengthOf = (rows: readonly StoredRow[]): number => rows.reduce((sum, { data }) => sum + data.length, 0);

const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? -1;

const failureOf = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal', 'The history could not be written.', { cause: error });
