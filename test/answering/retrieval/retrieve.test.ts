import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runRetrieval } from '../../../src/answering/retrieval/retrieve.ts';
import { Retriever } from '../../../src/answering/retrieval/retriever.ts';
import type { Language, Layer } from '../../../src/domain/events.ts';
import type { RetrievalResult } from '../../../src/reading/passages.ts';
import { openChunkSearch } from '../../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../../src/search/sqlite/chunks.ts';
import { parseReferences } from '../../../src/text/references/parse.ts';
import { type GivenChunk, putDocument } from '../../reading/documents.ts';

const article = (number: string, title: string, body: string): GivenChunk => ({
  number,
  unit: 'article',
  heading: `Статья ${number}. ${title}`,
  text: `Статья ${number}. ${title}\n\n${body}`,
});
const norm: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const notes: Layer = { name: 'notes', title: null, kind: 'text', visibility: 'public' };

let db: DatabaseSync;
let ask: (question: string, story?: string) => Promise<RetrievalResult>;
let put: (doc_id: number, title: string, layer: Layer, lang: Language, chunks: GivenChunk[]) => void;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  put = (doc_id, title, layer, lang, chunks) => putDocument(writer, { doc_id, title, layer, lang }, chunks);
  put(1, 'Устав города', norm, 'ru', [
    article('1', 'Город', 'Город стоит на реке.'),
    article(
      '2',
      'Мэр',
      '1. Мэра избирают жители.\n\n2. Мэр решает:\n   1) о мостах;\n   2) о дорогах.\n\n3. Мэр служит пять лет.',
    ),
    article('4', 'Совет', 'Совет заседает зимой.'),
    article(
      '5',
      'Рынок',
      'Рынок города переносится решением совета по представлению мэра после голосования жителей в течение двух месяцев.',
    ),
    article('6', 'Театр', 'В театре 1500 кресел. Театр открыли в 1900 году.'),
    article('7', 'Проезд', 'Проезд по мосту стоит десять рублей.'),
    article('8', 'Музей', 'Вход в музей города открыт каждый день.'),
  ]);
  put(2, 'Пояснения', notes, 'ru', [
    { number: '2', unit: 'article', heading: 'К статье 2', text: 'Мэра избирают раз в пять лет.' },
  ]);
  const search = openChunkSearch(db, 'c_');
  const retriever = new Retriever(search, null);
  ask = (question, story) =>
    runRetrieval(retriever, search, {
      corpus_id: 'town',
      question,
      ...(story !== undefined && { story }),
      lang: 'ru',
      references: parseReferences(question).map((one) => ({ ...one, act: null })),
      layers: ['norm', 'notes'],
      limit: 10,
    });
});
afterEach(() => db.close());

const quoted = (found: RetrievalResult) =>
  found.exact.flatMap((one) =>
    one.provisions.map(({ passage, start, end }) => passage.text.slice(start, end)),
  );

describe('runRetrieval', () => {
  test('answers a question about a price only with a sum of money', async () => {
    expect((await ask('Сколько стоит проезд по мосту?')).answerable).toBe(true);
    expect((await ask('Сколько стоит вход в музей города?')).answerable).toBe(false);
  });

  test('does not mistake a count for a year', async () => {
    expect((await ask('Сколько кресел в театре?')).answerable).toBe(true);
    expect((await ask('Сколько театров открыли?')).answerable).toBe(false);
  });

  test.each(['пропуск для жителя', 'Что такое пропуск для жителя?'])(
    '"%s" finds the definition under any title, and none for words that share only a prefix',
    async (question) => {
      const place = (heading: string, text: string): GivenChunk => ({
        number: null,
        unit: null,
        heading,
        text,
      });
      put(3, 'Правила', norm, 'ru', [
        place('Пропуск для жителя', 'Пропуск для жителя показывают у ворот.'),
        place('Пропуск жителя', 'Кто забыл пропуск для жителя, ждёт у ворот.'),
        place('Прочее', 'Лодки стоят у причала. Пропуск для жителя — карточка с печатью.'),
        place('Ещё', 'Пропускная для жителя — дом у ворот.'),
      ]);
      const { hits, sentences } = await ask(question);
      const [{ passage, start, end }] = sentences as [(typeof sentences)[0]];
      expect(hits[passage]!.text.slice(start, end)).toBe('Пропуск для жителя — карточка с печатью.');
    },
  );

  test('answers with the whole list if its introduction matches the question and no item matches better', async () => {
    const text = 'К заявлению прикладывают:\n– паспорт жителя;\n– копию заявления;\n– план дома.';
    put(3, 'Правила', norm, 'ru', [{ number: null, unit: null, heading: 'Порядок', text }]);
    const wholes = async (question: string) =>
      (await ask(question)).sentences.filter(({ whole }) => whole).length;
    expect(await wholes('Что прикладывают к заявлению?')).toBe(1);
    expect(await wholes('Когда прикладывают план дома?')).toBe(0);
  });

  test.each([5, 6, 7, 8, 9, 10, 11])(
    'includes defining passages among those returned after %i mentions',
    async (mentions) => {
      const place = (heading: string, text: string): GivenChunk => ({
        number: null,
        unit: null,
        heading,
        text,
      });
      const filler = 'Лодки стоят у причала. Сторож закрывает склад вечером. ';
      put(3, 'Правила', norm, 'ru', [
        ...Array.from({ length: mentions }, (_, n) => place(`Правило ${n}`, `Пропуск ${n} показывают.`)),
        place('Слова', `${filler}Пропуск — карточка жителя.`),
        place('Ещё слова', `${filler.repeat(3)}Пропуск — листок гостя.`),
        place('Другие слова', `${filler.repeat(4)}Пропуск — знак сторожа.`),
      ]);
      const { hits, sentences } = await ask('Что такое пропуск?');
      expect(sentences.filter(({ passage }) => hits[passage] === undefined)).toEqual([]);
      expect(new Set(hits.map(({ id }) => id)).size).toBe(Math.min(mentions + 3, 10));
    },
  );

  test('finds an article by its number, the leading layer first', async () => {
    const found = await ask('что в статье 2?');
    expect(found.exact[0]!.provisions.map(({ passage }) => passage.facts.layer.name)).toEqual([
      'norm',
      'notes',
    ]);
  });

  test('cuts a point or a subpoint out of its article', async () => {
    expect(quoted(await ask('пункт 3 статьи 2'))).toEqual(['3. Мэр служит пять лет.']);
    expect(quoted(await ask('подпункт 2 пункта 2 статьи 2'))).toEqual(['2) о дорогах.']);
  });

  test('lists the existing points if one is missing, and the neighbours of a missing article', async () => {
    const point = (await ask('пункт 9 статьи 2')).exact[0]!;
    expect([point.provisions, point.near, point.neighbours.map(({ chunk }) => chunk.number)]).toEqual([
      [],
      ['1', '2', '3'],
      ['2'],
    ]);
    const missing = (await ask('статья 3')).exact[0]!;
    expect([missing.provisions, missing.near, missing.neighbours.map(({ chunk }) => chunk.number)]).toEqual([
      [],
      ['2', '4'],
      ['2', '4'],
    ]);
  });

  test('finds no neighbours of an unnumbered unit', async () => {
    expect((await ask('глава 3')).exact).toEqual([
      {
        unit: 'chapter',
        number: '3',
        chain: [{ unit: 'chapter', number: '3' }],
        unknownAct: false,
        provisions: [],
        neighbours: [],
        near: [],
      },
    ]);
  });

  test('answers with the best sentence, never with the title line', async () => {
    const found = await ask('Сколько лет служит мэр?');
    const { passage, start, end } = found.sentences[0]!;
    expect(found.hits[passage]!.text.slice(start, end)).toBe('3. Мэр служит пять лет.');
    expect(found.answerable).toBe(true);
    expect(
      found.sentences.some((one) =>
        found.hits[one.passage]!.text.slice(one.start, one.end).startsWith('Статья'),
      ),
    ).toBe(false);
  });

  test('uses the context around a question to find passages, but not as evidence', async () => {
    const [question, story] = ['Кто отвечает?', 'Мы живём у реки, и дороги после зимы разбиты.'];
    expect((await ask(question)).hits).toEqual([]);
    const found = await ask(question, story);
    expect(found.hits.map(({ chunk }) => chunk.heading)).toEqual(
      expect.arrayContaining(['Статья 1. Город', 'Статья 2. Мэр']),
    );
    expect([found.question, found.answerable]).toEqual([question, false]);
  });

  test('does not answer a question that no passage covers', async () => {
    const found = await ask('Какая температура плавления олова?');
    expect(found.answerable).toBe(false);
  });

  test('returns plain data', async () => {
    const found = await ask('Кто избирает мэра?');
    expect(structuredClone(found)).toEqual(found);
  });
});
