import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin, parsePeriods } from '../../src/text/periods.ts';

const periods = (text: string) =>
  parsePeriods(text).map(({ from, to, start, end }) => [from, to, text.slice(start, end)]);

describe('the periods in a question', () => {
  test.each([
    ['Что говорилось о налогах в 2023 году?', '2023', '2023', 'в 2023 году'],
    ['Что сказала министр в октябре 2024 года?', '2024-10', '2024-10', 'в октябре 2024 года'],
    ['заявление от 14 ноября 2024', '2024-11-14', '2024-11-14', 'от 14 ноября 2024'],
    ['доклад 05.11.2026', '2026-11-05', '2026-11-05', '05.11.2026'],
    ['с 2020 по 2022 год', '2020', '2022', 'с 2020 по 2022 год'],
    ['речи 2020–2022 годов', '2020', '2022', '2020–2022 годов'],
    ['до 1 марта 2022 года', null, '2022-02-28', 'до 1 марта 2022 года'],
    ['после 2022 года', '2022', null, 'после 2022 года'],
    ['What was said before 2021?', null, '2020', 'before 2021'],
    ['on October 14, 2024', '2024-10-14', '2024-10-14', 'on October 14, 2024'],
    ['since March 2022', '2022-03', null, 'since March 2022'],
    ['between 2020 and 2022', '2020', '2022', 'between 2020 and 2022'],
    ['2023 жылы не айтылды?', '2023', '2023', '2023 жылы'],
    ['2024 жылғы 14 қарашада', '2024-11-14', '2024-11-14', '2024 жылғы 14 қарашада'],
    ['2022 жылға дейін', null, '2021', '2022 жылға дейін'],
    ['2022 жылдан кейін', '2022', null, '2022 жылдан кейін'],
    ['2020 мен 2022 жылдар арасында', '2020', '2022', '2020 мен 2022 жылдар арасында'],
  ])('%s', (text, ...period) => {
    expect(periods(text)).toEqual([period]);
  });

  test('are two for two unrelated years, and none for numbers or months alone', () => {
    expect(periods('в 2020 и 2024').map(([from]) => from)).toEqual(['2020', '2024']);
    for (const text of ['статья 42', '12345 тенге', 'may I vote?', 'в мае', '31.12.99', '1848'])
      expect(periods(text)).toEqual([]);
  });

  test('are in text order and never empty, for any text', () => {
    const piece = fc.constantFrom(
      '2020',
      '2024-10',
      '14',
      'мая',
      'May',
      'до',
      'между',
      'и',
      '-',
      'жылы',
      'дейін',
      ' ',
      'с',
      'по',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let last = 0;
        for (const { from, to, start, end } of parsePeriods(pieces.join(' '))) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(from === null && to === null).toBe(false);
          last = start;
        }
      }),
    );
  });
});

test.each([
  ['2024-10-14', '2024-10', '2024-10', true],
  ['2024-10-14', '2024-11', null, false],
  ['2024', '2024-10', '2024-10', true],
  ['2023-12-31', '2024', null, false],
  ['2023-12-31', null, '2023', true],
  ['2024-01-01', null, '2023', false],
])('%s within %s to %s: %s', (date, from, to, expected) => {
  expect(isWithin(date, { from, to })).toBe(expected);
});
