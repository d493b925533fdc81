import { expect, it } from 'vitest';
import { recordLines } from '../../../tools/evaluation/printing.ts';

it('prints one record per line, with empty cells for missing fields', () => {
  const rows = [{ kind: 'a', ms: 1.23456 }, { kind: 'b', refused: null }, { kind: 'c' }];
  expect([...recordLines(rows)]).toEqual([
    'kind      ms  refused',
    'a     1.2346',
    'b                   –',
    'c',
  ]);
});

it('prints one record per column if there are more fields than records', () => {
  expect([...recordLines([{ chunks: 1000, p50_ms: 1234.5 }])]).toEqual(['chunks  1000', 'p50_ms  1235']);
});
