import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countMax,
  countShift,
  inTitle,
  SegmentBuilder,
  span,
} from '../../src/search/sqlite/segment-builder.ts';
import { marks } from '../../src/text/fingerprint.ts';

/** Terms of stems and of prefixes do not overlap, apart from rare collisions of their hashes. */
const stem = fc.oneof(fc.integer({ min: 2, max: 9 }), fc.constant(0xffffffff));
const prefix = fc.oneof(
  fc.integer({ min: 100, max: 105 }),
  fc.constantFrom(marks.stopWord, marks.secondStem, 0xfffffffe),
);
const chunk = fc.record({
  words: fc.array(fc.tuple(stem, prefix), { maxLength: 30 }),
  titled: fc.nat({ max: 5 }),
});
const chunks = fc.uniqueArray(fc.tuple(fc.nat({ max: span - 1 }), chunk), {
  selector: ([at]) => at,
  maxLength: 8,
});

test('the lists contain every term of every chunk, with its frequency and whether it is in the title', () => {
  fc.assert(
    fc.property(chunks, (made) => {
      const builder = new SegmentBuilder({ partition: 1, lang: 'en' });
      const expected = new Map<number, Map<number, number>>();
      const set = (term: number, at: number, entry: number) =>
        expected.set(term, (expected.get(term) ?? new Map<number, number>()).set(at, entry));
      for (const [at, { words, titled }] of made.toSorted(([a], [b]) => a - b)) {
        const tokens = Uint32Array.from(words.flat());
        builder.add(at, { tokens: new Uint8Array(tokens.buffer), titled });
        for (const [term, mark] of words) {
          const times = words.filter(([other]) => other === term).length;
          const first = words.findIndex(([other]) => other === term);
          const flag = first < titled ? inTitle : 0;
          set(term, at, at | flag | (Math.min(times, countMax) << countShift));
          if (mark > marks.secondStem) set(mark, at, at | (1 << countShift));
        }
      }
      const lists = [...builder.lists()].map(([term, entries]) => [term, [...entries]]);
      const wanted = [...expected].sort(([a], [b]) => a - b).map(([term, by]) => [term, [...by.values()]]);
      expect(lists).toEqual(wanted);
      expect(builder.words).toBe(made.reduce((sum, [, { words }]) => sum + words.length, 0));
    }),
  );
});
