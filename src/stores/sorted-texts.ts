/** Any number of texts in the order of their UTF-8 bytes, each once: what does not fit into some MB lies in a temporary file. */
import { DatabaseSync } from 'node:sqlite';

const memoryKiB = 8_192;

export class SortedTexts {
  readonly #db: DatabaseSync;
  readonly #add;

  constructor() {
    // A nameless file is SQLite's own, in the system's folder for such, and goes with the connection.
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

  /** At most `size` at once. Nothing may be added any more. */
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
