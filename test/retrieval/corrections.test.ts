import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Corrections } from '../../src/retrieval/corrections.ts';
import type { PartitionTerms } from '../../src/retrieval/forward-index.ts';
import { editDistance } from '../../src/text/edit-distance.ts';
import { termPartition } from './term-partition.ts';

/** A partition of one chunk for each text. */
function partitionOf(texts: string[]): { partition: PartitionTerms; corrections: Corrections } {
  const all = texts.map((text) => text.split(' '));
  const { partition, vocabulary } = termPartition(
    [...new Set(all.flat())],
    all.map((body) => ({ body })),
  );
  return { partition, corrections: new Corrections(vocabulary.stems) };
}

const named = (partition: PartitionTerms, id: number) => partition.vocabulary.stems.list[id];

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
  const { partition, corrections } = partitionOf(['пушкина хабаровск', 'server']);
  it('finds a name in the other script, endings aside', () => {
    expect(named(partition, corrections.soundAlike('pushkin', partition))).toBe('пушкин');
    expect(named(partition, corrections.soundAlike('pushkinu', partition))).toBe('пушкин');
    expect(named(partition, corrections.soundAlike('khabarovsk', partition))).toBe('хабаровск');
    expect(named(partition, corrections.soundAlike('сервер', partition))).toBe('server');
  });
  it('finds nothing within the same script', () => {
    expect(corrections.soundAlike('хабаровскк', partition)).toBe(0);
  });
});
