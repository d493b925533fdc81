import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ranker } from '../../src/retrieval/rank.ts';
import { grams, prefix, stem } from '../../src/text/words.ts';
import { termPartition } from './term-partition.ts';

interface Text {
  title: string[];
  body: string[];
}

/** The formula of rank.ts without its shortcuts: BM25 over lists of terms. */
function naive(texts: Text[], question: string[], n: number): number {
  const count = (list: string[], term: string) => list.filter((other) => other === term).length;
  const bm = (fields: string[][], asked: string[], b: number): number => {
    const average = fields.reduce((sum, list) => sum + list.length, 0) / fields.length || 1;
    let sum = 0;
    for (const term of asked) {
      const df = fields.filter((list) => list.includes(term)).length;
      const idf = Math.log(1 + (fields.length - df + 0.5) / (df + 0.5));
      const tf = count(fields[n]!, term);
      sum += (idf * tf * 2.2) / (tf + 1.2 * (1 - b + (b * fields[n]!.length) / average));
    }
    return sum;
  };
  const whole = texts.map((text) => [...text.title, ...text.body]);
  const of = (make: (word: string) => string[]) => whole.map((list) => list.flatMap(make));
  const stemmed = (list: string[]) => list.map(stem);
  return (
    bm(whole.map(stemmed), stemmed(question), 0.75) +
    0.4 *
      bm(
        texts.map((text) => stemmed(text.title)),
        stemmed(question),
        0.3,
      ) +
    0.6 *
      bm(
        of((word) => [prefix(word)]),
        question.map(prefix),
        0.75,
      ) +
    0.15 * bm(of(grams), question.flatMap(grams), 0.75)
  );
}

const vocabularyWords = [
  'налог',
  'налоги',
  'налогоплательщик',
  'сбор',
  'сборы',
  'закон',
  'tax',
  'taxes',
  'taxation',
];

it('scores as the plain formula does', () => {
  const list = (maxLength: number, minLength = 0) =>
    fc.array(fc.constantFrom(...vocabularyWords), { minLength, maxLength });
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: list(3), body: list(30, 1) }), { minLength: 1, maxLength: 6 }),
      list(5, 1),
      (texts, question) => {
        const { partition, vocabulary } = termPartition(vocabularyWords, texts);
        const weighted = (names: number[]) =>
          [...new Set(names)].map((id) => ({ id, weight: names.filter((other) => other === id).length }));
        const stems = question.map((word) => vocabulary.stems.find(stem(word)));
        const asked = {
          stems: weighted(stems),
          content: stems,
          prefixes: weighted(question.map((word) => vocabulary.prefixes.find(prefix(word)))),
          grams: weighted(question.flatMap(grams).map((piece) => vocabulary.grams.find(piece))),
        };
        const ranked = new Ranker(partition).rank(
          asked,
          texts.map((_, n) => n),
        );
        for (const { slot, bm25, pairs, window, title } of ranked) {
          expect(bm25).toBeCloseTo(naive(texts, question, slot), 9);
          for (const share of [pairs, window, title]) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1 + 1e-9);
          }
        }
        const scores = ranked.map((candidate) => candidate.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      },
    ),
  );
});

it('counts the other stem of a word in Kazakh chunks alone', () => {
  const body = ['сенаттан'];
  const { partition, vocabulary } = termPartition(body, [
    { body, lang: 'ru' },
    { body, lang: 'kk' },
  ]);
  const id = vocabulary.stems.find('сенат');
  const asked = { stems: [{ id, weight: 1 }], content: [id], prefixes: [], grams: [] };
  const ranked = new Ranker(partition).rank(asked, [0, 1]);
  expect(ranked.map(({ slot, bm25, window }) => [slot, bm25 > 0, window])).toEqual([
    [1, true, 1],
    [0, false, 0],
  ]);
});
