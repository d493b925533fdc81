import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byBytes, differingFields, union } from '../../src/history/entry-names.ts';
import { SortedTexts } from '../../src/search/redis/sorted-texts.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 4 });
const bytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

async function* portions(texts: readonly string[], size: number) {
  for (let at = 0; at < texts.length; at += size) yield texts.slice(at, at + size);
}

describe('names', () => {
  it('are in the order of their UTF-8 bytes, in a store of any size', () => {
    fc.assert(fc.property(text, text, (a, b) => Math.sign(byBytes(a, b)) === bytes(a, b)));
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 1, max: 3 }), (texts, size) => {
        const sorted = new SortedTexts();
        sorted.add(texts);
        const found = [...sorted.portions(size)];
        sorted.close();
        expect(found.flat()).toEqual([...new Set(texts)].sort(bytes));
        expect(Math.max(0, ...found.map((portion) => portion.length))).toBeLessThanOrEqual(size);
      }),
    );
  });

  it('of two builds form one sequence, regardless of the page size', async () => {
    const size = fc.integer({ min: 1, max: 5 });
    const sizes = fc.tuple(size, size, size);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text), fc.uniqueArray(text), sizes, async (a, b, [x, y, z]) => {
        const found: string[][] = [];
        for await (const portion of union(portions(a.toSorted(bytes), x), portions(b.toSorted(bytes), y), z))
          found.push(portion);
        expect(found.flat()).toEqual([...new Set([...a, ...b])].sort(bytes));
        expect(found.slice(0, -1).every((portion) => portion.length === z)).toBe(true);
      }),
    );
  });
});

describe('fields that differ', () => {
  it('are reported as paths up to two levels deep, and not at all if the stored data is damaged', () => {
    const record = (doc: object) => JSON.stringify({ made: 3, doc });
    expect(differingFields(record({ a: 1, b: [1] }), record({ a: 2, b: [1] }))).toEqual(['doc.a']);
    expect(differingFields(record({ a: { x: 1 } }), record({ a: { x: 2 }, b: 0 }))).toEqual([
      'doc.a',
      'doc.b',
    ]);
    expect(differingFields('{"made":1,"doc":{}}', '{"made":2,"doc":null}')).toEqual(['doc', 'made']);
    expect(differingFields('{"made":1,"doc":{', record({}))).toEqual([]);
    expect(differingFields('"1"', '"2"')).toEqual([]);
  });
});
