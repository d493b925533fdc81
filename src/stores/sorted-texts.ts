/** A set of texts of any size, ordered by UTF-8 bytes; beyond a few MB it spills to a temporary file. */
import { DatabaseSync } from 'node:sqlite';

const memoryKiB = 8_192;

export class SortedTexts {
  readonly #db: DatabaseSync;
  readonly #add;

  constructor() {
    // An unnamed SQLite database lives in the system's temporary folder and is deleted with the connection.
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

  /** At most `size` per page. Nothing may be added after this. */
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
