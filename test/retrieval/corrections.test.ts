import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Corrections } from '../../src/retrieval/corrections.ts';
import type { SpaceTerms } from '../../src/retrieval/forward-index.ts';
import { editDistance } from '../../src/text/edit-distance.ts';
import { stem } from '../../src/text/words.ts';
import { termSpace } from './term-space.ts';

/** A space of one chunk for each text. */
function spaceOf(texts: string[]): { space: SpaceTerms; corrections: Corrections } {
  const all = texts.map((text) => text.split(' '));
  const { space, vocabulary } = termSpace(
    [...new Set(all.flat())],
    all.map((body) => ({ body })),
  );
  return { space, corrections: new Corrections(vocabulary.stems) };
}

const named = (space: SpaceTerms, id: number) => space.vocabulary.stems.list[id];

describe('editDistance', () => {
  it('counts inserts, deletes, replacements and swaps', () => {
    expect(editDistance('закон', 'закон', 2)).toBe(0);
    expect(editDistance('закн', 'закон', 2)).toBe(1);
    expect(editDistance('зкаон', 'закон', 2)).toBe(1);
    expect(editDistance('закан', 'закон', 2)).toBe(1);
    expect(editDistance('дом', 'закон', 2)).toBe(3);
  });
  it('is symmetric, and stops at the bound', () => {
    const word = fc.stringMatching(/^[абв]{0,7}$/);
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const far = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(far);
        expect(editDistance(a, b, most)).toBe(Math.min(far, most + 1));
      }),
    );
  });
});

describe('soundAlike', () => {
  const { space, corrections } = spaceOf(['пушкина хабаровск', 'server']);
  it('finds a name in the other script, endings aside', () => {
    expect(named(space, corrections.soundAlike('pushkin', space))).toBe('пушкин');
    expect(named(space, corrections.soundAlike('pushkinu', space))).toBe('пушкин');
    expect(named(space, corrections.soundAlike('khabarovsk', space))).toBe('хабаровск');
    expect(named(space, corrections.soundAlike('сервер', space))).toBe('server');
  });
  it('finds nothing within the same script', () => {
    expect(corrections.soundAlike('хабаровскк', space)).toBe(0);
  });
});

describe('cognates', () => {
  const { space, corrections } = spaceOf(['бакеты', 'центра', 'процентов', 'комары', 'проекта']);
  const of = (word: string) =>
    corrections.cognates(stem(word), space).map(({ id, isSame }) => [named(space, id), isSame]);

  it('are loan words in another script that differ in vowels alone', () => {
    expect(of('buckets')).toEqual([['бакет', false]]);
    expect(of('centre')).toEqual([['центр', true]]);
    expect(of('percent')).toEqual([['процент', false]]);
  });

  it('are no words of the same script, nor such as differ more', () => {
    expect(of('букет')).toEqual([]);
    expect(of('bouquetry')).toEqual([]);
    expect(of('object')).toEqual([]);
  });
});
