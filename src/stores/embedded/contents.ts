/** The entries of a build in SQLite, by name (src/stores/entries.ts). */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Entry } from '../../ports/read-models.ts';
import {
  chunkEntry,
  countEntries,
  documentEntry,
  recordEntry,
  revisionEntry,
  spaceEntry,
  wordEntry,
} from '../entries.ts';

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The records of a collection that stand in this table. */
export function* recordEntries(db: DatabaseSync, table: string, collection: string): Generator<Entry> {
  const keys = db.prepare(`SELECT key FROM ${table}`).all();
  const read = db.prepare(`SELECT id, doc FROM ${table} WHERE key = ?`);
  // SQLite sorts by bytes, everything else here by UTF-16 units.
  for (const key of keys.map((row) => String(row.key)).sort(byUnits)) {
    const row = read.get(key);
    if (row) yield recordEntry(collection, key, Number(row.id), String(row.doc));
  }
}

/** The search index over the chunks whose tables' names begin with `prefix`. */
export function* chunkIndexEntries(db: DatabaseSync, prefix: string): Generator<Entry> {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  const vectors = sql('SELECT embedder, vector FROM @vectors WHERE id = ?');
  const chunks = sql(
    `SELECT c.id, c.doc_id, c.revision, c.ordinal, c.space, c.number, c.unit, c.chunk, c.text, t.lang, t.titled, t.tokens
     FROM @chunks c JOIN @revisions r USING (doc_id, revision) LEFT JOIN @tokens t USING (doc_id, revision, ordinal)
     WHERE r.dead = 0 ORDER BY c.id`,
  );
  for (const row of chunks.iterate()) {
    yield chunkEntry(Number(row.id), {
      revision: `${row.doc_id}/${row.revision}`,
      ordinal: Number(row.ordinal),
      space: Number(row.space),
      lang: String(row.lang),
      titled: Number(row.titled),
      tokens: (row.tokens as Uint8Array | null) ?? new Uint8Array(),
      chunk: String(row.chunk),
      text: String(row.text),
      numbered: row.number !== null,
      listed: row.number !== null && row.unit !== null,
      vectors: vectors
        .all(row.id!)
        .map(({ embedder, vector }) => ({ embedder: String(embedder), vector: vector as Uint8Array })),
    });
  }
  const number = (statement: StatementSync, ...values: string[]) => Number(statement.get(...values)?.n ?? 0);
  yield* countEntries({
    changes: number(sql('SELECT max(changed) AS n FROM @documents')),
    chunks: number(sql('SELECT seq AS n FROM sqlite_sequence WHERE name = ?'), `${prefix}chunks`),
    spaces: number(sql('SELECT max(space) AS n FROM @spaces')),
    words: number(sql('SELECT max(id) AS n FROM @words')),
  });
  for (const row of sql('SELECT doc_id, revision, changed FROM @documents ORDER BY doc_id').iterate())
    yield documentEntry(
      Number(row.doc_id),
      row.revision === null ? null : Number(row.revision),
      Number(row.changed),
    );
  const embedded = sql(
    `SELECT v.embedder, count(*) AS n FROM @vectors v JOIN @chunks c USING (id)
     WHERE c.doc_id = ? AND c.revision = ? GROUP BY v.embedder`,
  );
  const revisions = sql(
    'SELECT doc_id, revision, space, facts FROM @revisions WHERE dead = 0 ORDER BY doc_id, revision',
  );
  for (const row of revisions.iterate()) {
    const counts = embedded
      .all(row.doc_id!, row.revision!)
      .map(({ embedder, n }) => [String(embedder), Number(n)]);
    yield revisionEntry(
      [Number(row.doc_id), Number(row.revision)],
      Number(row.space),
      String(row.facts),
      Object.fromEntries(counts),
    );
  }
  for (const row of sql('SELECT space, corpus_id, layer FROM @spaces ORDER BY space').iterate())
    yield spaceEntry(Number(row.space), String(row.corpus_id), String(row.layer));
  for (const row of sql('SELECT id, word, stem, second FROM @words ORDER BY id').iterate())
    yield wordEntry(
      Number(row.id),
      String(row.word),
      String(row.stem),
      row.second === null ? null : String(row.second),
    );
}
