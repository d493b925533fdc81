/**
 * Lists the contents of a build in SQLite entry by entry (src/storage/entries.ts). Names are read in pages, so that no
 * read transaction stays open between them.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  type CounterName,
  chunkValue,
  counterNames,
  documentValue,
  type EntryKind,
  nameOf,
  parseName,
  parseRecord,
  parseRevision,
  partitionValue,
  portionMax,
  recordValue,
  revisionValue,
} from '../storage/entries.ts';

type Row = Record<string, SQLOutputValue>;

/** Rows of `from` in pages; each page continues after the `key` of the last row. */
function* paged(
  db: DatabaseSync,
  from: string,
  key: readonly string[],
  name: (row: Row) => string,
): Generator<string[]> {
  const columns = key.join(', ');
  const page = `ORDER BY ${columns} LIMIT ${portionMax}`;
  const next = db.prepare(
    `SELECT ${columns} FROM ${from} WHERE (${columns}) > (${key.map(() => '?').join()}) ${page}`,
  );
  let rows = db.prepare(`SELECT ${columns} FROM ${from} ${page}`).all();
  while (rows.length > 0) {
    yield rows.map(name);
    const last = rows.at(-1)!;
    rows = next.all(...key.map((column): SQLInputValue => last[column]!));
  }
}

/** Names of the records of a collection in this table. */
export const recordNames = (db: DatabaseSync, table: string, collection: string): Generator<string[]> =>
  paged(db, table, ['key'], (row) => nameOf.record(collection, String(row.key)));

/** Names of the entries in a chunk index whose table names begin with `prefix`. */
export function* chunkIndexNames(db: DatabaseSync, prefix: string): Generator<string[]> {
  yield* paged(db, `${prefix}chunks`, ['id'], ({ id }) => nameOf.chunk(Number(id)));
  yield counterNames.map(nameOf.count);
  yield* paged(db, `${prefix}documents`, ['doc_id'], (row) => nameOf.document(Number(row.doc_id)));
  yield* paged(db, `${prefix}revisions`, ['doc_id', 'revision'], (row) =>
    nameOf.revision(Number(row.doc_id), Number(row.revision)),
  );
  yield* paged(db, `${prefix}partitions`, ['partition'], ({ partition }) =>
    nameOf.partition(Number(partition)),
  );
}

/** The values for the names; null for a name without an entry. `tableOf` gives the table of a collection's records. */
export function valuesOf(
  db: DatabaseSync,
  prefix: string,
  tableOf: (collection: string) => string,
  names: readonly string[],
): (string | null)[] {
  const prepared = new Map<string, StatementSync>();
  const one = (text: string, ...values: SQLInputValue[]): Row | undefined => {
    const sql = text.replaceAll('@', prefix);
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement.get(...values);
  };
  const all = (text: string, ...values: SQLInputValue[]): Row[] =>
    db.prepare(text.replaceAll('@', prefix)).all(...values);
  const number = (text: string, ...values: SQLInputValue[]) => Number(one(text, ...values)?.n ?? 0);

  const read: Record<EntryKind, (rest: string) => string | null> = {
    chunk(rest) {
      const row = one(
        `SELECT c.*, t.lang, t.titled, t.tokens, t.id AS tokens_id
         FROM @chunks c JOIN @revisions r USING (doc_id, revision) LEFT JOIN @tokens t USING (id)
         WHERE c.id = ? AND r.dead = 0`,
        Number(rest),
      );
      if (!row) return null;
      const id = Number(row.id);
      return chunkValue({
        revision: `${row.doc_id}/${row.revision}`,
        ordinal: Number(row.ordinal),
        partition: Number(row.partition),
        lang: String(row.lang ?? ''),
        titled: Number(row.titled),
        tokens: (row.tokens as Uint8Array | null) ?? new Uint8Array(),
        chunk: String(row.chunk),
        text: String(row.text),
        indexed: row.tokens_id !== null,
        vectors: all('SELECT embedder, vector FROM @vectors WHERE id = ?', id).map(
          ({ embedder, vector }) => ({ embedder: String(embedder), vector: vector as Uint8Array }),
        ),
      });
    },
    count(what) {
      switch (what as CounterName) {
        case 'changes':
          return String(number('SELECT max(changed) AS n FROM @documents'));
        case 'chunks':
          return String(number('SELECT seq AS n FROM sqlite_sequence WHERE name = ?', `${prefix}chunks`));
        case 'partitions':
          return String(number('SELECT max(partition) AS n FROM @partitions'));
      }
    },
    document(rest) {
      const row = one('SELECT revision, changed FROM @documents WHERE doc_id = ?', Number(rest));
      return row
        ? documentValue(row.revision === null ? null : Number(row.revision), Number(row.changed))
        : null;
    },
    record(rest) {
      const { collection, key } = parseRecord(rest);
      const row = one(`SELECT id, doc FROM ${tableOf(collection)} WHERE key = ?`, key);
      return row ? recordValue(Number(row.id), String(row.doc)) : null;
    },
    revision(rest) {
      const at = parseRevision(rest);
      const row = one(
        'SELECT partition, facts FROM @revisions WHERE doc_id = ? AND revision = ? AND dead = 0',
        ...at,
      );
      if (!row) return null;
      const locations = all(
        'SELECT ordinal, id FROM @chunks WHERE doc_id = ? AND revision = ? ORDER BY ordinal',
        ...at,
      );
      const embedded = all(
        `SELECT v.embedder, count(*) AS n FROM @vectors v JOIN @chunks c USING (id)
         WHERE c.doc_id = ? AND c.revision = ? GROUP BY v.embedder`,
        ...at,
      );
      return revisionValue(
        Number(row.partition),
        String(row.facts),
        locations.map(({ ordinal, id }) => ({ ordinal: Number(ordinal), id: Number(id) })),
        embedded.map(({ embedder, n }) => [String(embedder), Number(n)] as const),
      );
    },
    partition(rest) {
      const row = one('SELECT corpus_id, layer FROM @partitions WHERE partition = ?', Number(rest));
      return row ? partitionValue(String(row.corpus_id), String(row.layer)) : null;
    },
  };
  return names.map((name) => {
    const { kind, rest } = parseName(name);
    return read[kind](rest);
  });
}
