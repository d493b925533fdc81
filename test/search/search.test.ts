import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { embedOffline, offlineEmbedder } from '../../src/models/offline.ts';
import type { ChunkWrite } from '../../src/ports/chunk-search.ts';
import type { Embedder } from '../../src/ports/models.ts';
import { PassageSearch, type SearchRequest } from '../../src/search/search.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/search/sqlite/chunks.ts';
import { chunk, revision } from './chunks.contract.ts';

const opened: DatabaseSync[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

function library(writes: readonly ChunkWrite[], embedder: Embedder | null = null) {
  const db = new DatabaseSync(':memory:');
  opened.push(db);
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  const write = (list: readonly ChunkWrite[]) => {
    for (const one of list) writer.write(one);
  };
  write(writes);
  const search = openChunkSearch(db, 'c_');
  const asked: string[][] = [];
  const passages = new PassageSearch(
    {
      ...search,
      candidates: (scope, terms, ...rest) => {
        asked.push([...terms.stems, ...terms.prefixes.map((prefix) => `${prefix}*`)]);
        return search.candidates(scope, terms, ...rest);
      },
    },
    embedder,
  );
  const ask = async (query: string, more: Partial<SearchRequest> = {}) =>
    passages.find({ corpus_id: 'laws', query, lang: null, layers: ['norm'], limit: 10, ...more });
  const texts = async (query: string, more: Partial<SearchRequest> = {}) =>
    (await ask(query, more)).hits.map((hit) => hit.text);
  return { write, passages, ask, texts, asked };
}

const document = (id: number, texts: string[], more = {}, title = '') =>
  revision(
    id,
    1,
    texts.map((text) => chunk(text, more)),
    { title },
  );

const laws = [
  ...document(1, ['Президент избирается народом на пять лет.']),
  ...document(2, ['Парламент принимает законы большинством голосов.']),
  ...document(3, ['Суды независимы и подчиняются только закону.']),
  ...document(4, ['Столицей является город Хабаровск на реке Амур.']),
  ...document(5, ['The server stores every backup in the cloud.']),
];

describe('search', () => {
  it('finds inflected words and orders results by relevance', async () => {
    const { texts } = library(laws);
    expect(await texts('Кем избран президент?')).toEqual(['Президент избирается народом на пять лет.']);
    expect((await texts('парламент и законы'))[0]).toBe('Парламент принимает законы большинством голосов.');
    expect(await texts('парламент и законы', { limit: 1 })).toHaveLength(1);
  });

  it('asks the store for each term once, and for only the rarest of very many', async () => {
    const { ask, asked } = library([
      ...document(1, ['Президент избирается народом на пять лет.']),
      ...Array.from({ length: 80 }, (_, n) =>
        document(n + 2, [`word${n} ${'common '.repeat((n % 7) + 1)}`]),
      ).flat(),
    ]);
    await ask('народом '.repeat(250));
    await ask('президент '.repeat(190));
    const all = Array.from({ length: 80 }, (_, n) => `word${n}`).join(' ');
    const { hits } = await ask(`common common ${all}`);
    expect(asked[0]).toEqual(['народ', 'народ*']);
    expect(asked[1]).toEqual(['президент', 'прези*']);
    for (const terms of asked) expect(new Set(terms).size).toBe(terms.length);
    expect(asked.at(-1)).toHaveLength(64);
    expect(asked.at(-1)).not.toContain('common');
    expect(hits).toHaveLength(10);
  });

  it('finds nothing if nothing matches or the corpus does not exist', async () => {
    const { texts } = library(laws);
    expect(await texts('жжж')).toEqual([]);
    expect(await texts('?!')).toEqual([]);
    expect(await texts('президент', { corpus_id: 'none' })).toEqual([]);
    expect(await texts('президент', { layers: ['other'] })).toEqual([]);
    expect(await texts('президент', { layers: [] })).toEqual([]);
  });

  it('finds passages for a question consisting of stop words', async () => {
    const { texts } = library(document(1, ['Быть или не быть.', 'Совсем другое.']));
    expect(await texts('быть или не быть?')).toEqual(['Быть или не быть.']);
  });

  it('corrects the spelling of unknown words only', async () => {
    const { ask } = library(laws);
    const misspelt = await ask('порламент');
    expect(misspelt.hits[0]!.text).toBe('Парламент принимает законы большинством голосов.');
    expect(misspelt.corrections).toEqual([{ stem: 'порламент', known: 'парламент', isSame: false }]);
    expect((await ask('парламент')).corrections).toEqual([]);
  });

  it('understands the wrong keyboard layout, even in short words', async () => {
    const { ask } = library(laws);
    const typed = await ask('rnj bp,bhftn ghtpbltynf');
    expect(typed.query).toBe('кто избирает президента');
    expect(typed.hits[0]!.text).toBe('Президент избирается народом на пять лет.');
    expect((await ask('ыукмук')).hits[0]!.text).toBe('The server stores every backup in the cloud.');
  });

  it('does not change short unknown words in a question with the right layout', async () => {
    const { ask } = library([...laws, ...document(6, ['Вы и мы.'])]);
    expect((await ask('сервер DSS и президент')).query).toBe('сервер DSS и президент');
  });

  it('finds names in the other script, and look-alike letters', async () => {
    const { texts } = library(laws);
    expect((await texts('Khabarovska'))[0]).toBe('Столицей является город Хабаровск на реке Амур.');
    expect((await texts('пpeзидeнт'))[0]).toBe('Президент избирается народом на пять лет.');
  });

  it('uses a neighbouring chunk for a word that the chunk lacks', async () => {
    const { ask } = library([
      ...document(1, ['Срок полномочий пять лет.']),
      ...document(2, ['Глава о выборах президента.', 'Срок полномочий пять лет.', 'О бюджете.']),
    ]);
    const { hits } = await ask('срок полномочий президента');
    const same = hits.filter((hit) => hit.text.startsWith('Срок'));
    expect(same.map((hit) => hit.facts.doc_id)).toEqual([2, 1]);
    expect(same[0]!.bm25).toBeGreaterThan(same[1]!.bm25);
  });

  it('prefers words that are adjacent or close together', async () => {
    const filler = Array.from({ length: 30 }, (_, n) => `слово${n}`).join(' ');
    const apart = `свобода ${filler} слова`;
    const together = `${filler} свобода слова`;
    const { ask } = library([...document(1, [apart]), ...document(2, [together])]);
    const { hits } = await ask('свобода слова');
    expect(hits.map((hit) => hit.text)).toEqual([together, apart]);
    expect(hits.map((hit) => [hit.pairs, hit.window < 1])).toEqual([
      [1, false],
      [0, true],
    ]);
  });

  it('prefers the language and the leading layer among equally good passages', async () => {
    const layer = (name: string) => ({
      name,
      title: null,
      kind: 'text' as const,
      visibility: 'public' as const,
    });
    const { ask } = library([
      ...revision(1, 1, [chunk('Парламент', { lang: 'kk' })], { title: '', layer: layer('faq') }),
      ...revision(2, 1, [chunk('Парламент', { lang: 'ru' })], { title: '', layer: layer('norm') }),
    ]);
    const order = async (more: Partial<SearchRequest>) =>
      (await ask('парламент', more)).hits.map((hit) => hit.facts.doc_id);
    expect(await order({ lang: 'ru', layers: ['faq', 'norm'] })).toEqual([2, 1]);
    expect(await order({ layers: ['norm', 'faq'] })).toEqual([2, 1]);
    expect(await order({ layers: ['faq', 'norm'] })).toEqual([1, 2]);
  });

  it('searches the given layers with their combined statistics', async () => {
    const { ask, passages } = library([
      ...laws,
      ...revision(9, 1, [chunk('Президент избирался парламентом.')], { title: '' }, 'old'),
    ]);
    const documents = async (...layers: string[]) =>
      (await ask('избрание президента', { layers })).hits.map((hit) => hit.facts.doc_id).sort();
    const df = async (...layers: string[]) =>
      (await passages.frequencies({ corpus_id: 'laws', layers }, ['президент'])).df.get('президент');
    expect([await documents('norm'), await df('norm')]).toEqual([[1], 1]);
    expect([await documents('norm', 'old'), await df('norm', 'old')]).toEqual([[1, 9], 2]);
    expect([await documents('old'), await df('old')]).toEqual([[9], 1]);
    expect([await documents('norm'), await df('norm')]).toEqual([[1], 1]);
  });

  it('finds a new revision immediately, and is not affected by many invisible revisions', async () => {
    const { write, texts } = library(document(1, ['Закон первый.']));
    expect(await texts('закон')).toEqual(['Закон первый.']);
    const pending = revision(
      1,
      2,
      Array.from({ length: 150 }, () => chunk('Закон закон закон.')),
      { title: '' },
    );
    write(pending.slice(0, 2));
    expect(await texts('закон')).toEqual(['Закон первый.']);
    write([{ op: 'chunks.publish', doc_id: 1, revision: 2 }]);
    expect(await texts('закон', { limit: 200 })).toHaveLength(100);
    write([{ op: 'chunks.withdraw', doc_id: 1 }]);
    expect(await texts('закон')).toEqual([]);
  });

  it('adds candidates from the offline embedder without reordering the text results', async () => {
    const vectors = (id: number, text: string): ChunkWrite => ({
      op: 'chunks.vectors',
      doc_id: id,
      revision: 1,
      embedder: offlineEmbedder.name,
      first: 0,
      vectors: [embedOffline(text)],
    });
    const writes = [
      ...document(1, ['Автомобилестроение развивается.']),
      vectors(1, 'Автомобилестроение развивается.'),
      ...document(2, ['Погода меняется.']),
      vectors(2, 'Погода меняется.'),
    ];
    const query = 'электроавтомобиль';
    expect(await library(writes).texts(query)).toEqual([]);
    const { hits } = await library(writes, offlineEmbedder).ask(query);
    expect(hits.map((hit) => hit.text)).toEqual(['Автомобилестроение развивается.']);
    expect(hits[0]!.similarity).toBeGreaterThan(0.2);
  });

  /** Model vectors, one for the only chunk of each document, starting with the first. */
  const embedded = (...vectors: number[][]): ChunkWrite[] =>
    vectors.map((vector, n) => ({
      op: 'chunks.vectors',
      doc_id: n + 1,
      revision: 1,
      embedder: 'model',
      first: 0,
      vectors: [Float32Array.from(vector)],
    }));
  const asVector = (...values: number[]) => ({
    vector: { embedder: 'model', values: Float32Array.from(values) },
  });

  it('finds a passage that shares no word with the question through a model’s vector', async () => {
    const writes = [
      ...document(1, ['Столица — город Нуртау.']),
      ...document(2, ['The weather is changing.']),
      ...embedded([1, 0], [0, 1]),
    ];
    const { ask } = library(writes);
    expect((await ask('capital')).hits).toEqual([]);
    const { hits } = await ask('capital', asVector(0.9, 0.1));
    expect(hits[0]).toMatchObject({ text: 'Столица — город Нуртау.', bm25: 0 });
    expect(hits[0]!.similarity).toBeGreaterThan(0.8);
  });

  it('lets vectors decide between passages that text ranks equally', async () => {
    const writes = [
      ...document(1, ['Закон о воде принят.']),
      ...document(2, ['Закон о лесе принят.']),
      ...embedded([1, 0], [0, 1]),
    ];
    const { ask } = library(writes);
    const order = async (...vector: number[]) =>
      (await ask('закон принят', asVector(...vector))).hits.map((hit) => hit.facts.doc_id);
    expect(await order(1, 0)).toEqual([1, 2]);
    expect(await order(0, 1)).toEqual([2, 1]);
  });

  it('reports the document frequency of stems in a partition', async () => {
    const { passages } = library(laws);
    expect(await passages.frequencies({ corpus_id: 'laws', layers: ['norm'] }, ['закон', 'нет'])).toEqual({
      documents: 5,
      df: new Map([
        ['закон', 2],
        ['нет', 0],
      ]),
    });
  });
});
