import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Retriever } from '../../../src/answering/retrieval/retriever.ts';
import { retrieveWithTwins } from '../../../src/answering/retrieval/twins.ts';
import type { Language, Layer } from '../../../src/domain/events.ts';
import type { RetrievalResult } from '../../../src/reading/passages.ts';
import { openChunkSearch } from '../../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../../src/search/sqlite/chunks.ts';
import { type GivenChunk, putDocument } from '../../reading/documents.ts';

const norm: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const drafts: Layer = { name: 'drafts', title: null, kind: 'text', visibility: 'restricted' };
const articles = (...texts: string[]): GivenChunk[] =>
  texts.map((text, n) => ({ number: String(n + 1), unit: 'article', heading: '', text }));
const english = articles(
  'The town stands on a river. Its people choose the council.',
  'The fair is held on the square. Everybody may sell there.',
  'The bridge is open all winter. It is closed for repair in autumn.',
);
const russian = articles(
  'Город стоит на реке. Жители выбирают совет.',
  'Ярмарку проводят на площади. Торговать могут все.',
  'Переправу держат открытой всю зиму. Осенью её чинят.',
);

let db: DatabaseSync;
let writer: ChunkWriter;
let search: ReturnType<typeof openChunkSearch>;
let retriever: Retriever;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  writer = new ChunkWriter(db, 'c_');
  search = openChunkSearch(db, 'c_');
  retriever = new Retriever(search, null);
});
afterEach(() => db.close());

function put(
  doc_id: number,
  lang: Language,
  doc_key: string,
  chunks: GivenChunk[],
  { layer = norm, event_date = null }: { layer?: Layer; event_date?: string | null } = {},
): void {
  putDocument(writer, { doc_id, title: '', layer, lang, doc_key, event_date }, chunks);
}

const question = 'When is the bridge closed for repair?';
const answer = 'It is closed for repair in autumn.';
const ask = (asked: string, lang: Language, from?: Language) =>
  retrieveWithTwins(retriever, search, {
    corpus_id: 'town',
    question: asked,
    lang,
    references: [],
    layers: ['norm'],
    limit: 10,
    ...(from !== undefined && { from }),
  });
const first = ({ sentences: [one], hits }: RetrievalResult) =>
  one && hits[one.passage]!.text.slice(one.start, one.end);

describe('an answer requested in another language', () => {
  it("is the sentence at the same position in the twin's provision with the same number", async () => {
    put(1, 'en', 'town-en', english);
    put(2, 'ru', 'ru/town', russian);
    expect(first(await ask(question, 'ru', 'en'))).toBe(answer);
    put(3, 'ru', 'town-ru', russian);
    const found = await ask(question, 'ru', 'en');
    expect(first(found)).toBe('Осенью её чинят.');
    expect(found.answerable).toBe(true);
    expect(found.hits[0]).toMatchObject({ facts: { doc_key: 'town-ru' }, chunk: { number: '3' } });
  });

  it('has each passage and each sentence once, best first', async () => {
    put(1, 'en', 'town-en', english);
    put(2, 'ru', 'town-ru', russian);
    const { hits, sentences } = await ask(
      'Is the bridge closed for repair in autumn, все ли зиму?',
      'ru',
      'en',
    );
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    expect(new Set(sentences.map(({ passage, start }) => `${passage} ${start}`)).size).toBe(sentences.length);
    const scores = sentences.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it.each<[string, Parameters<typeof put>]>([
    ['no twin provision with that number', [2, 'ru', 'town-ru', russian.slice(0, 2)]],
    ['a twin only in a hidden layer', [2, 'ru', 'town-ru', russian, { layer: drafts }]],
    ['only another document with the same numbers', [2, 'ru', 'harbour-ru', russian]],
    ['only a document in a third language under such a key', [2, 'kk', 'town-ru', russian]],
    ['only a key that merely contains the language code', [2, 'ru', 'townru', russian]],
  ])('is quoted in its original language if there is %s', async (_, given) => {
    put(1, 'en', 'town-en', english);
    put(...given);
    expect(first(await ask(question, 'ru', 'en'))).toBe(answer);
  });

  it('is quoted in its original language if its provision has no number', async () => {
    const unnumbered = (chunks: GivenChunk[]) => chunks.map((one) => ({ ...one, number: null, unit: null }));
    put(1, 'en', 'town-en', unnumbered(english));
    put(2, 'ru', 'town-ru', unnumbered(russian));
    expect(first(await ask(question, 'ru', 'en'))).toBe(answer);
  });
});

describe('an answer requested in the other language of its document', () => {
  const rules = (text: string, lang: Language): GivenChunk => ({
    number: null,
    unit: null,
    heading: '',
    text,
    lang,
  });
  const price = 'A wash costs 350 tenge. Soap is free.';

  it('is the sentence with the same numbers', async () => {
    put(1, 'en', 'rules', [
      rules(price, 'en'),
      rules('Ключ хранит комендант. Стирка стоит 350 тенге.', 'ru'),
    ]);
    expect(first(await ask('How much does a wash cost?', 'ru', 'en'))).toBe('Стирка стоит 350 тенге.');
  });

  it.each([
    ['no sentence has them', [rules(price, 'en'), rules('Стирка стоит 400 тенге.', 'ru')]],
    ['two sentences have them', [rules(price, 'en'), rules('Стирка — 350. Сушка — 350.', 'ru')]],
    ['they have one digit', [rules('A wash costs 3 tenge.', 'en'), rules('Ключей в доме осталось 3.', 'ru')]],
  ])('is quoted in its original language if %s', async (_, chunks) => {
    put(1, 'en', 'rules', chunks);
    expect(first(await ask('How much does a wash cost?', 'ru', 'en'))).toMatch(/^A wash costs/);
  });
});

describe('a question in one language', () => {
  it('is answered from the twin if only names matched the other language', async () => {
    put(1, 'en', 'town-en', articles('Big Ben strikes at 12.'));
    put(2, 'ru', 'town-ru', articles('Часы на башне бьют в полдень.'));
    expect(first(await ask('Что делает Big Ben?', 'ru'))).toBe('Часы на башне бьют в полдень.');
  });

  it('keeps the answer in its own language', async () => {
    put(1, 'en', 'town-en', english);
    put(2, 'ru', 'town-ru', russian);
    const found = await ask('Где проводят ярмарку?', 'ru');
    expect(first(found)).toBe('Ярмарку проводят на площади.');
  });

  it('finds nothing in another language without shared words', async () => {
    put(1, 'en', 'town-en', english);
    expect(await ask('Когда мост закрывают на ремонт?', 'ru')).toMatchObject({ answerable: false, hits: [] });
  });
});
