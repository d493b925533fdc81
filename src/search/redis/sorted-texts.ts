/** A set of texts of any size, sorted by UTF-8 bytes. Beyond a few MB it spills to a temporary file. */
import { DatabaseSync } from 'node:sqlite';

const memoryKiB = 8_192;

export class SortedTexts {
  readonly #db: DatabaseSync;
  readonly #add;

  constructor() {
    // An unnamed SQLite database is stored in the system's temporary folder and deleted with the connection.
    this.#db = new DatabaseSync('');
    this.#db.exec(
      `PRAGMA journal_mode=OFF; PRAGMA cache_size=-${memoryKiB};
       CREATE TABLE texts (text TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN`,
    );
    this.#add = this.#db.prepare('INSERT OR IGNORE INTO texts VALUES (?)');
  }

  add(texts: Iterable<string>): void {
    for (const text of texts) this.#add.run(text);
  }

  /** Returns at most `size` texts per page. Nothing may be added after this call. */
  *portions(size: number): Generator<string[]> {
    let portion: string[] = [];
    for (const row of this.#db.prepare('SELECT text FROM texts ORDER BY text').iterate()) {
      if (portion.push(String(row.text)) < size) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  }

  close(): void {
    this.#db.close();
  }
}
