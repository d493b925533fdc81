/** Numbers that identify an item, and rows that answer a question because of their columns. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runRetrieval } from '../../src/answering/retrieval/retrieve.ts';
import { Retriever } from '../../src/answering/retrieval/retriever.ts';
import type { Language, Layer } from '../../src/domain/events.ts';
import type { RetrievalResult } from '../../src/reading/passages.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/search/sqlite/chunks.ts';
import { putDocument } from './documents.ts';

const layer: Layer = { name: 'text', title: null, kind: 'text', visibility: 'public' };

const records = [
  ['Весло', '6 150', '14'],
  ['Якорь', '900', '51'],
  ['Канат', '1850', '20'],
].map(([item, price, left]) => `Товар: ${item}; Цена: ${price}; Остаток: ${left}`);
const table = [
  'Pier | Service | Price, tenge',
  'West | Check of an engine | 7100',
  'East | Check of an engine | 8200',
  'West | Painting | 12000',
].join('\n');
const fees =
  'A fee of 4,350 tenge is taken for the slip. A fee of 6.2 thousand tenge is taken for the hoist. A fee of ninety tenge is taken for water. The store of Sort 12 is dry. The store of Sort 120 is damp.';
const weights = 'Бочка смолы весит 2,350 кг. Ящик гвоздей весит 12,5 кг.';

let db: DatabaseSync;
let ask: (question: string, lang: Language) => Promise<RetrievalResult>;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  const put = (doc_id: number, title: string, lang: Language, text: string) =>
    putDocument(writer, { doc_id, title, layer, lang }, [{ number: null, unit: null, heading: title, text }]);
  put(1, 'Лавка', 'ru', records.join('\n\n'));
  put(2, 'Services', 'en', table);
  put(3, 'Fees', 'en', fees);
  put(5, 'Кнехт', 'ru', 'Вещь: Блок; Цена: 310; Полка: 4\n\nВещь: Кнехт; Цена: 720; Полка: 9');
  put(4, 'Запасы', 'ru', weights);
  const search = openChunkSearch(db, 'c_');
  const retriever = new Retriever(search, null);
  ask = (question, lang) =>
    runRetrieval(retriever, search, {
      corpus_id: 'town',
      question,
      lang,
      references: [],
      layers: ['text'],
      limit: 8,
    });
});

afterEach(() => db.close());

const first = ({ sentences: [one], hits }: RetrievalResult): string =>
  one ? hits[one.passage]!.text.slice(one.start, one.end) : '';

describe('a number', () => {
  test.each<[string, Language, string]>([
    ['What is the fee of 4350 tenge taken for?', 'en', 'slip'],
    ['What is the fee of 4 350 tenge taken for?', 'en', 'slip'],
    ['What is a fee of 6,200 tenge taken for?', 'en', 'hoist'],
    ['What is a fee of six thousand two hundred tenge taken for?', 'en', 'hoist'],
    ['What is the fee of 90 tenge taken for?', 'en', 'water'],
    ['How is the store of Sort 12?', 'en', 'dry'],
    ['How is the store of Sort 120?', 'en', 'damp'],
    ['Что весит 2,35 кг?', 'ru', 'Бочка'],
  ])('in a question finds the passages that contain it in any notation: %s', async (question, lang, told) => {
    const found = await ask(question, lang);
    expect(first(found)).toContain(told);
    expect(found.answerable).toBe(true);
  });

  test.each<[string, Language]>([
    ['What is the fee of 4,360 tenge taken for?', 'en'],
    ['What is the fee of 6.2 tenge taken for?', 'en'],
    ['How is the store of Sort 13?', 'en'],
    ['Что весит 2350 кг?', 'ru'],
  ])('in a question leads to no answer if no passage contains it: %s', async (question, lang) => {
    expect((await ask(question, lang)).answerable).toBe(false);
  });
});

describe('a row', () => {
  test.each<[string, Language, string]>([
    ['Сколько стоит весло?', 'ru', '6 150'],
    ['Сколько стоит канат?', 'ru', '1850'],
    // The title names an item, but that does not make the other rows an answer.
    ['Сколько стоит кнехт?', 'ru', '720'],
    ['Сколько якорей в остатке?', 'ru', '51'],
    ['Какой товар стоит 6150?', 'ru', 'Весло'],
    ['What does the check of an engine cost in the East?', 'en', '8200'],
    ['How much does the check of an engine cost in the West?', 'en', '7100'],
  ])('for the item in the question is the answer: %s', async (question, lang, told) => {
    const found = await ask(question, lang);
    expect(first(found)).toContain(told);
    expect(found.answerable).toBe(true);
  });

  test('matches by its own values, not by column names', async () => {
    const { sentences, hits } = await ask('Сколько стоит весло?', 'ru');
    const own = sentences
      .filter(({ row }) => row !== undefined)
      .map(({ passage, start, end, own }) => [hits[passage]!.text.slice(start, end), own > 0]);
    expect(own.filter(([text]) => String(text).startsWith('Товар'))).toEqual([
      [records[0], true],
      [expect.any(String), false],
      [expect.any(String), false],
    ]);
  });
});
