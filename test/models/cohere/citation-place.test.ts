import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locateCitation } from '../../../src/models/cohere/citation-location.ts';

const units = {
  'code points': (text: string) => [...text].length,
  'UTF-16 units': (text: string) => text.length,
  bytes: (text: string) => Buffer.byteLength(text),
};

/** Words in three languages with emoji among them, and the position of one of them. */
const cited = fc
  .array(
    fc.constantFrom('Сенат', 'құқық', 'үкімет', 'the', 'court', '😀', '👩‍⚖️', 'ё', 'Ө', 'срок', '🇰🇿', '2026'),
    { minLength: 1, maxLength: 30 },
  )
  .chain((list) => fc.tuple(fc.constant(list), fc.nat(list.length - 1), fc.nat(3)));

it.each(Object.entries(units))('finds words by offsets counted %s', (_, length) => {
  fc.assert(
    fc.property(cited, ([list, first, more]) => {
      const answer = list.join(' ');
      const before = list.slice(0, first).join(' ');
      const at = first === 0 ? 0 : before.length + 1;
      const text = list.slice(first, first + 1 + more).join(' ');
      const start = length(answer.slice(0, at));
      const place = locateCitation(answer, { start, end: start + length(text), text });
      expect(place).not.toBeNull();
      expect(answer.slice(place!.start, place!.end)).toBe(text);
      if (length === units['code points']) expect(place!.start).toBe(at);
    }),
  );
});

it('uses the nearest occurrence of the words if the offsets are wrong', () => {
  const answer = 'Сенат избирают. 😀 Сенат работает. Сенат собирается.';
  expect(locateCitation(answer, { start: 20, end: 25, text: 'Сенат' })).toEqual({ start: 19, end: 24 });
  expect(locateCitation(answer, { start: -7, end: 9999, text: 'Сенат' })).toEqual({ start: 0, end: 5 });
  expect(locateCitation(answer, { start: 1e9, end: 1e9 + 5, text: 'Сенат' })?.start).toBe(35);
  expect(locateCitation(answer, { text: 'работает' })).toEqual({ start: 25, end: 33 });
});

it('has no location for words that do not occur, or for no words', () => {
  expect(locateCitation('Сенат', { start: 0, end: 5, text: 'Мажилис' })).toBeNull();
  expect(locateCitation('Сенат', { start: 0, end: 5, text: ' ' })).toBeNull();
  expect(locateCitation('Сенат', { start: 0, end: 5 })).toBeNull();
});
