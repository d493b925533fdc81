import { expect, test } from 'vitest';
import { between } from '../../src/admin/context.ts';

const [early, late] = ['2026-11-30T10:00:00.000Z', '2026-12-01T00:00:00.000Z'];

test.each([
  [{}, {}],
  [{ from: early }, { between: { field: 'at', from: early } }],
  [{ before: late, asOf: early }, { between: { field: 'at', before: early } }],
  [{ before: early, asOf: late }, { between: { field: 'at', before: early } }],
  [{ asOf: early }, { between: { field: 'at', before: early } }],
])('a range ends at the earlier of its end and the time of the export: %j', (range, expected) => {
  expect(between('at', range)).toEqual(expected);
});
