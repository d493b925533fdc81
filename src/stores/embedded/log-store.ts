/**
 * The history in one SQLite file, as plain synchronous calls; a thread of its own (workers/log-worker.ts) runs them.
 * A position is the row's number with leading zeros, so that positions compare as strings.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Failure } from '../../failures.ts';
import type { Appended, Position } from '../../ports/event-log.ts';
import type { EncodedEvent } from '../encoding.ts';
import { guarded, openSqlite, transaction } from './sqlite.ts';

const format = 2;
/** A page of the whole log ends early when its events together are this long (characters or bytes). */
const pageLength = 400_000;
/** The table and its one index. */
export const logSchema = `
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

/** An event as it crosses threads. */
export interface StoredRow extends EncodedEvent {
  position: number;
  stream: string;
  revision: number;
}

/** The same with the bytes of its texts. */
export interface StoredBytesRow extends Omit<StoredRow, 'data' | 'metadata'> {
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface AppendRequest {
  stream: string;
  expectedRevision: number;
  events: EncodedEvent[];
}

export type AppendOutcome = { ok: true; appended: Appended } | { ok: false; failure: Failure };

export const positionOf = (row: number): Position => String(row).padStart(16, '0');
const rowOf = (position: Position | null): number => (position === null ? 0 : Number(position));

export class LogStore {
  readonly #db: DatabaseSync;
  readonly #insert;
  readonly #last;
  readonly #idsAfter;
  readonly #stream;
  readonly #all;
  readonly #allBytes;
  readonly #head;
  readonly #dataVersion;

  constructor(path: string, options: { readOnly?: boolean } = {}) {
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
    this.#allBytes = db.prepare(
      `SELECT position, stream, revision, id, type, CAST(data AS BLOB) AS data, CAST(metadata AS BLOB) AS metadata
       FROM events WHERE position > ? ORDER BY position LIMIT ?`,
    );
    this.#head = db.prepare('SELECT max(position) AS position FROM events');
    this.#dataVersion = db.prepare('PRAGMA data_version');
  }

  /**
   * Writes several appends in one transaction; each succeeds or fails for itself. When this returns, what
   * succeeded is on disk. A failure of the transaction itself (a full disk) fails them all.
   */
  append(requests: readonly AppendRequest[]): AppendOutcome[] {
    try {
      return guarded(() => transaction(this.#db, () => requests.map((request) => this.#appendOne(request))));
    } catch (error) {
      const failure =
        error instanceof Failure
          ? error
          : new Failure('internal', 'The history could not be written.', { cause: error });
      return requests.map(() => ({ ok: false, failure }));
    }
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

  /** The same ids at the same place are a retry of what was written already; anything else is a conflict. */
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

  readStream(stream: string, fromRevision: number, limit: number): StoredRow[] {
    return guarded(() => this.#stream.all(stream, fromRevision, limit) as unknown[] as StoredRow[]);
  }

  readAll(after: Position | null, limit: number): StoredRow[] {
    return this.#page<StoredRow>(this.#all, after, limit);
  }

  readStored(after: Position | null, limit: number): StoredBytesRow[] {
    return this.#page<StoredBytesRow>(this.#allBytes, after, limit);
  }

  #page<Row extends { data: { length: number } }>(
    statement: StatementSync,
    after: Position | null,
    limit: number,
  ): Row[] {
    return guarded(() => {
      const rows: Row[] = [];
      let length = 0;
      for (const row of statement.iterate(rowOf(after), limit) as Iterable<unknown> as Iterable<Row>) {
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

  /** Changes whenever another connection, of this process or another, has committed. */
  dataVersion(): number {
    return Number(guarded(() => this.#dataVersion.get())?.data_version ?? 0);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
