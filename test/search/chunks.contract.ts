/** The contract for every store of chunks. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chunk, RevisionFacts } from '../../src/domain/events.ts';
import type { ChunkSearch, ChunkWrite, SearchScope } from '../../src/ports/chunk-search.ts';
import { fingerprint } from '../../src/text/fingerprint.ts';
import { prefix, stem, words } from '../../src/text/words.ts';
import { chunkOf, factsOf, mainLayer } from '../support/revision.ts';

export interface OpenedChunkStore {
  search: ChunkSearch;
  /** Writes everything in one atomic step. */
  write(writes: readonly ChunkWrite[]): Promise<void>;
  /** Deletes up to `limit` chunks that no current revision needs, and returns how many. */
  sweep(limit: number): Promise<number>;
  close(): Promise<void>;
}

const scope: SearchScope = { corpus_id: 'laws', layers: ['norm'] };
const layerOf = (name: string) => ({ ...mainLayer, name });
const facts = (docId: number, revision: number, more: Partial<RevisionFacts> = {}): RevisionFacts =>
  factsOf({
    doc_id: docId,
    corpus_id: 'laws',
    doc_key: `doc-${docId}`,
    revision,
    title: `Документ ${docId}`,
    lang: 'ru',
    layer: layerOf('norm'),
    content_hash: `hash-${docId}-${revision}`,
    ...more,
  });

export const chunk = (text: string, more: Partial<Chunk> = {}): Chunk & { text: string } => ({
  ...chunkOf(0, text.length, { chunk_index: '001', lang: 'ru' }),
  marks: [{ kind: 'page', page: 3, start: 0, end: text.length }],
  ...more,
  text,
});

/** A complete, published revision. */
export function revision(
  docId: number,
  rev: number,
  chunks: (Chunk & { text: string })[],
  more: Partial<RevisionFacts> = {},
  layer = 'norm',
): ChunkWrite[] {
  return [
    { op: 'chunks.revision', facts: facts(docId, rev, { layer: layerOf(layer), ...more }) },
    { op: 'chunks.add', doc_id: docId, revision: rev, first: 0, chunks },
    { op: 'chunks.publish', doc_id: docId, revision: rev },
  ];
}

const terms = (text: string) => ({ stems: words(text).map(stem), prefixes: words(text).map(prefix) });

/** What ranking reads from the index: term counts, and the visible chunks that contain one of the terms. */
async function described(search: ChunkSearch, layers: readonly string[], text: string): Promise<unknown> {
  const at = { corpus_id: 'laws', layers };
  const counts = await search.counts(at, terms(text));
  const ids = await search.candidates(at, terms(text), 1_000);
  const chunks = await search.indexed(ids);
  return { counts, chunks: chunks.map(({ id: _, ...chunk }) => chunk) };
}

/**
 * A deterministic embedder, `length`, known to the store under test: the length of the text's words, as an angle.
 */
export function lengthEmbedder(embedder: string, words: readonly string[]): Float32Array | null {
  const { length } = words.join(' ');
  return embedder === 'length' ? Float32Array.of(Math.cos(length), Math.sin(length)) : null;
}

/** `open` returns a store that computes the vectors of `lengthEmbedder`. */
export function chunkStoreContract(name: string, open: () => Promise<OpenedChunkStore>): void {
  describe(`chunks in ${name}`, () => {
    let store: OpenedChunkStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const found = async (text: string, at = scope) => {
      const passages = await store.search.passages(await store.search.candidates(at, terms(text), 10));
      return passages.map((passage) => passage.text);
    };

    it('shows a revision only once it is published', async () => {
      const [announce, add, publish] = revision(1, 1, [chunk('Президент избирается народом.')]);
      await store.write([announce!, add!]);
      expect(await found('президент')).toEqual([]);
      expect(await store.search.list(1, 10, 0)).toEqual({ items: [], total: 0 });
      await store.write([publish!]);
      expect(await found('президента')).toEqual(['Президент избирается народом.']);
    });

    it('replaces a revision in one step and removes the old one', async () => {
      await store.write(revision(1, 1, [chunk('Старый закон.'), chunk('Второй кусок закона.')]));
      const [announce, add, publish] = revision(1, 2, [chunk('Новый закон.')]);
      await store.write([announce!, add!]);
      expect(await found('закон')).toHaveLength(2);
      await store.write([publish!]);
      expect(await found('закон')).toEqual(['Новый закон.']);
      expect(await store.sweep(1)).toBe(1);
      expect(await store.sweep(10)).toBe(1);
      expect(await store.sweep(10)).toBe(0);
      expect(await found('закон')).toEqual(['Новый закон.']);
      expect((await store.search.list(1, 10, 0)).items.map((p) => p.facts.revision)).toEqual([2]);
    });

    it('removes a dropped revision and a withdrawn document', async () => {
      const [announce, add] = revision(1, 2, [chunk('Черновик закона.')]);
      await store.write([...revision(1, 1, [chunk('Закон.')]), announce!, add!]);
      await store.write([{ op: 'chunks.drop', doc_id: 1, revision: 2 }]);
      expect(await found('закон')).toEqual(['Закон.']);
      await store.write([{ op: 'chunks.publish', doc_id: 1, revision: 2 }]);
      expect(await found('закон')).toEqual(['Закон.']);
      await store.write([{ op: 'chunks.withdraw', doc_id: 1 }]);
      expect(await found('закон')).toEqual([]);
      expect(await store.sweep(10)).toBe(2);
      await store.write(revision(1, 3, [chunk('Закон снова в силе.')]));
      expect(await found('закон')).toEqual(['Закон снова в силе.']);
    });

    it('ignores chunks of a revision that was never announced', async () => {
      await store.write(revision(1, 1, [chunk('Закон.')]).slice(1));
      expect(await found('закон')).toEqual([]);
    });

    it('returns the best candidates first, by title, stem and prefix', async () => {
      await store.write([
        ...revision(1, 1, [chunk('Здесь сказано о налогах и сборах, и больше ни о чём.')], {
          title: 'Сборы',
        }),
        ...revision(2, 1, [chunk('Ставки перечислены ниже.')], { title: 'Налоги' }),
        ...revision(3, 1, [chunk('О погоде.')], { title: 'Погода' }),
        ...revision(4, 1, [chunk('Налогообложение описано здесь подробно.')], { title: 'Разное' }),
      ]);
      expect(await found('налоги')).toEqual([
        'Ставки перечислены ниже.',
        'Здесь сказано о налогах и сборах, и больше ни о чём.',
        'Налогообложение описано здесь подробно.',
      ]);
      expect(await store.search.candidates(scope, terms('налоги'), 1)).toHaveLength(1);
      expect(await store.search.candidates(scope, { stems: [], prefixes: [] }, 5)).toEqual([]);
    });

    it('finds chunks by their headings, and pairs by their question', async () => {
      await store.write(
        revision(1, 1, [
          chunk('Ответ первый.', { path: ['Раздел', 'Пошлины'], heading: 'Пошлины' }),
          chunk('Ответ второй.', { question: 'Можно ли вернуть деньги?' }),
        ]),
      );
      expect(await found('пошлина')).toEqual(['Ответ первый.']);
      expect(await found('деньги')).toEqual(['Ответ второй.']);
    });

    it('finds a Kazakh chunk by both stems of a word written without Kazakh letters', async () => {
      await store.write(
        revision(1, 1, [chunk('Сенаттан келді.', { lang: 'kk' }), chunk('Сенаттан пришли.', { lang: 'ru' })]),
      );
      const ids = await store.search.candidates(scope, { stems: ['сенат'], prefixes: [] }, 5);
      expect((await store.search.passages(ids)).map((p) => p.text)).toEqual(['Сенаттан келді.']);
    });

    it('separates corpora and layers, and searches only the given layers', async () => {
      await store.write([
        ...revision(1, 1, [chunk('Закон один.')]),
        ...revision(2, 1, [chunk('Закон два закон.')], {}, 'old'),
        ...revision(3, 1, [chunk('Закон три.')], {}, 'secret'),
        ...revision(4, 1, [chunk('Закон четыре.')], { corpus_id: 'other' }),
      ]);
      const of = (corpus_id: string, ...layers: string[]) => found('закон', { corpus_id, layers });
      expect(await found('закон')).toEqual(['Закон один.']);
      expect(await of('laws', 'old')).toEqual(['Закон два закон.']);
      expect((await of('laws', 'secret', 'norm')).sort()).toEqual(['Закон один.', 'Закон три.']);
      expect(await of('laws', 'none')).toEqual([]);
      expect(await of('laws')).toEqual([]);
      expect(await of('other', 'norm')).toEqual(['Закон четыре.']);
      expect(await of('none', 'norm')).toEqual([]);
      expect((await store.search.list(3, 10, 0)).items.map((p) => p.text)).toEqual(['Закон три.']);
    });

    it('moves a document when its layer changes', async () => {
      await store.write(revision(1, 1, [chunk('Закон.')]));
      await store.write(revision(1, 2, [chunk('Закон.')], {}, 'old'));
      expect(await found('закон')).toEqual([]);
      expect(await found('закон', { corpus_id: 'laws', layers: ['old'] })).toEqual(['Закон.']);
    });

    it('counts terms by language, and averages per chunk', async () => {
      await store.write([
        ...revision(1, 1, [chunk('Закон закон о налогах.'), chunk('заңдар', { lang: 'kk' })], {
          title: 'Налог',
        }),
        ...revision(2, 1, [chunk('Закон.')], { title: '' }, 'old'),
      ]);
      const both = { corpus_id: 'laws', layers: ['norm', 'old'] };
      const counts = await store.search.counts(both, {
        stems: ['закон', 'налог', 'нет'],
        prefixes: ['налог'],
      });
      const ru = { lang: 'ru', chunks: 2, stems: [2, 1, 0], prefixes: [1] };
      const kk = { lang: 'kk', chunks: 1, stems: [0, 1, 0], prefixes: [1] };
      expect(counts.sort((a, b) => a.chunks - b.chunks)).toMatchObject([kk, ru]);
      // A word with two stems is counted twice.
      expect(counts.reduce((sum, one) => sum + one.words, 0)).toBeCloseTo(9, 6);
      expect(counts.reduce((sum, one) => sum + one.titled, 0)).toBeCloseTo(3, 6);
      expect(await store.search.counts({ corpus_id: 'none', layers: ['norm'] }, terms('закон'))).toEqual([]);
    });

    it('restricts candidates to given documents', async () => {
      await store.write([1, 2, 3].flatMap((id) => revision(id, 1, [chunk(`Закон ${id}.`)])));
      const within = (...docIds: number[]) =>
        store.search.candidates(scope, terms('закон'), 10, new Set(docIds));
      const texts = async (ids: number[]) => (await store.search.passages(ids)).map((p) => p.text);
      expect(await texts(await within(2, 3, 9))).toEqual(['Закон 2.', 'Закон 3.']);
      expect(await within()).toEqual([]);
    });

    it('returns visible chunks in the form that ranking needs', async () => {
      const kazakh = { ...chunk('Сенаттан келді.'), path: ['Глава'], heading: 'Глава', lang: 'kk' as const };
      await store.write(revision(1, 1, [chunk('Закон.'), kazakh]));
      const ids = (await store.search.list(1, 10, 0)).items.map(({ id }) => id);
      const [, second] = ids;
      expect(await store.search.indexed([second!, 9_999])).toEqual([
        {
          id: second,
          doc_id: 1,
          ordinal: 1,
          layer: 'norm',
          lang: 'kk',
          ...fingerprint(words('Документ 1 Глава'), words('Сенаттан келді.'), 'kk'),
        },
      ]);
      await store.write([{ op: 'chunks.withdraw', doc_id: 1 }]);
      expect(await store.search.indexed(ids)).toEqual([]);
    });

    it('finds stems that sound alike or share a prefix', async () => {
      await store.write(revision(1, 1, [chunk('Президент Хабаровска', { heading: 'Проезд 12а' })]));
      expect(await store.search.stemsSounding(['nothing', 'habarovsk'])).toEqual(['хабаровск']);
      expect(await store.search.stemsBeginning('п', 8, 10)).toEqual(['президент']);
      expect((await store.search.stemsBeginning('п', 6, 9)).sort()).toEqual(['президент', 'проезд']);
      expect(await store.search.stemsBeginning('про', 1, 20)).toEqual(['проезд']);
    });

    it('finds structural numbers and neighbouring chunks', async () => {
      const article = (number: string) =>
        chunk(`Статья ${number}.`, { number, unit: 'article', chunk_index: number });
      await store.write([
        ...revision(1, 1, [
          article('1'),
          article('2'),
          chunk('Пункт.', { number: '2.1', unit: 'point' }),
          article('3'),
        ]),
        ...revision(2, 1, [article('2')]),
        ...revision(3, 1, [article('2')], {}, 'old'),
      ]);
      const two = await store.search.byNumber(scope, '2', 'article');
      expect(two.map((p) => p.facts.doc_id)).toEqual([1, 2]);
      expect(await store.search.byNumber(scope, '2', 'point')).toEqual([]);
      expect((await store.search.byNumber(scope, '2.1', null)).map((p) => p.text)).toEqual(['Пункт.']);
      expect(await store.search.numbers(scope, 'article')).toEqual(['1', '2', '3']);
      const around = await store.search.neighbours(two[0]!.id, 1);
      expect(around.map((p) => [p.ordinal, p.text])).toEqual([
        [0, 'Статья 1.'],
        [1, 'Статья 2.'],
        [2, 'Пункт.'],
      ]);
      expect(await store.search.neighbours(9_999, 1)).toEqual([]);
    });

    it('finds structural numbers in any form', async () => {
      const numbers = ['6¹', '23а', '23А', '5-2', '12.1.3', 'IV', '3 bis', 'a,b|c', '*', '{1}'];
      await store.write(
        revision(
          1,
          1,
          numbers.map((number) => chunk(`Статья ${number}.`, { number, unit: 'article' })),
        ),
      );
      expect(await store.search.numbers(scope, 'article')).toEqual(numbers);
      for (const number of numbers) {
        const found = await store.search.byNumber(scope, number, 'article');
        expect(found.map(({ chunk }) => chunk.number)).toEqual([number]);
      }
    });

    it('lists a document page by page, in order, across batches', async () => {
      const [announce] = revision(1, 1, []);
      const add = (first: number, texts: string[]): ChunkWrite => ({
        op: 'chunks.add',
        doc_id: 1,
        revision: 1,
        first,
        chunks: texts.map((text) => chunk(text)),
      });
      await store.write([announce!, add(0, ['a', 'b'])]);
      await store.write(revision(2, 1, [chunk('между')]));
      await store.write([add(2, ['c']), { op: 'chunks.publish', doc_id: 1, revision: 1 }]);
      const page = await store.search.list(1, 2, 1);
      expect([page.items.map((p) => p.text), page.total]).toEqual([['b', 'c'], 3]);
      expect(page.items[0]!.facts).toEqual(facts(1, 1));
      expect(page.items[0]!.chunk).toEqual({ ...chunk('b'), text: undefined });
    });

    it('returns the nearest vectors of visible chunks, and the coverage', async () => {
      const vector = (...values: number[]) => Float32Array.from(values);
      const vectors = (doc_id: number, revision: number, first: number, ...vectors: Float32Array[]) =>
        ({ op: 'chunks.vectors', doc_id, revision, embedder: 'e', first, vectors }) as const;
      await store.write([
        ...revision(1, 1, [chunk('раз'), chunk('два'), chunk('три')]),
        ...revision(2, 1, [chunk('четыре')]),
        vectors(1, 1, 1, vector(1, 0), vector(0, 1)),
        vectors(2, 1, 0, vector(0.6, 0.8)),
        { ...vectors(2, 1, 0, vector(1, 0, 0)), embedder: 'f' },
      ]);
      const near = async (embedder: string, ...values: number[]) => {
        const hits = await store.search.nearest(scope, embedder, vector(...values), 2);
        const passages = await store.search.passages(hits.map((hit) => hit.id));
        return passages.map((p, n) => [p.text, Number(hits[n]!.similarity.toFixed(4))]);
      };
      expect(await near('e', 1, 0)).toEqual([
        ['два', 1],
        ['четыре', 0.6],
      ]);
      expect(await near('f', 1, 0, 0)).toEqual([['четыре', 1]]);
      expect(await near('none', 1, 0)).toEqual([]);
      expect((await store.search.embedders()).sort()).toEqual(['e', 'f']);
      const laws = (chunks: number, embedded: number) => [{ corpus_id: 'laws', chunks, embedded }];
      expect(await store.search.coverage('e')).toEqual(laws(4, 3));
      expect(await store.search.coverage('e', [1])).toEqual(laws(3, 2));
      expect(await store.search.coverage('none', [2, 1, 7])).toEqual(laws(4, 0));
      expect(await store.search.coverage('e', [])).toEqual([]);
      expect(await store.search.embeddedByDocument('e')).toEqual([
        { doc_id: 1, embedded: 2 },
        { doc_id: 2, embedded: 1 },
      ]);
      expect(await store.search.embeddedByDocument('e', [2, 7])).toEqual([{ doc_id: 2, embedded: 1 }]);
      await store.write([
        ...revision(1, 2, [chunk('пять')]),
        vectors(1, 2, 0, vector(0, 1)),
        vectors(1, 2, 0, vector(1, 0)),
      ]);
      expect(await near('e', 1, 0)).toEqual([
        ['пять', 1],
        ['четыре', 0.6],
      ]);
    });

    it("computes a deterministic embedder's vectors from title, headings and text", async () => {
      const pair = { ...chunk('Да.'), path: ['Глава'], heading: 'Глава', question: 'Можно?' };
      await store.write([
        ...revision(1, 1, [chunk('раз'), pair, chunk('три')]),
        ...revision(2, 1, [chunk('четыре')]),
        { op: 'chunks.embed', doc_id: 1, revision: 1, embedder: 'length', first: 1, count: 5 },
        { op: 'chunks.embed', doc_id: 2, revision: 1, embedder: 'unknown', first: 0, count: 1 },
        { op: 'chunks.embed', doc_id: 3, revision: 1, embedder: 'length', first: 0, count: 1 },
      ]);
      const { items } = await store.search.list(1, 10, 0);
      const ids = items.map(({ id }) => id);
      expect((await store.search.embedded(ids, 'length')).sort()).toEqual(ids.slice(1).sort());
      expect(await store.search.embedded(ids, 'unknown')).toEqual([]);
      expect(await store.search.embeddedByDocument('length')).toEqual([{ doc_id: 1, embedded: 2 }]);
      const read = words(`${items[1]!.facts.title} Глава Можно?\nДа.`);
      const [best] = await store.search.nearest(scope, 'length', lengthEmbedder('length', read)!, 1);
      expect(best).toEqual({ id: ids[1], similarity: expect.closeTo(1, 6) });
    });

    it('computes the same vectors later as right after the chunks were written', async () => {
      const texts = [chunk('Первое слово.'), chunk('Второе, длиннее.')];
      const embed = (doc_id: number) =>
        ({ op: 'chunks.embed', doc_id, revision: 1, embedder: 'length', first: 0, count: 2 }) as const;
      await store.write([
        ...revision(1, 1, texts),
        embed(1),
        ...[2, 3].flatMap((id) => revision(id, 1, texts)),
      ]);
      await store.write([embed(2), embed(3)]);
      const near = await store.search.nearest(
        scope,
        'length',
        lengthEmbedder('length', words('Документ 1 Первое слово'))!,
        6,
      );
      const ids = await Promise.all(
        [1, 2, 3].map(async (id) => (await store.search.list(id, 1, 0)).items[0]!.id),
      );
      const same = near.filter(({ similarity }) => similarity > 1 - 1e-6);
      expect(same.map(({ id }) => id).sort()).toEqual(ids.sort());
    });

    it('reports changes once, in batches, and nothing without changes', async () => {
      await store.write([1, 2, 3].flatMap((id) => revision(id, 1, [chunk(`Закон номер ${id}.`)])));
      const first = await store.search.changes(0, 2);
      expect(first.changed.map((c) => c.doc_id)).toEqual([1, 2]);
      const second = await store.search.changes(first.stamp, 2);
      expect(second.changed.map((c) => c.doc_id)).toEqual([3]);
      expect(await store.search.changes(second.stamp, 2)).toEqual({ stamp: second.stamp, changed: [] });
      await store.write([{ op: 'chunks.withdraw', doc_id: 2 }]);
      const third = await store.search.changes(second.stamp, 2);
      expect(third.changed).toEqual([{ doc_id: 2, document: null }]);
    });

    it('returns document metadata: the date and short facts by field', async () => {
      const metadata = { speaker: 'Jane Doe', position: 'Mayor of Saz', pages: 3, file: 'a/b.pdf' };
      await store.write(revision(1, 1, [chunk('Речь о воде.')], { event_date: '2024-05-01', metadata }));
      await store.write(revision(1, 2, [chunk('Речь о воде.')], { event_date: '2024-06', metadata: {} }));
      await store.write(revision(2, 1, [chunk('Речь о воде.')], { metadata }));
      const { changed } = await store.search.changes(0, 10);
      expect(changed.map(({ document }) => document)).toMatchObject([
        { title: 'Документ 1', event_date: '2024-06', stated: {} },
        { title: 'Документ 2', event_date: null, stated: { speaker: 'Jane Doe', position: 'Mayor of Saz' } },
      ]);
    });

    it('finds the same chunks regardless of earlier writes, once outdated revisions are swept', async () => {
      const texts = [
        'Закон о налогах',
        'Президент и парламент',
        'заңдар туралы Закон',
        'a tax law',
        'Парламент',
      ];
      const doc = fc.integer({ min: 1, max: 4 });
      const step = fc.oneof(
        fc.record({
          do: fc.constant('publish' as const),
          doc,
          texts: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 }),
          layer: fc.constantFrom('norm', 'norm', 'old'),
        }),
        fc.record({ do: fc.constant('withdraw' as const), doc }),
        fc.record({ do: fc.constant('read' as const) }),
        fc.record({ do: fc.constant('sweep' as const) }),
      );
      const read = (search: ChunkSearch) => described(search, ['norm', 'old'], texts.join(' '));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          const [own, fresh] = [await open(), await open()];
          try {
            const shown = new Map<number, ChunkWrite[]>();
            let rev = 0;
            for (const s of steps) {
              if (s.do === 'publish') {
                const chunks = s.texts.map((text) =>
                  chunk(text, { lang: text.includes('заң') ? 'kk' : 'ru' }),
                );
                const writes = revision(s.doc, ++rev, chunks, {}, s.layer);
                shown.delete(s.doc);
                shown.set(s.doc, writes);
                await own.write(writes);
              } else if (s.do === 'withdraw') {
                shown.delete(s.doc);
                await own.write([{ op: 'chunks.withdraw', doc_id: s.doc }]);
              } else if (s.do === 'sweep') await own.sweep(100);
              else await read(own.search);
            }
            for (const writes of shown.values()) await fresh.write(writes);
            await own.sweep(100);
            const chunksOf = async (search: ChunkSearch) => {
              const { chunks } = (await read(search)) as { chunks: { doc_id: number; ordinal: number }[] };
              return chunks.sort((a, b) => a.doc_id - b.doc_id || a.ordinal - b.ordinal);
            };
            expect(await chunksOf(own.search)).toEqual(await chunksOf(fresh.search));
          } finally {
            await own.close();
            await fresh.close();
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
