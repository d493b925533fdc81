/**
 * Subjects' keys in a separate SQLite file, wrapped by a master key and accessed by synchronous calls. When a key is
 * destroyed, only its id is kept. The id distinguishes forgotten data from data sealed with keys that are missing here.
 */
import type { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../failures.ts';
import type { Destroyed, KeyPurpose, StoredKey, SubjectKey } from '../../ports/subject-keys.ts';
import { guarded, openSqlite, transaction } from '../../storage/sqlite.ts';
import { allMissing, besides, checkMaster, makeKey, newCheck, unknownKey, unwrap } from '../key-wrapping.ts';

const format = 1;
const schema = `
CREATE TABLE keys (id TEXT PRIMARY KEY, subject TEXT, day TEXT, wrapped BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX keys_by_subject ON keys (subject, day) WHERE wrapped IS NOT NULL;
CREATE INDEX keys_by_day ON keys (day) WHERE wrapped IS NOT NULL;
CREATE TABLE master (checked BLOB NOT NULL) STRICT`;

const forgetKey = 'UPDATE keys SET subject = NULL, day = NULL, wrapped = NULL';
/** Maximum number of keys returned per page. */
const portionMax = 1_000;

export interface KeyFileOptions {
  /** The 32-byte master key, which wraps the others. */
  master: Uint8Array;
  readOnly?: boolean;
}

export class KeyFile {
  readonly #db: DatabaseSync;
  readonly #master: Uint8Array;
  readonly #current;
  readonly #byId;
  readonly #insert;

  /**
   * Fails with `invalid` if the stored keys are wrapped by another master key, and with `not_found` if there is no file
   * to read.
   */
  constructor(path: string, { master, readOnly = false }: KeyFileOptions) {
    this.#master = master;
    this.#db = openSqlite(path, { format, schema, synchronous: 'FULL', readOnly });
    const db = this.#db;
    try {
      if (!readOnly) db.exec('PRAGMA secure_delete=ON');
      this.#check(readOnly);
      this.#current = db.prepare(
        'SELECT id, wrapped FROM keys WHERE subject = ? AND day = ? AND wrapped IS NOT NULL',
      );
      this.#byId = db.prepare('SELECT wrapped FROM keys WHERE id = ?');
      this.#insert = readOnly
        ? null
        : db.prepare('INSERT INTO keys (id, subject, day, wrapped) VALUES (?,?,?,?)');
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #check(readOnly: boolean): void {
    const kept = () => guarded(() => this.#db.prepare('SELECT checked FROM master').get())?.checked;
    if (kept() === undefined && !readOnly)
      guarded(() =>
        transaction(this.#db, () => {
          if (kept() !== undefined) return;
          this.#db.prepare('INSERT INTO master VALUES (?)').run(newCheck(this.#master));
        }),
      );
    const checked = kept();
    if (checked !== undefined) checkMaster(this.#master, checked as Uint8Array);
  }

  take(purposes: readonly KeyPurpose[]): SubjectKey[] {
    return guarded(() => {
      const found = purposes.map((purpose) => this.#taken(purpose));
      if (found.every((key) => key !== null)) return found;
      // Another process may have created one in the meantime, so look again.
      return transaction(this.#db, () =>
        purposes.map((purpose, n) => found[n] ?? this.#taken(purpose) ?? this.#make(purpose)),
      );
    });
  }

  #taken({ subject, day }: KeyPurpose): SubjectKey | null {
    const row = this.#current.get(subject, day);
    if (row === undefined) return null;
    const id = String(row.id);
    return { id, key: unwrap(this.#master, id, row.wrapped as Uint8Array) };
  }

  #make({ subject, day }: KeyPurpose): SubjectKey {
    const { id, key, wrapped } = makeKey(this.#master);
    this.#insert!.run(id, subject, day, wrapped);
    return { id, key };
  }

  find(ids: readonly string[]): (Uint8Array | null)[] {
    return guarded(() =>
      ids.map((id) => {
        const row = this.#byId.get(id) ?? this.#byId.get(allMissing);
        if (row === undefined) throw unknownKey();
        return row.wrapped === null ? null : unwrap(this.#master, id, row.wrapped as Uint8Array);
      }),
    );
  }

  knows(id: string): boolean {
    return guarded(() => (this.#byId.get(id) ?? this.#byId.get(allMissing)) !== undefined);
  }

  giveUpMissing(): void {
    guarded(() => this.#db.prepare('INSERT OR IGNORE INTO keys (id) VALUES (?)').run(allMissing));
  }

  /** `from` is the last id of the previous page. */
  stored(from: string | null): { keys: StoredKey[]; next: string | null } {
    return guarded(() => {
      const rows = this.#db
        .prepare('SELECT id, subject, day, wrapped FROM keys WHERE id > ? ORDER BY id LIMIT ?')
        .all(from ?? allMissing, portionMax);
      const keys = rows.map(
        ({ id, subject, day, wrapped }): StoredKey => ({
          id: String(id),
          of: wrapped === null ? null : { subject: String(subject), day: String(day) },
          wrapped: wrapped === null ? null : Buffer.from(wrapped as Uint8Array).toString('base64url'),
        }),
      );
      return { keys, next: keys.length < portionMax ? null : keys.at(-1)!.id };
    });
  }

  putBack(keys: readonly StoredKey[]): number {
    return guarded(() =>
      transaction(this.#db, () => {
        let put = 0;
        for (const { id, of, wrapped } of keys) {
          const here = this.#byId.get(id);
          if (of === null || wrapped === null) {
            if (here === undefined) this.#db.prepare('INSERT INTO keys (id) VALUES (?)').run(id);
            else this.#db.prepare(`${forgetKey} WHERE id = ?`).run(id);
            continue;
          }
          const bytes = Buffer.from(wrapped, 'base64url');
          unwrap(this.#master, id, bytes);
          if (here !== undefined) continue;
          const isTaken = this.#current.get(of.subject, of.day) !== undefined;
          this.#insert!.run(id, of.subject, isTaken ? besides(of.day, id) : of.day, bytes);
          put++;
        }
        return put;
      }),
    );
  }

  /** When this returns, destroyed keys are neither in the file nor in its journal. May fail with `unavailable`. */
  destroy(which: Destroyed): number {
    return guarded(() => {
      const [where, value] = 'subject' in which ? ['subject = ?', which.subject] : ['day < ?', which.before];
      const { changes } = this.#db.prepare(`${forgetKey} WHERE ${where} AND wrapped IS NOT NULL`).run(value);
      const busy = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy;
      if (busy !== 0)
        throw new Failure(
          'unavailable',
          'The keys are destroyed, but their journal could not be emptied yet.',
          { retryAfterS: 1 },
        );
      return Number(changes);
    });
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
