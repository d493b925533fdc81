import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSides } from '../../src/answering/kinds/comparison/recognise.ts';
import { withoutEditions } from '../../src/question/editions.ts';

describe('the two sides of a comparison', () => {
  test.each([
    ['Чем отличается мэр от совета?', 'мэр', 'совета', ''],
    ['чем мэр отличается от совета', 'мэр', 'совета', ''],
    ['В чём разница между мэром и советом?', 'мэром', 'советом', ''],
    ['Сравни полномочия мэра и совета', 'полномочия мэра', 'совета', ''],
    ['совет города и совет района: сравни численность', 'совет города', 'совет района', 'численность'],
    ['Сравни, что Холм и Камень говорили о мостах', 'Холм', 'Камень', 'о мостах'],
    ['Сравни позиции Холма и Камня о мостах', 'Холма', 'Камня', 'о мостах'],
    ['Холм и Камень о мостах — в чём расходятся?', 'Холм', 'Камень', 'о мостах'],
    ['How does the mayor differ from the council?', 'mayor', 'council', ''],
    ['Mayor vs. council: who appoints them?', 'Mayor', 'council', 'who appoints them'],
    [
      'difference between the House of Bridges and the Chamber of Roads',
      'House of Bridges',
      'Chamber of Roads',
      '',
    ],
    ['Hill versus Stone on bridges', 'Hill', 'Stone', 'on bridges'],
    ['compare what Hill and Stone said about the bridges', 'Hill', 'Stone', 'about the bridges'],
    ['Мэр мен кеңестің айырмашылығы неде?', 'Мэр', 'кеңестің', ''],
    ['Холм мен Стоун көпірлер туралы не айтты, салыстыр', 'Холм', 'Стоун', 'көпірлер туралы'],
  ])('%s', (question, one, two, topic) => {
    expect(readSides(question)).toMatchObject({ sides: [one, two], topic });
  });

  test.each(['Сравни мэра', 'compare', 'и', 'чем отличается?', 'What has changed?', ''])(
    'are absent: %s',
    (question) => {
      expect(readSides(question)).toBe(null);
    },
  );

  test('are both named or both absent, for any question', () => {
    const piece = fc.constantFrom(
      'мэр',
      'и',
      'vs',
      'vs.',
      'от',
      'about',
      'туралы',
      ':',
      '—',
      '?',
      'сравни',
      'the',
      '2020',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const found = readSides(pieces.join(' '));
        if (found) for (const side of found.sides) expect(side).not.toBe('');
      }),
    );
  });
});

test.each([
  ['выборы мэра по старому и новому уставу', 'выборы мэра по'],
  ['How does the old charter differ from the new one on taxes?', 'How does the differ from the on taxes?'],
  ['taxes under the old and the new charter', 'taxes under the'],
  ['Ескі және жаңа конституцияда астана қайда?', 'астана қайда?'],
  ['сравни прежнюю редакцию с нынешней', 'сравни с'],
  ['the new bridge', 'the new bridge'],
])('exclude editions: %s', (text, expected) => {
  expect(withoutEditions(text)).toBe(expected);
});
