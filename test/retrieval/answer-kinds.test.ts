import { expect, it } from 'vitest';
import { holdsFigure } from '../../src/retrieval/answer-kinds.ts';

it.each<[Parameters<typeof holdsFigure>[0], string, boolean]>([
  [['duration'], 'Избирается на шесть лет.', true],
  [['duration'], 'Должность упраздняется с 1 июля 2026 года.', false],
  [['duration'], '2026 жылғы 1 шілдеден бастап жойылады.', false],
  [['money'], 'The fee is 40 dollars.', true],
  [['money'], 'The fee is set by the council.', false],
  [['person'], 'No figure at all.', true],
  [['person', 'number'], 'No figure at all.', false],
  [[], 'No figure at all.', true],
])('of %j it knows whether "%s" holds a figure', (kinds, text, holds) => {
  expect(holdsFigure(kinds, text)).toBe(holds);
});
