/** Limits of a JSON body: text of any length, but not a hundred thousand names or lists. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';
import { overBudget } from '../hostile/budget.ts';

const read = (text: string) => parseJson(Buffer.from(text));

test.each([
  ['nested lists', '['.repeat(100_000)],
  ['nested objects', '{"a":'.repeat(100_000)],
  ['a list of strings', JSON.stringify(Array(200_000).fill(''))],
  ['an object with many names', `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
])('rejects %s with too many values', (_name, text) => {
  expect(read(text)).toEqual({ ok: false, offset: expect.any(Number), error: 'Too many values' });
});

test('parses a list of numbers of any length, so that the error can name the expected type', () => {
  const list = Array(100_000).fill(1);
  expect(read(JSON.stringify(list))).toEqual({ ok: true, value: list });
});

test('allows any number of commas, brackets, quotes and escapes in strings', () => {
  for (const unit of [',', '[', '{', ':', '"', '\\', '\u0001', '\\"'])
    expect(read(JSON.stringify({ query: unit.repeat(60_000) }))).toEqual({
      ok: true,
      value: { query: unit.repeat(60_000) },
    });
});

test('parses any valid JSON, large or small', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, large) => {
      const body = large ? [value, '"\\,'.repeat(12_000)] : value;
      expect(read(JSON.stringify(body))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(body)) });
    }),
  );
});

test('reports the byte offset of invalid UTF-8 at any position', () => {
  for (const before of [0, 1, 3, 32 * 1024 - 1, 32 * 1024, 100_001])
    for (const unit of ['a', 'я', '中', '🙂']) {
      const good = Buffer.from(unit.repeat(before));
      expect(parseJson(Buffer.concat([good, Buffer.from([0xff, 0x41])]))).toEqual({
        ok: false,
        offset: good.length,
        error: 'Invalid UTF-8',
      });
    }
});

test.each<[string, string | Buffer]>([
  ['endless escapes', `["${'\\\\'.repeat(900_000)}`],
  ['malformed strings', '"a'.repeat(900_000)],
  ['empty strings', `["${'","'.repeat(600_000)}"]`],
  ['numbers', `[${'1,'.repeat(900_000)}1]`],
  ['spaces', ' '.repeat(1_900_000)],
  ['text with an invalid last byte', Buffer.from(`"${'я'.repeat(1_000_000)}\u00ff`, 'utf8').subarray(0, -1)],
])('parses two megabytes of %s within the budget', (_name, body) => {
  const bytes = Buffer.from(body);
  expect(overBudget(() => parseJson(bytes))).toBeNull();
});
