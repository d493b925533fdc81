import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sectionsOf } from '../../../src/retrieval/lexicon/sections.ts';
import { align, findTwins } from '../../../src/retrieval/lexicon/twins.ts';
import { act, whole, written } from './documents.ts';

const keysOf = (documents: Parameters<typeof findTwins>[0]) =>
  whole(findTwins(documents)).map(({ a, b }) => [a.doc_key, b.doc_key]);

describe('twins', () => {
  it('are an act and its translation, not another act with the same numbers', () => {
    const documents = [
      written(act(1), { lang: 'ru', doc_id: 1 }),
      written(act(2), { lang: 'ru', doc_id: 2 }),
      written(act(2), { lang: 'en', doc_id: 3 }),
      written(act(3), { lang: 'en', doc_id: 4 }),
    ];
    expect(keysOf(documents)).toEqual([['en-3', 'ru-2']]);
  });

  it('are found without numbers too, where one has a section that the other lacks', () => {
    const meanings = act(5);
    const shorter = meanings.toSpliced(7, 1);
    const [a, b] = [
      written(meanings, { lang: 'ru', numbered: false }),
      written(shorter, { lang: 'en', numbered: false }),
    ];
    const { pairs } = align(a.sections, b.sections)!;
    expect(pairs).toEqual(meanings.flatMap((_, n) => (n === 7 ? [] : [[n, n < 7 ? n : n - 1]])));
    expect(align(a.sections, written(act(6), { lang: 'en', numbered: false }).sections)).toBeNull();
  });

  it('stand in one layer', () => {
    const meanings = act(1);
    expect(
      keysOf([written(meanings, { lang: 'ru' }), written(meanings, { lang: 'en', doc_id: 2, layer: 'old' })]),
    ).toEqual([]);
  });

  it('are the same whatever the order of the documents', () => {
    const documents = [1, 2, 3].flatMap((seed) => [
      written(act(seed), { lang: 'ru', doc_id: seed }),
      written(act(seed), { lang: 'en', doc_id: 10 + seed }),
    ]);
    const expected = keysOf(documents);
    expect(expected).toHaveLength(3);
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: documents.length }), (shuffled) => {
        expect(keysOf(shuffled)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });
});

describe('sections', () => {
  it('are whole again where an article was cut into several chunks', () => {
    const chunk = {
      heading: 'Статья 4',
      path: [],
      unit: 'article',
      question: null,
      lang: 'ru' as const,
      start: 0,
      end: 1,
    };
    const sections = sectionsOf([
      { ordinal: 0, text: 'Одно.', chunk: { ...chunk, chunk_index: '4', number: '4' } },
      { ordinal: 1, text: 'Другое.', chunk: { ...chunk, chunk_index: '4~2', number: '4~2' } },
      { ordinal: 2, text: 'Пятое.', chunk: { ...chunk, chunk_index: '5', number: '5', heading: 'Статья 5' } },
    ]);
    expect(sections.map(({ number, text, ordinals }) => [number, text, ordinals])).toEqual([
      ['article 4', 'Одно.\nДругое.', [0, 1]],
      ['article 5', 'Пятое.', [2]],
    ]);
  });
});
