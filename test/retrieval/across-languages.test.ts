import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language, Layer } from '../../src/domain/events.ts';
import type { TwinsRecord } from '../../src/ports/lexicon.ts';
import { Lexicon } from '../../src/retrieval/lexicon/lexicon.ts';
import { type RetrievalResult, runRetrieval } from '../../src/retrieval/pipeline.ts';
import { Retriever } from '../../src/retrieval/retrieve.ts';
import { retrieveAcross } from '../../src/retrieval/retrieve-across.ts';
import { openChunkSearch } from '../../src/stores/embedded/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/stores/embedded/chunks.ts';
import { stemIn } from '../../src/text/words.ts';
import { type GivenChunk, putDocument } from './documents.ts';

const norm: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const notes: Layer = { name: 'notes', title: null, kind: 'text', visibility: 'public' };
const fees: Layer = { name: 'fees', title: null, kind: 'text', visibility: 'public' };
const article = (number: string, heading: string, text: string): GivenChunk => ({
  number,
  unit: 'article',
  heading,
  text,
});

let db: DatabaseSync;
let retriever: Retriever;
let search: ReturnType<typeof openChunkSearch>;
let twins: Map<number, TwinsRecord>;

/** Words of Russian and English, each seen ten times and always linked. */
function lexiconOf(pairs: Record<string, string>): Lexicon {
  const list = Object.entries(pairs).map(([ru, en]) => [stemIn(en, 'en'), stemIn(ru, 'ru')] as const);
  const lexicon = new Lexicon();
  lexicon.put('town', [
    {
      corpus_id: 'town',
      languages: ['en', 'ru'],
      links: list.map(([en, ru]) => [en, ru, 10]),
      seen: [list.map(([en]) => [en, 10]), list.map(([, ru]) => [ru, 10])],
    },
  ]);
  return lexicon;
}
const learned = lexiconOf({
  мост: 'bridge',
  закрывают: 'close',
  ремонт: 'repair',
  рыба: 'fish',
  корабль: 'ship',
});

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  const put = (doc_id: number, lang: Language, layer: Layer, chunks: GivenChunk[]) =>
    putDocument(writer, { doc_id, title: '', layer, lang }, chunks);
  put(1, 'ru', norm, [
    article('1', '', 'Город стоит на реке. Жители выбирают совет.'),
    article('2', '', 'Ярмарку проводят на площади. Торговать могут все.'),
    article('3', '', 'Переправу держат открытой всю зиму. Осенью её чинят.'),
  ]);
  put(2, 'en', norm, [
    article('1', '', 'The town stands on a river. Its people choose the council.'),
    article('2', '', 'The fair is held on the square. Everybody may sell there.'),
    article('3', '', 'The bridge is open all winter. It is closed for repair in autumn.'),
  ]);
  put(3, 'en', notes, [{ number: null, unit: null, heading: '', text: 'Ships carry fish and salt.' }]);
  put(4, 'en', fees, [
    {
      number: null,
      unit: null,
      heading: '',
      text: 'The crossing costs 40 tenge. The mooring costs 70 tenge.',
    },
  ]);
  put(5, 'ru', fees, [
    { number: null, unit: null, heading: '', text: 'Лодки хранят 70 дней. Переход стоит 40 тенге.' },
  ]);
  search = openChunkSearch(db, 'c_');
  retriever = new Retriever(search, null);
  twins = new Map();
});
afterEach(() => db.close());

const ask = (
  question: string,
  lexicon = learned,
  layers = ['norm', 'notes'],
  lang: Language = 'ru',
  more: { from?: Language } = {},
) =>
  retrieveAcross(
    retriever,
    search,
    { current: async () => lexicon, twins: async () => twins },
    { corpus_id: 'town', question, lang, references: [], layers, limit: 10, ...more },
  );
const first = ({ sentences, hits }: RetrievalResult) => {
  const [one] = sentences;
  return one && hits[one.passage]!.text.slice(one.start, one.end);
};
const question = 'Когда мост закрывают на ремонт?';
const english = 'It is closed for repair in autumn.';

/** The English act is the translation of the Russian one. */
const twin = (revision = 1): void => {
  const at = [0, 1, 2];
  twins.set(2, {
    corpus_id: 'town',
    doc_id: 2,
    revision: 1,
    twins: [{ doc_id: 1, revision, lang: 'ru', at }],
  });
};

describe('a question that its own language does not answer', () => {
  it('finds what another language says, by the words the lexicon knows', async () => {
    const found = await ask(question);
    expect(found.answerable).toBe(true);
    expect(first(found)).toBe(english);
    expect(found.hits[0]!.chunk.lang).toBe('en');
  });

  it('finds nothing without a lexicon', async () => {
    expect((await ask(question, new Lexicon())).answerable).toBe(false);
  });

  it('finds nothing where a small part of it can be translated', async () => {
    expect((await ask('Сколько стоит проезд через мост для грузовых машин?')).answerable).toBe(false);
  });

  it('has what is nearest in other languages for its sources where its own has nothing at all', async () => {
    const ships = await ask('Где корабль продаёт рыбу подешевле?', learned, ['notes']);
    expect(ships.answerable).toBe(false);
    expect(ships.hits.map(({ facts }) => facts.doc_id)).toEqual([3]);
  });

  it('is told by the passage of its own language that says the same', async () => {
    twin();
    const found = await ask(question);
    expect(first(found)).toBe('Осенью её чинят.');
    expect(found.hits[0]).toMatchObject({ chunk: { lang: 'ru', number: '3' } });
  });

  it('is told as it stands where the twin has changed since, or may not be seen', async () => {
    twin(2);
    expect(first(await ask(question))).toBe(english);
    twin();
    const chunk = twins.get(2)!.twins[0]!;
    twins.set(3, { corpus_id: 'town', doc_id: 3, revision: 1, twins: [{ ...chunk, at: [2] }] });
    const ships = 'Везут ли корабли рыбу?';
    expect(first(await ask(ships, learned, ['notes']))).toBe('Ships carry fish and salt.');
  });
});

describe('a question that its own language answers', () => {
  it('is left as it is', async () => {
    const own = 'Где проводят ярмарку?';
    const request = { corpus_id: 'town', lang: 'ru' as const, references: [], layers: ['norm'], limit: 10 };
    const alone = await runRetrieval(retriever, search, { ...request, question: own });
    expect(alone.answerable).toBe(true);
    expect(await ask(own, lexiconOf({ проводят: 'bridge', ярмарку: 'repair' }), ['norm'])).toEqual(alone);
  });
});

describe('a question whose answer is wanted in another language', () => {
  const wanted = (question: string) => ask(question, new Lexicon(), ['norm', 'fees'], 'ru', { from: 'en' });

  it('has it from the twin of the passage that answers', async () => {
    twin();
    expect(first(await wanted('When is the bridge closed for repair?'))).toBe('Осенью её чинят.');
  });

  it('has it from a sentence with the same figures, where nothing is parallel', async () => {
    expect(first(await wanted('What does the crossing cost?'))).toBe('Переход стоит 40 тенге.');
  });

  it('has it as it stands where the language does not say it', async () => {
    expect(first(await wanted('When is the bridge closed for repair?'))).toBe(english);
    expect(first(await wanted('What does the mooring cost?'))).toBe('The mooring costs 70 tenge.');
  });
});
