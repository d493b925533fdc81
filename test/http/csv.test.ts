import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line } from '../../src/admin/csv.ts';

describe('a CSV row', () => {
  it.each([
    '=1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
  ])('writes %j as text, not as a formula', (text) => {
    expect(parse(line([text]))[0]).toEqual([`'${text}`]);
  });

  it('keeps every kind of line break inside one cell', () => {
    expect(line(['a;=1', 'b\t=1', 'plain', 7, null, true])).toBe('"a;=1","b\t=1",plain,7,,true\r\n');
  });

  it('round-trips all text, except for the apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), (cells) => {
        const [read] = parse(line(cells), { relax_column_count: true }) as string[][];
        expect(read!.map((cell, n) => (cell === `'${cells[n]}` ? cells[n] : cell))).toEqual(cells);
      }),
    );
  });
});
