/** Opens SQLite files in the data folder and maps their errors to Failures. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { Failure } from '../failures.ts';

export interface SqliteOptions {
  /** Version of the file's table layout. A file in another format is refused. */
  format: number;
  /** DDL for a new file. */
  schema: string;
  /**
   * FULL: a commit is on disk when it returns. NORMAL: a power cut may lose the latest commits but never corrupts the
   * file.
   */
  synchronous: 'FULL' | 'NORMAL';
  readOnly?: boolean;
  /** Page cache of the connection in KiB. Default: 4,096. */
  cacheKiB?: number;
}

/** How long a connection waits for another process's write before giving up, in ms. */
export const busyTimeoutMs = 10_000;
const busyPauseMs = 5;

/**
 * Opens or creates the file. Fails with `newer_format` if the file was written by a later version, with `invalid` if
 * its format belongs to an earlier version that is no longer supported, and with `not_found` if it is missing and
 * opened read-only.
 */
export function openSqlite(path: string, options: SqliteOptions): DatabaseSync {
  if (options.readOnly && !existsSync(path))
    throw new Failure('not_found', `There is no data file at ${path}.`);
  return guarded(() => {
    if (!options.readOnly) makePrivate(path);
    const db = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
    try {
      db.exec(
        `PRAGMA busy_timeout=${busyTimeoutMs}; PRAGMA cache_size=-${options.cacheKiB ?? 4096}; PRAGMA temp_store=MEMORY`,
      );
      const found = formatOf(db);
      if (found > options.format) {
        throw new Failure(
          'newer_format',
          `${path} has format ${found}, but this program supports formats up to ${options.format}: run a newer version of Docent on this folder.`,
        );
      }
      if (found !== 0 && found < options.format) {
        throw new Failure(
          'invalid',
          `${path} has format ${found} from before the first release; this program reads format ${options.format}.`,
        );
      }
      if (!options.readOnly) {
        useWriteAheadLog(db);
        db.exec(`PRAGMA synchronous=${options.synchronous}`);
        if (found === 0) {
          transaction(db, () => {
            if (formatOf(db) === 0) db.exec(`${options.schema}; PRAGMA user_version=${options.format}`);
          });
        }
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Creates a missing file with owner-only access. SQLite gives its journal files the same mode. */
function makePrivate(path: string): void {
  if (path === ':memory:' || existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // Opening the database reports why the file cannot be created.
  }
}

/**
 * Retries while other processes make the same change to a new file. SQLite refuses this change immediately instead of
 * waiting for the lock (https://www.sqlite.org/c3ref/busy_handler.html).
 */
function useWriteAheadLog(db: DatabaseSync): void {
  const giveUpAt = performance.now() + busyTimeoutMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode=WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      Atomics.wait(never, 0, 0, busyPauseMs);
    }
  }
}

function formatOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Runs `work` in a write transaction: all or nothing. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Runs `read` over a single snapshot of the file, regardless of concurrent commits. Inside a transaction, it sees the
 * state of that transaction.
 */
export function snapshot<T>(db: DatabaseSync, read: () => T): T {
  if (db.isTransaction) return read();
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}

// Primary codes from https://www.sqlite.org/rescode.html.
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const primaryCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;

const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY;

/** Runs `work` and converts SQLite errors about disk, locks and files to Failures. Other errors are passed through. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFailure(error);
  }
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'ERR_INVALID_STATE')
    return new Failure('unavailable', 'The data file is closed.', { cause: error });
  switch (primaryCode(error)) {
    case SQLITE_FULL:
      return new Failure(
        'storage_full',
        'The disk is full: nothing was written. Free some space and try again.',
        { cause: error },
      );
    case SQLITE_BUSY:
      return new Failure('unavailable', 'Another process is writing to the data file; try again.', {
        cause: error,
        retryAfterS: 1,
      });
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return new Failure(
        'unavailable',
        `The data file cannot be read or written: ${error.message}. Give the user that runs Docent read and write access to the data folder (DOCENT_DATA).`,
        { cause: error },
      );
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new Failure('internal', `The data file is damaged: ${error.message}.`, { cause: error });
    default:
      return error;
  }
}

/**
 * Copies a file that may be in use to `to`, as a consistent snapshot that only its owner can read. `onProgress`
 * receives the completed fraction, from 0 to 1.
 */
export async function copySqlite(
  path: string,
  to: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    makePrivate(to);
    await backup(db, to, {
      rate: 2000,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
    });
  } catch (error) {
    throw asFailure(error);
  } finally {
    db.close();
  }
}
