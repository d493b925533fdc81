/** What must hold within a build in SQLite, in portions: each is read in one view, so that no commit falls into it. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Balance, Doc } from '../../ports/read-models.ts';
import { holdsOrdinal } from '../runs.ts';
import { embeddedOf } from './chunks.ts';
import { snapshot } from './sqlite.ts';

type Row = Record<string, SQLOutputValue>;

const portionMax = 200;
/** A collection that must balance and has more records is passed over: they are read at once. */
const balancedMax = 20_000;

/** Looks at the rows of an ordered query in portions: its last condition says after which value of the first column. */
function* walked(
  db: DatabaseSync,
  sql: string,
  look: (row: Row) => string | null,
  ...values: SQLInputValue[]
): Generator<string[]> {
  const page = db.prepare(`${sql} LIMIT ${portionMax}`);
  for (let after: SQLOutputValue = -1; ; ) {
    const rows: Row[] = page.all(...values, after);
    yield rows.map(look).filter((fault) => fault !== null);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Object.values(last)[0]!;
  }
}

/** A collection as its build knows it. */
export interface CheckedCollection {
  name: string;
  table: string;
  /** It has a full-text index. */
  searched: boolean;
  /** Columns beside the record, and what they hold of it. */
  columns: readonly string[];
  column(doc: Doc, field: string): SQLInputValue;
  /** The text that is searched for. */
  text(doc: Doc): string;
}

/** A column's type may make a number of a text that looks like one, and the other way round. */
const alike = (stored: SQLOutputValue, value: SQLInputValue): boolean =>
  stored === value || (stored !== null && value !== null && String(stored) === String(value));

/** Records stand in their columns and in the full-text index as they are, and nothing else does. */
export function* recordFaults(db: DatabaseSync, collection: CheckedCollection): Generator<string[]> {
  const { name, table, searched, columns } = collection;
  const indexed = searched ? db.prepare(`SELECT 1 FROM ${table}_text WHERE rowid = ?`) : null;
  yield* walked(db, `SELECT * FROM ${table} WHERE id > ? ORDER BY id`, (row) => {
    let doc: Doc;
    try {
      doc = JSON.parse(String(row.doc));
    } catch {
      return `record ${row.id} of ${name} cannot be read`;
    }
    const wrong = columns.find((column) => !alike(row[column]!, collection.column(doc, column)));
    if (wrong !== undefined) return `record ${row.id} of ${name} is filed under another ${wrong}`;
    if (indexed !== null && (indexed.get(row.id!) !== undefined) !== (collection.text(doc) !== ''))
      return `record ${row.id} of ${name} is not in the full-text index as it should be`;
    return null;
  });
  if (!searched) return;
  const there = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`);
  yield* walked(db, `SELECT rowid AS id FROM ${table}_text WHERE rowid > ? ORDER BY rowid`, ({ id }) =>
    there.get(id!) === undefined ? `record ${id} of ${name} is in the full-text index alone` : null,
  );
}

export function* balanceFaults(db: DatabaseSync, table: string, { fault }: Balance): Generator<string[]> {
  const rows = db.prepare(`SELECT key, doc FROM ${table} LIMIT ?`).all(balancedMax + 1);
  if (rows.length > balancedMax) return;
  const found = fault(new Map(rows.map((row) => [String(row.key), JSON.parse(String(row.doc))])));
  yield found === null ? [] : [found];
}

/** Whether a visible chunk has no vector of an embedder, though it was given one. */
function lacksVector({ ordinal, embedded, vectors }: Row): boolean {
  const there = new Set<string>(JSON.parse(String(vectors)));
  return Object.entries(embeddedOf(embedded)).some(
    ([embedder, runs]) => !there.has(embedder) && holdsOrdinal(runs, Number(ordinal)),
  );
}

/** Each visible chunk has its words and vectors, and the segments of the index hold as many chunks as they say. */
export function* chunkFaults(db: DatabaseSync, prefix: string): Generator<string[]> {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  const revision = sql('SELECT partition FROM @revisions WHERE doc_id = ? AND revision = ? AND dead = 0');
  const chunks = sql(
    'SELECT count(*) AS n, max(ordinal) AS last FROM @chunks WHERE doc_id = ? AND revision = ?',
  );
  yield* walked(
    db,
    `SELECT doc_id, revision, partition FROM ${prefix}documents WHERE revision NOT NULL AND doc_id > ? ORDER BY doc_id`,
    (row) => {
      const at = [row.doc_id!, row.revision!] as const;
      if (revision.get(...at)?.partition !== row.partition)
        return `revision ${row.revision} of document ${row.doc_id} is visible and not there`;
      const { n, last } = chunks.get(...at)!;
      return n === 0 || Number(last) + 1 === n
        ? null
        : `revision ${row.revision} of document ${row.doc_id} has ${n} chunks, the last is number ${last}`;
    },
  );

  yield* walked(
    db,
    `SELECT c.id, c.ordinal, t.id AS tokens, r.embedded,
       (SELECT count(*) FROM ${prefix}vectors v WHERE v.id = c.id AND v.partition <> c.partition) AS strays,
       (SELECT json_group_array(v.embedder) FROM ${prefix}vectors v WHERE v.id = c.id) AS vectors
     FROM ${prefix}chunks c JOIN ${prefix}documents d ON d.doc_id = c.doc_id AND d.revision = c.revision
     JOIN ${prefix}revisions r ON r.doc_id = c.doc_id AND r.revision = c.revision
     LEFT JOIN ${prefix}tokens t ON t.id = c.id
     WHERE c.id > ? ORDER BY c.id`,
    (row) => {
      const { id, tokens, strays } = row;
      if (tokens === null) return `chunk ${id} has no words`;
      if (strays !== 0) return `a vector of chunk ${id} is in another index`;
      return lacksVector(row) ? `chunk ${id} lacks a vector` : null;
    },
  );
  const listed = sql('SELECT max(length(entries)) / 2 AS most FROM @postings WHERE segment = ?');
  yield* walked(
    db,
    `SELECT segment, chunks FROM ${prefix}segments WHERE segment > ? ORDER BY segment`,
    (row) => {
      const { most } = listed.get(row.segment!)!;
      return most === null || Number(most) > Number(row.chunks)
        ? `segment ${row.segment} does not hold its chunks`
        : null;
    },
  );
  const chunk = sql('SELECT 1 FROM @chunks WHERE id = ?');
  yield* walked(db, `SELECT seq, id FROM ${prefix}vectors WHERE seq > ? ORDER BY seq`, ({ id }) =>
    chunk.get(id!) === undefined ? `there is a vector of chunk ${id}, which is not there` : null,
  );
}

/** Each portion in a view of its own. */
export function* inViews<T>(db: DatabaseSync, portions: Generator<T>): Generator<T> {
  for (;;) {
    const { done, value } = snapshot(db, () => portions.next());
    if (done) return;
    yield value;
  }
}
