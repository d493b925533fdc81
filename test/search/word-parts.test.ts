import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { understand } from '../../src/search/correct-words.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/search/sqlite/chunks.ts';
import { chunk, revision } from './chunks.contract.ts';

const texts = [
  'Налог платят физические и юридические лица.',
  'Физические лица подают декларацию до 31 марта.',
  'Физкультура обязательна. Пилот ведёт самолёт.',
  'Fill in a time sheet every week.',
];

let db: DatabaseSync;
beforeAll(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  for (const [n, text] of texts.entries())
    for (const write of revision(n + 1, 1, [chunk(text, { lang: n === 3 ? 'en' : 'ru' })]))
      writer.write(write);
});
afterAll(() => db.close());

const queryOf = async (query: string) =>
  (await understand(openChunkSearch(db, 'c_'), { corpus_id: 'laws', layers: ['norm'] }, { query }))?.query;

it('splits an abbreviated or compound word whose parts are adjacent in the documents', async () => {
  expect(await queryOf('Какой налог платят физлица?')).toBe('Какой налог платят физическ лица?');
  expect(await queryOf('права юрлиц')).toBe('права юридическ лиц');
  expect(await queryOf('Where is the timesheet?')).toBe('Where is the time sheet?');
});

it('leaves a word unchanged if its parts are never adjacent', async () => {
  expect(await queryOf('Где беспилот?')).toBe('Где беспилот?');
  expect(await queryOf('Физпилот')).toBe('Физпилот');
});
