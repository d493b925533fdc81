/**
 * The search index over chunks in SQLite. Rows are written in the same transaction as the read models, and
 * chunk-search.ts reads them.
 *
 * Chunks are written and analysed as they arrive. Publishing a revision then changes a single row of `documents`. Reads
 * skip the rows of other revisions, which are deleted gradually. postings.ts finds chunks by their words.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { embeddedTitle, searchTitle } from '../../domain/chunk-text.ts';
import type { Chunk, RevisionFacts } from '../../domain/events.ts';
import type { ChunkWrite, ComputeVector } from '../../ports/chunk-search.ts';
import { fingerprint } from '../../text/fingerprint.ts';
import { words } from '../../text/words.ts';
import { type Run, withOrdinal } from '../ordinal-ranges.ts';
import { createPostingTables, PostingWriter, postingTables } from './postings.ts';

/**
 * Creates the tables if they do not exist. `prefix` is prepended to each table name, so that two versions of the
 * projection can coexist. It may contain only letters, digits and "_".
 */
export function createChunkTables(db: DatabaseSync, prefix: string): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${prefix}partitions (
      partition INTEGER PRIMARY KEY, corpus_id TEXT NOT NULL, layer TEXT NOT NULL, UNIQUE (corpus_id, layer)
    );
    CREATE TABLE IF NOT EXISTS ${prefix}revisions (
      doc_id INTEGER NOT NULL, revision INTEGER NOT NULL, partition INTEGER NOT NULL, dead INTEGER NOT NULL DEFAULT 0,
      facts TEXT NOT NULL, embedded TEXT NOT NULL DEFAULT '{}', PRIMARY KEY (doc_id, revision)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${prefix}dead ON ${prefix}revisions (doc_id, revision) WHERE dead = 1;
    CREATE TABLE IF NOT EXISTS ${prefix}documents (
      doc_id INTEGER PRIMARY KEY, revision INTEGER, partition INTEGER NOT NULL, changed INTEGER NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS ${prefix}chunks (
      id INTEGER PRIMARY KEY AUTOINCREMENT, doc_id INTEGER NOT NULL, revision INTEGER NOT NULL,
      ordinal INTEGER NOT NULL, partition INTEGER NOT NULL, number TEXT, unit TEXT, chunk TEXT NOT NULL, text TEXT NOT NULL,
      UNIQUE (doc_id, revision, ordinal)
    );
    CREATE INDEX IF NOT EXISTS ${prefix}numbers ON ${prefix}chunks (partition, number) WHERE number IS NOT NULL;
    CREATE TABLE IF NOT EXISTS ${prefix}vectors (
      seq INTEGER PRIMARY KEY, embedder TEXT NOT NULL, partition INTEGER NOT NULL, id INTEGER NOT NULL,
      vector BLOB NOT NULL, UNIQUE (id, embedder)
    );
    CREATE INDEX IF NOT EXISTS ${prefix}vectors_partition ON ${prefix}vectors (embedder, partition, seq);
  `);
  createPostingTables(db, prefix);
}

const tables = ['partitions', 'revisions', 'documents', 'chunks', 'vectors', ...postingTables];

/** Drops the tables that `createChunkTables` created with this prefix. */
export function dropChunkTables(db: DatabaseSync, prefix: string): void {
  for (const name of tables) db.exec(`DROP TABLE IF EXISTS ${prefix}${name}`);
}

/** A chunk and the words of its text. */
interface ReadChunk {
  chunk: Chunk;
  words: readonly string[];
}

/**
 * Maximum number of chunks in the current revision whose words are kept in memory, because their vectors are usually
 * requested next.
 */
const maxReadChunks = 500;

/** The writer's statements, each prepared once. */
function prepareWrites(db: DatabaseSync, prefix: string) {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  return {
    findPartition: sql('SELECT partition FROM @partitions WHERE corpus_id = ? AND layer = ?'),
    addPartition: sql('INSERT INTO @partitions (corpus_id, layer) VALUES (?, ?)'),
    addRevision: sql(
      'INSERT OR REPLACE INTO @revisions (doc_id, revision, partition, facts) VALUES (?, ?, ?, ?)',
    ),
    setEmbedded: sql('UPDATE @revisions SET embedded = ? WHERE doc_id = ? AND revision = ?'),
    findRevision: sql(
      'SELECT partition, facts, embedded FROM @revisions WHERE doc_id = ? AND revision = ? AND dead = 0',
    ),
    addChunk: sql(
      `INSERT INTO @chunks (doc_id, revision, ordinal, partition, number, unit, chunk, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    lastChunk: sql('SELECT seq FROM sqlite_sequence WHERE name = ?'),
    show: sql(
      `INSERT INTO @documents VALUES (?1, ?2, ?3, (SELECT coalesce(max(changed), 0) + 1 FROM @documents))
     ON CONFLICT DO UPDATE SET revision = excluded.revision, partition = excluded.partition, changed = excluded.changed`,
    ),
    hide: sql(
      `UPDATE @documents SET revision = NULL, changed = (SELECT max(changed) + 1 FROM @documents)
     WHERE doc_id = ? AND revision NOT NULL`,
    ),
    killBefore: sql('UPDATE @revisions SET dead = 1 WHERE doc_id = ? AND revision < ? AND dead = 0'),
    killOne: sql('UPDATE @revisions SET dead = 1 WHERE doc_id = ? AND revision = ?'),
    hideOne: sql(
      `UPDATE @documents SET revision = NULL, changed = (SELECT max(changed) + 1 FROM @documents)
     WHERE doc_id = ? AND revision = ?`,
    ),
    firstDead: sql('SELECT doc_id, revision FROM @revisions WHERE dead = 1 LIMIT 1'),
    deadChunks: sql('SELECT id FROM @chunks WHERE doc_id = ? AND revision = ? LIMIT ?'),
    dropChunk: sql('DELETE FROM @chunks WHERE id = ?'),
    dropVectors: sql('DELETE FROM @vectors WHERE id = ?'),
    dropRevision: sql('DELETE FROM @revisions WHERE doc_id = ? AND revision = ?'),
    placed: sql(
      `SELECT id, partition, ordinal FROM @chunks WHERE doc_id = ? AND revision = ? AND ordinal >= ?
     ORDER BY ordinal LIMIT ?`,
    ),
    textOf: sql('SELECT chunk, text FROM @chunks WHERE id = ?'),
    addVector: sql('INSERT OR REPLACE INTO @vectors (embedder, partition, id, vector) VALUES (?, ?, ?, ?)'),
  };
}

/** Writes to the tables created by `createChunkTables`, inside the caller's transactions. */
export class ChunkWriter {
  readonly #compute: ComputeVector;
  readonly #statements: ReturnType<typeof prepareWrites>;
  readonly #postings: PostingWriter;
  readonly #sequence: string;
  /** The revision that most recently received chunks, and those chunks with their words, keyed by ordinal. */
  readonly #newest = { of: '', chunks: new Map<number, ReadChunk>() };

  /** `compute` is used for `chunks.embed`; without it, those chunks get no vectors. */
  constructor(db: DatabaseSync, prefix: string, compute: ComputeVector = () => null) {
    this.#compute = compute;
    this.#statements = prepareWrites(db, prefix);
    this.#postings = new PostingWriter(db, prefix);
    this.#sequence = `${prefix}chunks`;
  }

  /** Applies a write. Chunks and vectors are ignored if their revision is dead or was never announced. */
  write(write: ChunkWrite): void {
    const statements = this.#statements;
    switch (write.op) {
      case 'chunks.revision': {
        const { facts } = write;
        const partition = this.#partition(facts.corpus_id, facts.layer.name);
        statements.addRevision.run(facts.doc_id, facts.revision, partition, JSON.stringify(facts));
        break;
      }
      case 'chunks.add':
        this.#add(write);
        break;
      case 'chunks.publish': {
        const revision = statements.findRevision.get(write.doc_id, write.revision);
        if (!revision) break;
        statements.show.run(write.doc_id, write.revision, Number(revision.partition));
        statements.killBefore.run(write.doc_id, write.revision);
        break;
      }
      case 'chunks.drop':
        statements.hideOne.run(write.doc_id, write.revision);
        statements.killOne.run(write.doc_id, write.revision);
        break;
      case 'chunks.withdraw':
        statements.hide.run(write.doc_id);
        statements.killBefore.run(write.doc_id, Number.MAX_SAFE_INTEGER);
        break;
      case 'chunks.vectors': {
        const rows = statements.placed.all(write.doc_id, write.revision, write.first, write.vectors.length);
        for (const [n, row] of rows.entries()) this.#setVector(write.embedder, row, write.vectors[n]!);
        this.#markEmbedded(write, rows);
        break;
      }
      case 'chunks.embed': {
        const revision = statements.findRevision.get(write.doc_id, write.revision);
        if (!revision) break;
        const { title } = factsOf(revision.facts);
        const rows = statements.placed.all(write.doc_id, write.revision, write.first, write.count);
        const embedded = rows.filter((row) => {
          const { chunk, words: list } = this.#read(write.doc_id, write.revision, row);
          const vector = this.#compute(write.embedder, [...words(embeddedTitle(title, chunk)), ...list]);
          if (vector !== null) this.#setVector(write.embedder, row, vector);
          return vector !== null;
        });
        this.#markEmbedded(write, embedded);
      }
    }
  }

  #read(docId: number, revision: number, { id, ordinal }: Record<string, SQLOutputValue>): ReadChunk {
    const { of, chunks } = this.#newest;
    const read = of === `${docId}/${revision}` ? chunks.get(Number(ordinal)) : undefined;
    if (read !== undefined) return read;
    const stored = this.#statements.textOf.get(id!)!;
    return { chunk: JSON.parse(String(stored.chunk)), words: words(String(stored.text)) };
  }

  #setVector(
    embedder: string,
    { id, partition }: Record<string, SQLOutputValue>,
    vector: Float32Array,
  ): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    this.#statements.addVector.run(embedder, partition!, id!, bytes);
  }

  /** Records which chunks of a revision have a vector, so that a lost vector can be detected. */
  #markEmbedded(
    { doc_id, revision, embedder }: { doc_id: number; revision: number; embedder: string },
    rows: readonly Record<string, SQLOutputValue>[],
  ): void {
    const found = this.#statements.findRevision.get(doc_id, revision);
    if (found === undefined || rows.length === 0) return;
    const all = embeddedOf(found.embedded);
    let runs = all[embedder] ?? [];
    for (const { ordinal } of rows) runs = withOrdinal(runs, Number(ordinal));
    this.#statements.setEmbedded.run(JSON.stringify({ ...all, [embedder]: runs }), doc_id, revision);
  }

  /** Deletes up to `limit` chunks of dead revisions and returns the number deleted. */
  sweep(limit: number): number {
    const statements = this.#statements;
    let swept = 0;
    for (;;) {
      const dead = statements.firstDead.get();
      if (!dead) return swept;
      const { doc_id, revision } = dead as Record<string, SQLOutputValue>;
      const rows = statements.deadChunks.all(doc_id!, revision!, limit - swept);
      for (const { id } of rows) {
        statements.dropVectors.run(id!);
        statements.dropChunk.run(id!);
      }
      this.#postings.remove(rows.map(({ id }) => Number(id)));
      swept += rows.length;
      if (swept >= limit) return swept;
      statements.dropRevision.run(doc_id!, revision!);
    }
  }

  #add(write: ChunkWrite & { op: 'chunks.add' }): void {
    const statements = this.#statements;
    const revision = statements.findRevision.get(write.doc_id, write.revision);
    if (!revision) return;
    const partition = Number(revision.partition);
    const facts = factsOf(revision.facts);
    const newest = this.#newest;
    const of = `${write.doc_id}/${write.revision}`;
    if (newest.of !== of) newest.chunks.clear();
    newest.of = of;
    const before = this.#lastChunk();
    const stems = new Set<string>();
    for (const [n, { text, ...chunk }] of write.chunks.entries()) {
      const ordinal = write.first + n;
      const key = [write.doc_id, write.revision, ordinal];
      const json = JSON.stringify(chunk);
      const added = statements.addChunk.run(...key, partition, chunk.number, chunk.unit, json, text);
      const title = words(searchTitle(facts, chunk));
      const body = words(text);
      this.#postings.add(Number(added.lastInsertRowid), {
        doc_id: write.doc_id,
        revision: write.revision,
        ordinal,
        partition,
        lang: chunk.lang,
        ...fingerprint(title, body, chunk.lang, stems),
      });
      if (newest.chunks.size < maxReadChunks) newest.chunks.set(ordinal, { chunk, words: body });
    }
    this.#postings.addStems(stems);
    this.#postings.filled(before, this.#lastChunk());
  }

  #lastChunk(): number {
    return Number(this.#statements.lastChunk.get(this.#sequence)?.seq ?? 0);
  }

  #partition(corpus: string, layer: string): number {
    const found = this.#statements.findPartition.get(corpus, layer);
    if (found) return Number(found.partition);
    return Number(this.#statements.addPartition.run(corpus, layer).lastInsertRowid);
  }
}

/** Parses the stored facts of a revision. */
export function factsOf(json: unknown): RevisionFacts {
  return JSON.parse(String(json));
}

/** Parses the record of which chunks of a revision have a vector, keyed by embedder. */
function embeddedOf(json: unknown): Record<string, Run[]> {
  return JSON.parse(String(json));
}
