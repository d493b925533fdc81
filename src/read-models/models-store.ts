/**
 * Writes the read models of an SQLite file by synchronous calls, in the thread of workers/projection-worker.ts. A
 * collection is a table of JSON documents with a column for each declared field; its text fields share an FTS5 index
 * over stems. Each build of a projection has separate tables. models-reader.ts reads them.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Failure } from '../failures.ts';
import type { ComputeVector } from '../ports/chunk-search.ts';
import type { Position } from '../ports/event-log.ts';
import type {
  Build,
  CollectionSchema,
  Doc,
  FieldType,
  PoisonedEvent,
  ProjectionSchema,
  Write,
} from '../ports/read-models.ts';
import { ChunkWriter, createChunkTables, dropChunkTables } from '../search/sqlite/chunks.ts';
import { busyTimeoutMs, guarded, openSqlite, transaction } from '../storage/sqlite.ts';
import { stems } from '../text/words.ts';
import {
  asColumn,
  buildsOf,
  chunkPrefix,
  chunkProjection,
  columnsOf,
  type Fields,
  format,
  tableOf,
  textOf,
} from './collections.ts';
import { changed } from './records.ts';

const schema = `
CREATE TABLE builds (
  build INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, version INTEGER NOT NULL, checkpoint TEXT, live INTEGER NOT NULL
) STRICT;
CREATE TABLE collections (build INTEGER NOT NULL, name TEXT NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (build, name)) STRICT;
CREATE TABLE poisoned (projection TEXT NOT NULL, position TEXT NOT NULL, event_id TEXT NOT NULL, error TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (projection, position)) STRICT`;

function createCollection(db: DatabaseSync, build: number, { name, fields }: CollectionSchema): void {
  const table = tableOf(name, build);
  const columns = columnsOf(fields).map((f) => `, "${f}" ${fields[f] === 'number' ? 'NUMERIC' : 'TEXT'}`);
  db.exec(
    `CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL${columns.join('')})`,
  );
  db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, 0)').run(table);
  const of = (type: FieldType) => columnsOf(fields).filter((field) => fields[field] === type);
  for (const field of of('time').length > 0 ? of('time') : of('number')) {
    // Sorted in the order of listed pages and covering the other columns, so that filters are evaluated in the index
    // and only the records of the requested page are read.
    const others = columnsOf(fields).filter((other) => other !== field);
    const list = [field, 'id', ...others].map((one) => `"${one}"`).join(', ');
    db.exec(`CREATE INDEX ${table}_${field} ON ${table} (${list})`);
  }
  if (textOf(fields).length > 0) {
    db.exec(`CREATE VIRTUAL TABLE ${table}_text USING fts5 (words, content='', contentless_delete=1, detail=none,
      tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`);
  }
  db.prepare('INSERT INTO collections (build, name, fields) VALUES (?, ?, ?)').run(
    build,
    name,
    JSON.stringify(fields),
  );
}

/** The prepared statements of a collection in a build. */
interface Table {
  fields: Fields;
  columns: string[];
  texts: string[];
  read: StatementSync;
  insert: StatementSync;
  update: StatementSync;
  remove: StatementSync;
  index: StatementSync | null;
  unindex: StatementSync | null;
  /** The number of records created so far: the AUTOINCREMENT counter of the table. */
  made: StatementSync;
  setMade: StatementSync;
}

/** The state of a document after the commit. */
interface Pending {
  /** Its previous row; null if there was none. */
  row: number | null;
  before: Doc | null;
  doc: Doc | null;
  /** Its new row id, which is its sequence number among all records ever created in the collection. */
  id: number | null;
}

const textIn = (doc: Doc, texts: readonly string[]) =>
  texts
    .map((f) => doc[f])
    .filter((t) => typeof t === 'string')
    .join('\n');

export class ModelsStore {
  readonly #db: DatabaseSync;
  readonly #projections: ReadonlyMap<string, ProjectionSchema>;
  readonly #tables = new Map<string, Table>();
  readonly #compute: ComputeVector;
  readonly #chunkWriters = new Map<number, ChunkWriter>();
  /** Whether a build was dropped, possibly before this process started. */
  #journalDue = true;
  /** Whether revisions may have died since the last sweep, possibly before this process started. */
  #mayHaveDead = true;
  readonly #checkpointOf;
  readonly #setCheckpoint;
  readonly #poison;

  /**
   * Opens for writing. `compute` computes the vectors of a deterministic embedder; `cacheKiB` is the size of the page
   * cache. Fails with `newer_format` if the live build has a later version than this program supports.
   */
  constructor(
    path: string,
    projections: readonly ProjectionSchema[],
    {
      compute = () => null,
      cacheKiB = 8_192,
    }: { compute?: ComputeVector | undefined; cacheKiB?: number } = {},
  ) {
    this.#compute = compute;
    this.#projections = new Map(projections.map((p) => [p.name, p]));
    this.#db = openSqlite(path, { format, schema, synchronous: 'NORMAL', cacheKiB });
    // Overwrite deleted content: when read models are rebuilt without a person, no trace of that person may remain.
    this.#db.exec('PRAGMA secure_delete=ON');
    this.#checkpointOf = this.#db.prepare('SELECT checkpoint FROM builds WHERE build = ?');
    this.#setCheckpoint = this.#db.prepare('UPDATE builds SET checkpoint = ? WHERE build = ?');
    this.#poison = this.#db.prepare(
      'INSERT OR REPLACE INTO poisoned (projection, position, event_id, error, at) VALUES (?,?,?,?,?)',
    );
    guarded(() =>
      transaction(this.#db, () => {
        for (const projection of projections) {
          const live = this.#builds().find((b) => b.name === projection.name && b.live);
          if (live === undefined) this.#create(projection, true);
          else if (live.version > projection.version) {
            throw new Failure(
              'newer_format',
              `The read models contain version ${live.version} of ${projection.name}, but this program supports version ${projection.version}: run a newer version of Docent, or delete the read models to rebuild them.`,
            );
          }
        }
      }),
    );
  }

  #builds(): Build[] {
    return buildsOf(this.#db);
  }

  builds(): Build[] {
    return guarded(() => this.#builds());
  }

  #create(projection: ProjectionSchema, live: boolean): Build {
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO builds (name, version, checkpoint, live) VALUES (?, ?, NULL, ?)')
      .run(projection.name, projection.version, live ? 1 : 0);
    const build = Number(lastInsertRowid);
    for (const collection of projection.collections) createCollection(this.#db, build, collection);
    if (projection.name === chunkProjection) createChunkTables(this.#db, chunkPrefix(build));
    return { name: projection.name, version: projection.version, build, checkpoint: null, live };
  }

  startBuild(name: string): Build {
    return guarded(() => transaction(this.#db, () => this.#start(name)));
  }

  #start(name: string): Build {
    const projection = this.#projections.get(name);
    if (projection === undefined) throw new Failure('not_found', `There is no projection ${name}.`);
    const underWay = this.#builds().find(
      (b) => b.name === name && !b.live && b.version === projection.version,
    );
    if (underWay) return underWay;
    this.#db.prepare('DELETE FROM poisoned WHERE projection = ?').run(name);
    return this.#create(projection, false);
  }

  goLive({ name, build }: Build): boolean {
    return guarded(() =>
      transaction(this.#db, () => {
        const all = this.#builds().filter((b) => b.name === name);
        if (!all.some((b) => b.build === build)) return false;
        for (const other of all) if (other.build !== build) this.#drop(other.build);
        this.#journalDue = true;
        this.#db.prepare('UPDATE builds SET live = 1 WHERE build = ?').run(build);
        return true;
      }),
    );
  }

  #drop(build: number): void {
    for (const row of this.#db.prepare('SELECT name, fields FROM collections WHERE build = ?').all(build)) {
      const table = tableOf(String(row.name), build);
      this.#db.exec(`DROP TABLE ${table}`);
      if (textOf(JSON.parse(String(row.fields))).length > 0) this.#db.exec(`DROP TABLE ${table}_text`);
      this.#tables.delete(table);
    }
    dropChunkTables(this.#db, chunkPrefix(build));
    this.#chunkWriters.delete(build);
    this.#db.prepare('DELETE FROM collections WHERE build = ?').run(build);
    this.#db.prepare('DELETE FROM builds WHERE build = ?').run(build);
  }

  poisoned(): PoisonedEvent[] {
    return guarded(() =>
      this.#db
        .prepare('SELECT * FROM poisoned ORDER BY position')
        .all()
        .map((row) => ({
          projection: String(row.projection),
          position: String(row.position),
          event_id: String(row.event_id),
          error: String(row.error),
          at: String(row.at),
        })),
    );
  }

  commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned: readonly PoisonedEvent[] = [],
  ): boolean {
    return guarded(() =>
      transaction(this.#db, () => {
        const row = this.#checkpointOf.get(build.build);
        if (row === undefined || row.checkpoint !== build.checkpoint) return false;
        this.#apply(build.build, writes);
        for (const p of poisoned) this.#poison.run(p.projection, p.position, p.event_id, p.error, p.at);
        this.#setCheckpoint.run(checkpoint, build.build);
        return true;
      }),
    );
  }

  /**
   * Combines several writes to a document into a single row write. Rows are numbered in the order of the writes that
   * create them, regardless of how events are grouped into commits.
   */
  #apply(build: number, writes: readonly Write[]): void {
    const made = new Map<Table, number>();
    const pending = new Map<string, Map<string, Pending>>();
    for (const write of writes) {
      if (!('collection' in write)) {
        this.#chunkWriter(build).write(write);
        this.#mayHaveDead = true;
        continue;
      }
      const table = this.#table(write.collection, build);
      let docs = pending.get(write.collection);
      if (docs === undefined) {
        docs = new Map();
        pending.set(write.collection, docs);
      }
      let entry = docs.get(write.key);
      if (entry === undefined) {
        const row = table.read.get(write.key);
        const before: Doc | null = row === undefined ? null : JSON.parse(String(row.doc));
        const id = row === undefined ? null : Number(row.id);
        entry = { row: id, before, doc: before, id };
        docs.set(write.key, entry);
      }
      const doc = changed(entry.doc, write);
      if (doc === null) entry.id = null;
      else if (entry.doc === null) {
        entry.id = (made.get(table) ?? Number(table.made.get()?.n)) + 1;
        made.set(table, entry.id);
      }
      entry.doc = doc;
    }
    for (const [collection, docs] of pending) {
      const table = this.#table(collection, build);
      for (const [key, entry] of docs) store(table, key, entry);
    }
    for (const [table, count] of made) table.setMade.run(count);
  }

  #chunkWriter(build: number): ChunkWriter {
    let writer = this.#chunkWriters.get(build);
    if (writer === undefined) {
      writer = new ChunkWriter(this.#db, chunkPrefix(build), this.#compute);
      this.#chunkWriters.set(build, writer);
    }
    return writer;
  }

  #table(collection: string, build: number): Table {
    const name = tableOf(collection, build);
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = prepareTable(this.#db, collection, build);
      this.#tables.set(name, table);
    }
    return table;
  }

  /** Deletes up to `limit` chunks of revisions that are no longer visible. Returns false if there were none. */
  sweep(limit: number): boolean {
    if (!this.#mayHaveDead) return false;
    return guarded(() =>
      transaction(this.#db, () => {
        const { version: own } = this.#projections.get(chunkProjection) ?? {};
        // A build of another version has a different table layout and is dropped entirely.
        const builds = this.#builds().filter(
          ({ name, version }) => name === chunkProjection && version === own,
        );
        const swept = builds.map(({ build }) => this.#chunkWriter(build).sweep(limit));
        this.#mayHaveDead = swept.some((n) => n > 0);
        return this.#mayHaveDead;
      }),
    );
  }

  /**
   * Empties the journal after a build was dropped, as soon as no reader needs it, because it still contains data from
   * that build.
   */
  emptyJournal(): void {
    if (!this.#journalDue) return;
    guarded(() => {
      // Do not wait for readers; this is tried again later.
      this.#db.exec('PRAGMA busy_timeout=0');
      try {
        this.#journalDue = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
      } finally {
        this.#db.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
      }
    });
  }

  close(): void {
    this.#db.close();
  }
}

function prepareTable(db: DatabaseSync, collection: string, build: number): Table {
  const row = db
    .prepare('SELECT fields FROM collections WHERE build = ? AND name = ?')
    .get(build, collection);
  if (row === undefined)
    throw new Failure('internal', `No projection declares the collection ${collection}.`);
  const fields: Fields = JSON.parse(String(row.fields));
  const table = tableOf(collection, build);
  const columns = columnsOf(fields);
  const texts = textOf(fields);
  return {
    fields,
    columns,
    texts,
    read: db.prepare(`SELECT id, doc FROM ${table} WHERE key = ?`),
    insert: db.prepare(
      `INSERT INTO ${table} (id, key, doc${columns.map((c) => `, "${c}"`).join('')}) VALUES (?, ?, ?${', ?'.repeat(columns.length)})`,
    ),
    update: db.prepare(
      `UPDATE ${table} SET doc = ?${columns.map((c) => `, "${c}" = ?`).join('')} WHERE id = ?`,
    ),
    remove: db.prepare(`DELETE FROM ${table} WHERE id = ?`),
    index: texts.length > 0 ? db.prepare(`INSERT INTO ${table}_text (rowid, words) VALUES (?, ?)`) : null,
    unindex: texts.length > 0 ? db.prepare(`DELETE FROM ${table}_text WHERE rowid = ?`) : null,
    made: db.prepare(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0),
         coalesce((SELECT max(id) FROM ${table}), 0)) AS n`,
    ),
    setMade: db.prepare(`UPDATE sqlite_sequence SET seq = ? WHERE name = '${table}'`),
  };
}

function store(table: Table, key: string, { row, before, doc, id }: Pending): void {
  if (row !== null && row !== id) {
    table.remove.run(row);
    table.unindex?.run(row);
  }
  if (doc === null || id === null) return;
  const values = table.columns.map((column) => asColumn(doc[column]));
  const json = JSON.stringify(doc);
  if (row === id) table.update.run(json, ...values, id);
  else table.insert.run(id, key, json, ...values);
  if (table.index === null) return;
  const text = textIn(doc, table.texts);
  if (before !== null && row === id) {
    if (textIn(before, table.texts) === text) return;
    table.unindex?.run(id);
  }
  if (text !== '') table.index.run(id, stems(text).join(' '));
}
