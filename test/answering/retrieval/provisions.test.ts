/** Lookups of numbered provisions in several acts: split articles, multi-level numbers, named acts. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runRetrieval } from '../../../src/answering/retrieval/retrieve.ts';
import { Retriever } from '../../../src/answering/retrieval/retriever.ts';
import type { Layer } from '../../../src/domain/events.ts';
import type { SearchScope } from '../../../src/ports/chunk-search.ts';
import { openChunkSearch } from '../../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../../src/search/sqlite/chunks.ts';
import { actBeside } from '../../../src/text/references/acts.ts';
import { parseReferences } from '../../../src/text/references/parse.ts';
import { type GivenChunk, putDocument } from '../../reading/documents.ts';

const layer: Layer = { name: 'main', title: null, kind: 'text', visibility: 'public' };

let db: DatabaseSync;
let ask: (question: string) => ReturnType<typeof runRetrieval>;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  const put = (doc_id: number, title: string, chunks: GivenChunk[]) =>
    putDocument(
      writer,
      { doc_id, title, layer, lang: 'ru' },
      chunks.map((chunk, n) => ({ ...chunk, chunk_index: `${chunk.number ?? 'x'}~${n}` })),
    );
  const boats = { number: '2', unit: 'article', heading: 'Статья 2. Лодки' };
  put(1, 'Закон о лодках', [
    { number: '1', unit: 'article', heading: 'Статья 1. Река', text: 'Статья 1. Река\n\nРека общая.' },
    { ...boats, text: 'Статья 2. Лодки\n\n1. Лодки бывают:\n1) гребные;' },
    { ...boats, text: '2) парусные:\na) малые;\nб) большие.\n2. Лодки красят.\nКраска белая.' },
    {
      number: '3',
      unit: 'article',
      heading: 'Статья 3. Вёсла',
      text: 'Статья 3. Вёсла\n\n3.1. Вёсел два.\n3.2. Весло длинное.',
    },
    {
      number: '4',
      unit: 'article',
      heading: 'Статья 4. Канаты',
      text: 'Статья 4. Канаты\n\nКанатов три.\n\nСтатья 4¹. Якоря\n\nЯкорь один.',
    },
  ]);
  put(2, 'Правила причала', [
    { number: '2.1', unit: 'point', heading: '2. Причал', text: '2.1. Причал открыт.' },
    { number: '2.2', unit: 'point', heading: '2. Причал', text: '2.2. Ночью причал закрыт.' },
    { number: '1', unit: 'annex', heading: 'Приложение 1', text: 'Приложение 1' },
    { number: null, unit: null, heading: 'Тарифы', text: 'Лодка стоит рубль.' },
    { number: '2', unit: 'annex', heading: 'Приложение 2', text: 'Приложение 2\n\nПусто.' },
  ]);
  put(3, 'Указ о мостах', [
    {
      number: null,
      unit: null,
      heading: '',
      text: 'О мостах.\n1. Мосты чинят летом.\n2. Мосты красят осенью.',
    },
  ]);
  const search = openChunkSearch(db, 'c_');
  const retriever = new Retriever(search, null);
  ask = (question) => {
    const references = parseReferences(question);
    return runRetrieval(retriever, search, {
      corpus_id: 'town',
      question,
      lang: 'ru',
      references: references.map((one) => ({ ...one, act: actBeside(question, one, references) })),
      about: ['Река'],
      layers: ['main'],
      limit: 10,
    });
  };
});
afterEach(() => db.close());

const quoted = async (question: string) =>
  (await ask(question)).exact.flatMap((one) =>
    one.provisions.map(({ passage, start, end }) => passage.text.slice(start, end)),
  );
const missing = async (question: string) => {
  const [{ provisions, near, unknownAct } = { provisions: [], near: [], unknownAct: false }] = (
    await ask(question)
  ).exact;
  return { provisions: provisions.length, near, unknownAct };
};

describe('provision lookup', () => {
  test('continues a list in the next passage of its article', async () => {
    expect(await quoted('подпункт 2 пункта 1 статьи 2')).toEqual(['2) парусные:\na) малые;\nб) большие.']);
    expect(await quoted('пункт 1 статьи 2')).toEqual([
      '1. Лодки бывают:\n1) гребные;',
      '2) парусные:\na) малые;\nб) большие.',
    ]);
    expect(await quoted('пункт 2 статьи 2')).toEqual(['2. Лодки красят.\nКраска белая.']);
  });

  test('treats a letter in either script as a subpoint, and an indent as a line', async () => {
    expect(await quoted('подпункт б пункта 1 статьи 2')).toEqual(['б) большие.']);
    expect(await quoted('подпункт «а» пункта 1 статьи 2')).toEqual(['a) малые;']);
    expect(await quoted('абзац 2 пункта 2 статьи 2')).toEqual(['Краска белая.']);
    expect(await missing('подпункт в пункта 1 статьи 2')).toEqual({
      provisions: 0,
      near: ['a', 'б'],
      unknownAct: false,
    });
  });

  test('distinguishes a subpoint of an article from its points', async () => {
    expect(await quoted('2-баптың 2) тармақшасы')).toEqual(['2) парусные:\na) малые;\nб) большие.']);
  });

  test("matches a multi-level number to a provision's own number first, then to a point of an article", async () => {
    expect(await quoted('п. 2.2')).toEqual(['2.2. Ночью причал закрыт.']);
    expect(await quoted('статья 2.2')).toEqual(['2.2. Ночью причал закрыт.']);
    expect(await missing('п. 2.9')).toEqual({ provisions: 0, near: ['2.1', '2.2'], unknownAct: false });
    expect(await quoted('статья 3.2')).toEqual(['3.2. Весло длинное.']);
    expect(await quoted('пункт 2 статьи 3')).toEqual(['3.2. Весло длинное.']);
  });

  test('prefers an article with points to a provision with the same number', async () => {
    expect(await quoted('2-бап 2-тармақ')).toEqual(['2. Лодки красят.\nКраска белая.']);
  });

  test('places an inserted number after its base number, and finds it in the text if it has no passage', async () => {
    expect(await missing('статья 2а')).toEqual({ provisions: 0, near: ['2', '3'], unknownAct: false });
    expect(await missing('статья 2-1')).toEqual({ provisions: 0, near: ['2', '3'], unknownAct: false });
    expect(await quoted('статья 4-1')).toEqual(['Статья 4¹. Якоря\n\nЯкорь один.']);
  });

  test('lists the articles if no paragraph has the sign "§"', async () => {
    expect(await missing('§ 99')).toEqual({ provisions: 0, near: ['4'], unknownAct: false });
  });

  test('quotes an annex title without text together with the text that follows', async () => {
    expect(await quoted('приложение 1')).toEqual(['Приложение 1', 'Лодка стоит рубль.']);
    expect(await quoted('приложение 2')).toEqual(['Приложение 2\n\nПусто.']);
  });

  test('searches only the named act', async () => {
    expect(await quoted('пункт 2 Указа о мостах')).toEqual(['2. Мосты красят осенью.']);
    expect(await quoted('статья 1 закона о лодках')).toEqual(['Статья 1. Река\n\nРека общая.']);
    expect(await quoted('закон о лодках, статья 1')).toEqual(['Статья 1. Река\n\nРека общая.']);
  });

  test.each([
    'статья 1 закона о рыбах',
    'статья 1 Лесного кодекса',
    'статья 1 Конституции Исландии',
    'статья 1 конституции',
    'Article 1 of the US Constitution',
    'Орман кодексінің 1-бабы',
    'ст. 1 УК РФ',
  ])('does not replace the named act with another one: %s', async (question) => {
    expect(await missing(question)).toEqual({ provisions: 0, near: [], unknownAct: true });
  });

  test('does not mistake a count for a provision number', async () => {
    expect((await ask('река 1')).evidence.missingNumbers).toEqual([]);
    expect((await ask('через 1 реку')).evidence.missingNumbers).toEqual(['1']);
  });
});

describe('the act named in a question', () => {
  const constitution: Layer = { name: 'norm', title: 'Конституция', kind: 'text', visibility: 'public' };
  const comments: Layer = { name: 'notes', title: 'Комментарий', kind: 'text', visibility: 'public' };
  const drafts: Layer = { name: 'books', title: null, kind: 'text', visibility: 'public' };

  /**
   * Layers and documents as they occur in practice: the act has an uninformative title, and the commentary's title
   * names the act.
   */
  async function found(question: string, about: string[], title = 'ПРОЕКТ') {
    const shelf = new DatabaseSync(':memory:');
    try {
      createChunkTables(shelf, 'c_');
      const writer = new ChunkWriter(shelf, 'c_');
      const put = (doc_id: number, layer: Layer, named: string, number: string, text: string) =>
        putDocument(writer, { doc_id, title: named, layer, lang: 'ru' }, [
          { number, unit: 'article', heading: `Статья ${number}`, text },
        ]);
      put(1, constitution, title, '5', 'Статья 5. Флаг\n\nФлаг республики зелёный.');
      put(2, constitution, 'Закон о флаге', '5', 'Статья 5. Размер\n\nФлаг шире, чем выше.');
      put(3, comments, 'Комментарий к Конституции', '5', 'К статье 5: зелёный цвет значит лес.');
      put(4, comments, 'Комментарий к Конституции', '6', 'К статье 6: герба ещё нет.');
      put(5, drafts, 'Закон о гербе', '7', 'Статья 7. Герб\n\nНа гербе сова.');
      const search = openChunkSearch(shelf, 'c_');
      const references = parseReferences(question);
      const found = await runRetrieval(new Retriever(search, null), search, {
        corpus_id: 'town',
        question,
        lang: 'ru',
        references: references.map((one) => ({ ...one, act: actBeside(question, one, references) })),
        about,
        layers: ['norm', 'notes', 'books'],
        limit: 10,
      });
      return found.exact.map(({ provisions, neighbours, unknownAct, lackedBy }) => ({
        from: provisions.map(({ passage }) => passage.facts.doc_id),
        ...(neighbours.length > 0 && { beside: neighbours.map(({ facts }) => facts.doc_id) }),
        ...(lackedBy !== undefined && { lackedBy }),
        unknownAct,
      }))[0];
    } finally {
      shelf.close();
    }
  }
  const titles = ['Конституция республики', 'Конституция', 'Комментарий'];

  test('is the leading layer if it has the number, regardless of titles', async () => {
    for (const question of ['ст. 5 Конституции', 'статья 5 Конституции республики', 'статья 5'])
      expect((await found(question, titles))?.from[0]).toBe(1);
    expect((await found('ст. 5 Конституции', [], 'Конституция'))?.from[0]).toBe(1);
  });

  test('decides between documents of one layer', async () => {
    expect((await found('статья 5 закона о флаге', titles))?.from[0]).toBe(2);
    expect((await found('ст. 5 Конституции', titles))?.from).toEqual([1, 3]);
  });

  test('is kept if the number is missing, and its own neighbouring provisions are shown', async () => {
    const missing = (id: number, lackedBy: string) => ({
      from: [],
      beside: [id],
      lackedBy,
      unknownAct: false,
    });
    expect(await found('ст. 4 Конституции', titles, 'Конституция')).toEqual(missing(1, 'Конституция'));
    expect(await found('ст. 4 Конституции', [], 'Конституция')).toEqual(missing(1, 'Конституция'));
    expect(await found('ст. 4 Конституции', titles)).toEqual({ from: [], beside: [1], unknownAct: false });
    // Another act and a commentary have the number, or closer ones.
    expect(await found('статья 6 закона о флаге', titles)).toEqual(missing(2, 'Закон о флаге'));
    expect(await found('статья 9 закона о флаге', titles)).toEqual(missing(2, 'Закон о флаге'));
  });

  test('is searched for in the next layer if the leading one contains another act', async () => {
    expect((await found('статья 7 закона о гербе', titles))?.from).toEqual([5]);
    expect(await found('статья 5 Уголовного кодекса', titles)).toEqual({ from: [], unknownAct: true });
  });
});

describe('many references in one question', () => {
  const acts = 12;
  const articles = 40;
  let shelf: DatabaseSync;
  let reads: { lists: number[]; numbers: string[]; byNumber: string[] };
  beforeEach(() => {
    shelf = new DatabaseSync(':memory:');
    createChunkTables(shelf, 'c_');
    const writer = new ChunkWriter(shelf, 'c_');
    for (let doc_id = 1; doc_id <= acts; doc_id++)
      putDocument(
        writer,
        { doc_id, title: `Закон ${doc_id}`, layer, lang: 'ru' },
        Array.from({ length: articles }, (_, n) => ({
          number: String(n + 1),
          unit: 'article',
          heading: `Статья ${n + 1}. Лодки`,
          path: [`Глава ${Math.floor(n / 4) + 1}. Реки`],
          text: `Статья ${n + 1}. Лодки\n\nЛодка номер ${n + 1}.`,
        })),
      );
    reads = { lists: [], numbers: [], byNumber: [] };
  });
  afterEach(() => shelf.close());

  /** `times`: how often each number lookup repeats its passages. */
  function find(
    question: string,
    { times = 1, signal, onNumber }: { times?: number; signal?: AbortSignal; onNumber?: () => void } = {},
  ) {
    const store = openChunkSearch(shelf, 'c_');
    const search = {
      ...store,
      list: (doc_id: number, limit: number, offset: number) => {
        reads.lists.push(doc_id);
        return store.list(doc_id, limit, offset);
      },
      numbers: (scope: SearchScope, unit: string) => {
        reads.numbers.push(unit);
        return store.numbers(scope, unit);
      },
      byNumber: async (scope: SearchScope, number: string, unit: string | null) => {
        reads.byNumber.push(`${unit} ${number}`);
        onNumber?.();
        const passages = await store.byNumber(scope, number, unit);
        return Array.from({ length: times }, () => passages).flat();
      },
    };
    const references = parseReferences(question);
    const request = { corpus_id: 'town', question, lang: 'ru' as const, layers: ['main'], limit: 10 };
    return runRetrieval(
      new Retriever(search, null),
      search,
      { ...request, references: references.map((one) => ({ ...one, act: null })) },
      signal,
    );
  }

  test.each(['главы 901-930', 'главы 1-30', 'статьи 901-930', 'статьи 1-30'])(
    'cause one read for each document, number and list of numbers: %s',
    async (question) => {
      const { exact } = await find(question);
      expect(exact).toHaveLength(30);
      for (const read of Object.values<readonly unknown[]>(reads))
        expect(read).toHaveLength(new Set(read).size);
      expect(reads.lists.length).toBeLessThanOrEqual(3);
    },
  );

  test('find what an answer quotes: three documents for each of several numbers, all for a single number', async () => {
    const many = await find('статьи 1-30');
    expect(many.exact.map(({ provisions }) => provisions.length)).toEqual(Array(30).fill(3));
    const [one] = (await find('статья 5')).exact;
    expect(one?.provisions).toHaveLength(acts);
  });

  test('are looked up one by one up to a limit of passages; the rest are skipped', async () => {
    // 12 × 500 passages for each number, which is 30,000 after five numbers.
    const found = await find('статьи 1-30', { times: 500 });
    expect(found.exact.map(({ number }) => number)).toEqual(['1', '2', '3', '4', '5']);
    expect(found.exactIsCut).toBe(true);
    expect((await find('статьи 1-30')).exactIsCut).toBeUndefined();
  });

  test('stop between two references when no caller is waiting', async () => {
    const leaving = new AbortController();
    const asked = find('статьи 1-30', { signal: leaving.signal, onNumber: () => leaving.abort() });
    await expect(asked).rejects.toThrow();
    expect(reads.byNumber).toEqual(['article 1']);
  });
});
