/** Recognises a number in any notation. */
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import { datesOf, isSame, numberKeys, numbersOf } from '../../src/text/numbers.ts';
import { words } from '../../src/text/words.ts';

const same = (one: string, lang: Language, other: string, otherLang: Language = lang) =>
  isSame(numbersOf(one, lang)[0]!.keys, numberKeys(other, otherLang));

describe('a number', () => {
  it.each<[string, Language, string, Language]>([
    ['6,150 tons', 'en', 'a load of 6150 tons', 'en'],
    ['6 150 тонн', 'ru', '6150 тонн', 'ru'],
    ['6\u00a0150 тонн', 'ru', '6150 тонн', 'ru'],
    ['6\u202f150 тонн', 'ru', '6\u2009150 тонн', 'ru'],
    ['6.15 thousand', 'en', '6,150', 'en'],
    ['6,15 тысячи', 'ru', '6150', 'ru'],
    ['6,15 тыс. тонн', 'ru', '6 150', 'ru'],
    ['6 тысяч 150 тонн', 'ru', '6150', 'ru'],
    ['6,15 мың', 'kk', '6150', 'kk'],
    ['алты мың жүз елу', 'kk', '6 150', 'kk'],
    ['шесть тысяч сто пятьдесят', 'ru', '6150', 'ru'],
    ['six thousand one hundred and fifty', 'en', '6,150', 'en'],
    ['2,5 %', 'ru', '2.5 percent', 'en'],
    ['1,234,567.50', 'en', '1.234.567,5', 'ru'],
    ['the 4th floor', 'en', 'the fourth floor', 'en'],
    ['4-й этаж', 'ru', 'четвёртый этаж', 'ru'],
    ['4-ші қабат', 'kk', 'төртінші қабат', 'kk'],
  ])('is the same: %s (%s), %s (%s)', (one, lang, other, otherLang) => {
    expect(same(one, lang, other, otherLang)).toBe(true);
  });

  it.each<[string, Language, string, Language]>([
    ['6,150', 'en', '6.15', 'en'],
    ['6,150 кг', 'ru', '6150 кг', 'ru'],
    ['0,250 кг', 'ru', '250 кг', 'ru'],
    ['7 days', 'en', 'in 7.5 days', 'en'],
    ['7 thousand', 'en', '7 days', 'en'],
    ['6,150', 'en', '6 and 150', 'en'],
    ['150', 'en', 'a load of 6,150', 'en'],
    ['7 150', 'ru', '6 150', 'ru'],
  ])('is different: %s (%s), %s (%s)', (one, lang, other, otherLang) => {
    expect(same(one, lang, other, otherLang)).toBe(false);
  });

  it('has both values if no language determines the meaning of its separator', () => {
    expect(numbersOf('6,150', null)[0]!.keys).toEqual(expect.arrayContaining(['6150', '6.15']));
  });

  it('ends at a comma, and is not part of a name', () => {
    expect(numbersOf('two hundred, fifty of them in A4 or B12', 'en').map(({ keys }) => keys[0])).toEqual([
      '200',
      '50',
    ]);
  });
});

it('the digits of a date are numbers, and the date is one unit', () => {
  expect(numberKeys('Signed on 9.04.2021.', 'en')).toEqual(expect.arrayContaining(['9', '4', '2021']));
  expect(datesOf('Signed on 9.04.2021.')[0]!.keys).toEqual(datesOf('Подписан 9 апреля 2021 года')[0]!.keys);
});

it('thousands with a separator are one word, regardless of the words around them', () => {
  expect(words('6,150 or 6\u202f150 tons, 12 000 000 in all')).toEqual([
    '6150',
    'or',
    '6150',
    'tons',
    '12000000',
    'in',
    'all',
  ]);
  expect(words('in 2024 350 came; 0,250 kg; 12.5 300; A4 200; 5, 300; 1 20345')).toEqual(
    'in 2024 350 came 0 250 kg 12 5 300 a4 200 5 300 1 20345'.split(' '),
  );
});
