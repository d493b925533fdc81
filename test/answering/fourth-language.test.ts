/** A new language needs only a folder of words and a line in the registry, and then works like the others. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ask } from '../../src/asks/ask-port.ts';
import type { CorpusSettings, Language, Layer } from '../../src/domain/events.ts';
import { answerOf } from '../support/asking.ts';
import { modulesAnew } from '../support/modules-anew.ts';
import { turns } from './cases/types.ts';

const turkish = 'tr' as Language;
const main: Layer = { name: 'main', title: null, kind: 'text', visibility: 'public' };
const settings: CorpusSettings = {
  title: 'Nehir',
  description: null,
  languages: [turkish],
  styles: [],
  layers: [main],
};

let db: DatabaseSync;
let service: Ask;
beforeAll(async () => {
  // Earlier test files have loaded the modules with the built-in languages.
  const anew = modulesAnew({
    'src/domain/languages.ts': 'test/answering/turkish-languages.ts',
    'src/language/registry.ts': 'test/answering/turkish-registry.ts',
  });
  const { createAsk } = await anew.load<typeof import('../../src/asks/ask.ts')>('src/asks/ask.ts');
  const { SourceLinks } =
    await anew.load<typeof import('../../src/asks/source-links.ts')>('src/asks/source-links.ts');
  const { runRetrieval } = await anew.load<typeof import('../../src/answering/retrieval/retrieve.ts')>(
    'src/answering/retrieval/retrieve.ts',
  );
  const { Retriever } = await anew.load<typeof import('../../src/answering/retrieval/retriever.ts')>(
    'src/answering/retrieval/retriever.ts',
  );
  const { openChunkSearch } = await anew.load<typeof import('../../src/search/sqlite/chunk-search.ts')>(
    'src/search/sqlite/chunk-search.ts',
  );
  const { ChunkWriter, createChunkTables } = await anew.load<
    typeof import('../../src/search/sqlite/chunks.ts')
  >('src/search/sqlite/chunks.ts');
  const { putDocument } =
    await anew.load<typeof import('../reading/documents.ts')>('test/reading/documents.ts');
  anew.end();
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const article = (number: string, heading: string, text: string) => ({
    number,
    unit: 'article',
    heading: `Madde ${number}. ${heading}`,
    text: `Madde ${number}. ${heading}\n\n${text}`,
  });
  putDocument(new ChunkWriter(db, 'c_'), { doc_id: 1, title: 'Nehir', layer: main, lang: turkish }, [
    article('1', 'Köprü', 'Köprüyü usta Deniz 1932 yılında yaptı. Köprü kırmızıdır.'),
    article('2', 'Pazar', 'Pazar meydanda kurulur ve sabah açılır.'),
    article('3', 'Balık', 'Balık tutmak herkese serbesttir.'),
  ]);
  const search = openChunkSearch(db, 'c_');
  const retriever = new Retriever(search, null);
  let id = 0;
  service = createAsk({
    clock: { now: () => new Date(0) },
    newId: () => `id-${id++}`,
    pages: new SourceLinks({ publicUrl: null, secret: null, clock: { now: () => new Date(0) } }),
    corpus: (corpus_id) => ({ corpus_id, settings, active: true }),
    retrieve: (request, signal) => runRetrieval(retriever, search, request, signal),
    commands: { ask: () => ({ execute: async () => {} }) },
  });
});
afterAll(() => db.close());

const asked = (query: string, ...said: string[]) =>
  answerOf(service, query, { corpus_id: 'town', channel: 'http', history: turns(...said) });

test.each([
  ['Köprüyü kim yaptı?', 'ordinary', 'usta Deniz'],
  ['Pazar nerede kurulur?', 'ordinary', 'meydanda kurulur'],
  ['madde 2', 'exact', 'sabah açılır'],
  ['Merhaba!', 'greeting', 'Merhaba! “Nehir”'],
  ['Uçak kaç yolcu taşır?', 'no_answer', '“Nehir” belgelerinde yanıt bulunamadı.'],
])('%s', async (query, mode, text) => {
  const { answer, ...found } = await asked(query);
  expect(found).toMatchObject({ lang: 'tr', mode });
  expect(answer).toContain(text);
});

test('a question without a subject continues the last one', async () => {
  const { mode, answer } = await asked('Kim?', 'Köprüyü ne zaman yaptı?', 'Köprüyü 1932 yılında yaptı.');
  expect(mode).toBe('ordinary');
  expect(answer).toContain('usta Deniz');
});

test('both parts of a double question are answered', async () => {
  const { mode, answer } = await asked('Köprüyü kim yaptı ve pazar nerede kurulur?');
  expect(mode).toBe('ordinary');
  expect(answer).toContain('usta Deniz');
  expect(answer).toContain('meydanda kurulur');
});
