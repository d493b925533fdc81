/** What a body may be: JSON of any text, and not of a hundred thousand names or lists. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';

const read = (text: string) => parseJson(Buffer.from(text));

test.each([
  ['lists in lists', '['.repeat(100_000)],
  ['objects in objects', '{"a":'.repeat(100_000)],
  ['an object of names', `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
])('%s is refused where it has too many values', (_name, text) => {
  expect(read(text)).toEqual({ ok: false, offset: expect.any(Number), error: 'Too many values' });
});

test('a list of numbers is read, however long: who sends one is told what was expected', () => {
  const list = Array(100_000).fill(1);
  expect(read(JSON.stringify(list))).toEqual({ ok: true, value: list });
});

test('texts hold any number of commas, brackets, quotes and escapes', () => {
  for (const unit of [',', '[', '{', ':', '"', '\\', '\u0001', '\\"'])
    expect(read(JSON.stringify({ query: unit.repeat(60_000) }))).toEqual({
      ok: true,
      value: { query: unit.repeat(60_000) },
    });
});

test('whatever is JSON is read, large or small', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, large) => {
      const body = large ? [value, '"\\,'.repeat(12_000)] : value;
      expect(read(JSON.stringify(body))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(body)) });
    }),
  );
});
