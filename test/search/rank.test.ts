import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import type { IndexedChunk } from '../../src/ports/chunk-search.ts';
import { type RankedTerm, Ranking } from '../../src/search/rank.ts';
import { fingerprint, prefixId, stemId } from '../../src/text/fingerprint.ts';
import { prefix, stem } from '../../src/text/words.ts';

interface Text {
  title: string[];
  body: string[];
}

const idfIn = (fields: string[][], term: string): number => {
  const df = fields.filter((list) => list.includes(term)).length;
  return Math.log(1 + (fields.length - df + 0.5) / (df + 0.5));
};
const wholeOf = ({ title, body }: Text) => [...title, ...body];
const average = (lists: string[][]) => lists.reduce((sum, list) => sum + list.length, 0) / lists.length;

/** The formula of rank.ts without its shortcuts: BM25 over lists of terms. */
function naive(texts: Text[], question: string[], n: number): number {
  const bm = (fields: string[][], asked: string[], b: number, idfFields = fields): number =>
    asked.reduce((sum, term) => {
      const tf = fields[n]!.filter((other) => other === term).length;
      const norm = 1.2 * (1 - b + (b * fields[n]!.length) / (average(fields) || 1));
      return sum + (idfIn(idfFields, term) * tf * 2.2) / (tf + norm);
    }, 0);
  const stemmed = texts.map((text) => wholeOf(text).map(stem));
  const titles = texts.map(({ title }) => title.map(stem));
  const prefixes = texts.map((text) => wholeOf(text).map(prefix));
  return (
    bm(stemmed, question.map(stem), 0.75) +
    0.4 * bm(titles, question.map(stem), 0.3, stemmed) +
    0.7 * bm(prefixes, question.map(prefix), 0.75)
  );
}

const chunkOf = ({ title, body }: Text, n: number, lang: Language = 'ru'): IndexedChunk => ({
  id: n + 1,
  doc_id: n + 1,
  ordinal: 0,
  layer: 'main',
  lang,
  ...fingerprint(title, body, lang),
});

const vocabularyWords = 'налог налоги налогоплательщик сбор сборы закон tax taxes taxation'.split(' ');

it('gives the same scores as the plain formula', () => {
  const list = (maxLength: number, minLength = 0) =>
    fc.array(fc.constantFrom(...vocabularyWords), { minLength, maxLength });
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: list(3), body: list(30, 1) }), { minLength: 1, maxLength: 6 }),
      list(5, 1),
      (texts, question) => {
        const weighted = (names: string[], id: (name: string) => number, cut: (word: string) => string) =>
          [...new Set(names)].map(
            (name): RankedTerm => ({
              id: id(name),
              weight: names.filter((other) => other === name).length,
              idf: idfIn(
                texts.map((text) => wholeOf(text).map(cut)),
                name,
              ),
            }),
          );
        const names = question.map(stem);
        const stems = weighted(names, stemId, stem);
        const ranking = new Ranking({
          stems,
          content: names.map((name) => [...new Set(names)].indexOf(name)),
          prefixes: weighted(question.map(prefix), prefixId, prefix),
          averages: { words: average(texts.map(wholeOf)), titled: average(texts.map(({ title }) => title)) },
        });
        ranking.read(texts.map((text, n) => chunkOf(text, n)));
        for (const { chunk, bm25, pairs, window, title } of ranking.ranked([])) {
          expect(bm25).toBeCloseTo(naive(texts, question, chunk.id - 1), 9);
          for (const share of [pairs, window, title]) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1 + 1e-9);
          }
        }
      },
    ),
  );
});

it('counts the second stem of a word only in Kazakh chunks', () => {
  const text = { title: [], body: ['сенаттан'] };
  const term = { id: stemId('сенат'), weight: 1, idf: 1 };
  const ranking = new Ranking({
    stems: [term],
    content: [0],
    prefixes: [],
    averages: { words: 1, titled: 0 },
  });
  ranking.read([chunkOf(text, 0, 'ru'), chunkOf(text, 1, 'kk')]);
  expect(ranking.ranked([]).map(({ bm25, window }) => [bm25 > 0, window])).toEqual([
    [false, 0],
    [true, 1],
  ]);
});
