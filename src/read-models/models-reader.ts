/** Reads the live builds of an SQLite file by synchronous calls (workers/reader-worker.ts). See models-store.ts. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Failure } from '../failures.ts';
import type { Build, Doc, Entry, FieldType, Query, ValuesAt } from '../ports/read-models.ts';
import { entriesOf } from '../storage/entries.ts';
import { guarded, openSqlite, snapshot } from '../storage/sqlite.ts';
import { stems } from '../text/words.ts';
import {
  asColumn,
  buildsOf,
  chunkPrefix,
  chunkProjection,
  type Fields,
  format,
  tableOf,
} from './collections.ts';
import { chunkIndexNames, recordNames, valuesOf } from './contents.ts';

/**
 * SQL condition that a column equals one of the values in a JSON array or, for a list of tags, contains one of them.
 */
const isAnyOf = (field: string, type: FieldType | undefined): string => {
  const among = `"${field}" IN (SELECT value FROM json_each(?))`;
  return type !== 'tag'
    ? among
    : `(${among} OR (instr("${field}", char(31)) = 1 AND EXISTS (SELECT 1 FROM json_each(?) AS one
        WHERE instr("${field}", char(31) || one.value || char(31)) > 0)))`;
};

/** Reads the live builds over a read-only connection. */
export class ModelsReader {
  readonly db: DatabaseSync;
  readonly #live;
  readonly #liveBuild;
  readonly #checkpointOf;
  /** Number of running calls that share a snapshot. */
  #works = 0;

  constructor(path: string) {
    this.db = openSqlite(path, { format, schema: '', synchronous: 'NORMAL', readOnly: true });
    this.#live = this.db.prepare(
      'SELECT c.build, c.fields FROM collections c JOIN builds b USING (build) WHERE c.name = ? AND b.live = 1',
    );
    this.#liveBuild = this.db.prepare('SELECT build FROM builds WHERE name = ? AND live = 1');
    this.#checkpointOf = this.db.prepare('SELECT checkpoint FROM builds WHERE build = ?');
  }

  /** Reads a collection of the live build. The build is selected and read in the same snapshot. */
  #read<T>(collection: string, read: (table: string, fields: Fields) => T): T {
    return guarded(() =>
      snapshot(this.db, () => {
        const { table, fields } = this.#collection(collection);
        return read(table, fields);
      }),
    );
  }

  #collection(name: string): { table: string; fields: Fields } {
    const row = this.#live.get(name);
    if (row === undefined)
      throw new Failure('unavailable', `The read model ${name} is not built yet.`, { retryAfterS: 1 });
    return { table: tableOf(name, Number(row.build)), fields: JSON.parse(String(row.fields)) };
  }

  /** The number of a projection's live build. */
  liveBuild(projection: string): number {
    const row = this.#liveBuild.get(projection);
    if (row === undefined)
      throw new Failure('unavailable', `The read model ${projection} is not built yet.`, { retryAfterS: 1 });
    return Number(row.build);
  }

  get(collection: string, key: string): Doc | null {
    return this.#read(collection, (table) => {
      const row = this.db.prepare(`SELECT doc FROM ${table} WHERE key = ?`).get(key);
      return row === undefined ? null : JSON.parse(String(row.doc));
    });
  }

  getMany(collection: string, keys: readonly string[]): (Doc | null)[] {
    return this.#read(collection, (table) => {
      const found = new Map(
        this.db
          .prepare(`SELECT key, doc FROM ${table} WHERE key IN (SELECT value FROM json_each(?))`)
          .all(JSON.stringify(keys))
          .map((row) => [String(row.key), String(row.doc)]),
      );
      return keys.map((key) => {
        const doc = found.get(key);
        return doc === undefined ? null : JSON.parse(doc);
      });
    });
  }

  find(collection: string, query: Query): { items: Doc[]; total: number } {
    return this.#read(collection, (table, fields) => {
      const conditions: string[] = [];
      const values: SQLInputValue[] = [];
      for (const [field, value] of Object.entries(query.where ?? {})) {
        if (fields[field] === undefined || fields[field] === 'text')
          throw new Failure('internal', `${collection} has no filter ${field}.`);
        if (value === null) conditions.push(`"${field}" IS NULL`);
        else if (Array.isArray(value)) {
          const list = JSON.stringify(value.map(asColumn));
          conditions.push(isAnyOf(field, fields[field]));
          values.push(...(fields[field] === 'tag' ? [list, list] : [list]));
        } else {
          conditions.push(
            fields[field] === 'tag'
              ? `("${field}" = ? OR instr("${field}", char(31) || ? || char(31)) > 0)`
              : `"${field}" = ?`,
          );
          values.push(asColumn(value));
          if (fields[field] === 'tag') values.push(asColumn(value));
        }
      }
      if (query.between !== undefined) {
        const { field, from, before } = query.between;
        if (fields[field] !== 'time') throw new Failure('internal', `${collection} has no time ${field}.`);
        for (const [sign, moment] of [
          ['>=', from],
          ['<', before],
        ] as const) {
          if (moment === undefined) continue;
          conditions.push(`"${field}" ${sign} ?`);
          values.push(new Date(moment).toISOString());
        }
      }
      if (query.search !== undefined) {
        const terms = [...new Set(stems(query.search))];
        if (terms.length === 0) return { items: [], total: 0 };
        conditions.push(`id IN (SELECT rowid FROM ${table}_text WHERE ${table}_text MATCH ?)`);
        values.push(terms.map((t) => `"${t}"`).join(' AND '));
      }
      const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
      const order =
        query.orderBy === undefined
          ? 'ORDER BY key'
          : `ORDER BY "${query.orderBy.field}" ${query.orderBy.descending ? 'DESC' : 'ASC'}, id ${query.orderBy.descending ? 'DESC' : 'ASC'}`;
      const total = Number(this.db.prepare(`SELECT count(*) AS n FROM ${table} ${where}`).get(...values)?.n);
      const rows = this.db
        .prepare(`SELECT doc FROM ${table} ${where} ${order} LIMIT ? OFFSET ?`)
        .all(...values, query.limit ?? 50, query.offset ?? 0);
      return { items: rows.map((row) => JSON.parse(String(row.doc))), total };
    });
  }

  /**
   * Runs `work` over a single snapshot of the file. Otherwise each statement would lock the file, check for new commits
   * and unlock it. Overlapping calls share the snapshot of the first one.
   */
  async inOneState<T>(work: () => Promise<T>): Promise<T> {
    if (this.#works === 0) guarded(() => this.db.exec('BEGIN'));
    this.#works++;
    try {
      return await work();
    } finally {
      if (--this.#works === 0 && this.db.isTransaction) this.db.exec('COMMIT');
    }
  }

  builds(): Build[] {
    return guarded(() => buildsOf(this.db));
  }

  /** See BuildContents. */
  *names({ name, build }: Build): Generator<string[]> {
    const collections = this.db
      .prepare('SELECT name FROM collections WHERE build = ? ORDER BY name')
      .all(build)
      .map((row) => String(row.name));
    for (const collection of collections) yield* recordNames(this.db, tableOf(collection, build), collection);
    if (name === chunkProjection) yield* chunkIndexNames(this.db, chunkPrefix(build));
  }

  /** See BuildContents. */
  values({ build }: Build, names: readonly string[]): ValuesAt | null {
    return guarded(() =>
      snapshot(this.db, () => {
        const row = this.#checkpointOf.get(build);
        if (row === undefined) return null;
        const table = (collection: string) => tableOf(collection, build);
        return {
          checkpoint: row.checkpoint === null ? null : String(row.checkpoint),
          values: valuesOf(this.db, chunkPrefix(build), table, names),
        };
      }),
    );
  }

  /** The number of entries in a build, including those of dead revisions. */
  size({ name, build }: Build): number {
    const collections = this.db.prepare('SELECT name FROM collections WHERE build = ?').all(build);
    const tables = collections.map((row) => tableOf(String(row.name), build));
    if (name === chunkProjection)
      tables.push(...['chunks', 'documents', 'revisions'].map((one) => chunkPrefix(build) + one));
    return tables.reduce(
      (sum, table) => sum + Number(this.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
      0,
    );
  }

  /** All entries of a build, sorted by name. */
  *entries(build: Build): Generator<Entry> {
    for (const names of this.names(build)) yield* entriesOf(names, this.values(build, names)?.values ?? []);
  }

  /** The contents of the live builds as lines of text in a fixed order. Equal histories produce equal dumps. */
  *dump(): Generator<string> {
    const live = this.builds().filter((build) => build.live);
    for (const build of live.sort((a, b) => (a.name < b.name ? -1 : 1)))
      for (const { name, value } of this.entries(build)) yield `${build.name}\t${name}\t${value}`;
  }

  close(): void {
    this.db.close();
  }
}
