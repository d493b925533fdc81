import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChunkWrite } from '../../src/ports/chunk-search.ts';
import { chunkIndexNames, valuesOf } from '../../src/read-models/contents.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables, dropChunkTables } from '../../src/search/sqlite/chunks.ts';
import { countBits } from '../../src/search/sqlite/vectors.ts';
import { entriesOf } from '../../src/storage/entries.ts';
import { newFolder } from '../support/folder.ts';
import { chunk, chunkStoreContract, lengthEmbedder, revision } from './chunks.contract.ts';

function transaction(db: DatabaseSync, act: () => void, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): void {
  db.exec('BEGIN');
  act();
  db.exec(end);
}

function writeAll(writer: ChunkWriter, writes: readonly ChunkWrite[]): void {
  for (const write of writes) writer.write(write);
}

function openIndex(prefix = 'chunks_1_', path = ':memory:', db = new DatabaseSync(path)) {
  createChunkTables(db, prefix);
  const writer = new ChunkWriter(db, prefix, lengthEmbedder);
  const write = (writes: readonly ChunkWrite[], end?: 'COMMIT' | 'ROLLBACK') =>
    transaction(db, () => writeAll(writer, writes), end);
  return { db, writer, write, search: openChunkSearch(db, prefix) };
}

chunkStoreContract('SQLite', async () => {
  const { db, writer, write, search } = openIndex();
  return {
    search,
    write: async (writes) => write(writes),
    sweep: async (limit) => {
      let swept = 0;
      transaction(db, () => {
        swept = writer.sweep(limit);
      });
      return swept;
    },
    close: async () => db.close(),
  };
});

it('knows the stems of text that is written again after a rollback', async () => {
  const { write, search } = openIndex();
  write(revision(1, 1, [chunk('президент')]), 'ROLLBACK');
  write(revision(1, 1, [chunk('президент')]));
  expect(await search.stemsBeginning('п', 9, 9)).toEqual(['президент']);
});

it('finds the same chunks before and after a segment is full, and none that were swept', async () => {
  const { db, writer, write, search } = openIndex();
  const scope = { corpus_id: 'laws', layers: ['norm'] };
  const asked = { stems: ['закон', 'редк'], prefixes: ['закон'] };
  const found = () => search.candidates(scope, asked, 10);
  const many = (doc: number, count: number) =>
    revision(
      doc,
      1,
      Array.from({ length: count }, (_, n) => chunk(n === 7 ? 'Редкий закон.' : 'Закон закон и порядок.')),
    );
  write(many(1, 100));
  write(many(2, 3_900));
  const before = await found();
  const counts = await search.counts(scope, asked);
  expect(counts).toMatchObject([{ chunks: 4_000, stems: [4_000, 2], prefixes: [4_000] }]);
  write(many(3, 200));
  expect(Number(db.prepare('SELECT count(*) AS n FROM chunks_1_segments').get()?.n)).toBe(1);
  expect((await found()).slice(0, 2)).toEqual(before.slice(0, 2));
  expect(await search.counts(scope, asked)).toMatchObject([{ chunks: 4_200, stems: [4_200, 3] }]);
  write([{ op: 'chunks.withdraw', doc_id: 2 }]);
  for (let swept = 1; swept > 0; ) transaction(db, () => (swept = writer.sweep(500)));
  expect(await search.counts(scope, asked)).toMatchObject([{ chunks: 300, stems: [300, 2] }]);
  expect((await search.indexed(await found())).map(({ doc_id }) => doc_id).slice(0, 2)).toEqual([1, 3]);
});

const entries = (db: DatabaseSync, prefix: string) =>
  [...chunkIndexNames(db, prefix)].flatMap((names) =>
    entriesOf(
      names,
      valuesOf(db, prefix, () => '', names),
    ),
  );

/** The number of chunks, documents and revisions. */
const names = (db: DatabaseSync, prefix: string) =>
  entries(db, prefix)
    .map(({ name }) => name.replace(/\b0+(?=\d)/g, ''))
    .filter((name) => /^(?:chunk|document|revision) /.test(name));

it('separates two prefixes in one file, and drops one completely', () => {
  const { db, write } = openIndex('a_1_');
  createChunkTables(db, 'a_12_');
  const other = new ChunkWriter(db, 'a_12_');
  write(revision(1, 1, [chunk('Закон.')]));
  transaction(db, () => writeAll(other, revision(2, 1, [chunk('Указ.')])));
  dropChunkTables(db, 'a_1_');
  const left = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'a\\_1\\_%' ESCAPE '\\'").all();
  expect(left).toEqual([]);
  expect(names(db, 'a_12_')).toEqual(['chunk 1', 'document 2', 'revision 2 1']);
});

it('has the same contents regardless of sweeps', () => {
  const one = openIndex();
  const two = openIndex();
  const vectors = [Float32Array.of(1, 0)];
  const writes: ChunkWrite[] = [
    ...revision(1, 1, [chunk('Старое слово.')]),
    ...revision(1, 2, [chunk('Новое слово.')]),
    { op: 'chunks.vectors', doc_id: 1, revision: 2, embedder: 'e', first: 0, vectors },
    ...revision(2, 1, [chunk('Черновик.')]).slice(0, 2),
  ];
  one.write(writes);
  for (const write of writes) {
    two.write([write]);
    transaction(two.db, () => two.writer.sweep(5));
  }
  expect(entries(one.db, 'chunks_1_')).toEqual(entries(two.db, 'chunks_1_'));
  expect(names(one.db, 'chunks_1_')).toEqual([
    ...['chunk 2', 'chunk 3', 'document 1', 'revision 1 2', 'revision 2 1'],
  ]);
});

/** A database that records the statements prepared on it. */
class Recorded extends DatabaseSync {
  readonly prepared = new Set<string>();

  override prepare(sql: string) {
    this.prepared.add(sql);
    return super.prepare(sql);
  }

  /** Statements that scan one of these tables or aliases completely. */
  scansOf(tables: RegExp): string[] {
    return [...this.prepared].filter((sql) =>
      super
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .some(({ detail }) => tables.test(/^SCAN (\w+)/.exec(String(detail))?.[1] ?? '')),
    );
  }
}

it("finds a chunk's words and vectors without a full scan", () => {
  const db = new Recorded(':memory:');
  const { writer, write } = openIndex('i_', ':memory:', db);
  write(revision(1, 1, [chunk('Старое слово.')]));
  write(revision(1, 2, [chunk('Новое слово.')]));
  writer.sweep(5);
  expect(names(db, 'i_')).toContain('chunk 2');
  expect(db.scansOf(/^(?:i_tokens|i_vectors|t|v)$/)).toEqual([]);
});

it('sees writes made through another connection to the same file', async () => {
  const folder = newFolder('chunks');
  const path = join(folder, 'models.sqlite');
  const { db, write } = openIndex('chunks_1_', path);
  const other = new DatabaseSync(path, { readOnly: true });
  const search = openChunkSearch(other, 'chunks_1_');
  const count = () =>
    search.counts({ corpus_id: 'laws', layers: ['norm'] }, { stems: ['закон'], prefixes: [] });
  expect(await count()).toEqual([]);
  write(revision(1, 1, [chunk('Закон.')]));
  expect(await count()).toMatchObject([{ chunks: 1, stems: [1] }]);
  other.close();
  db.close();
});

it('counts the bits of an integer', () => {
  fc.assert(
    fc.property(fc.integer(), (n) => {
      expect(countBits(n)).toBe([...(n >>> 0).toString(2)].filter((bit) => bit === '1').length);
    }),
  );
});
