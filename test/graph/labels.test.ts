import { expect, test } from 'vitest';
import { amountLabel, provisionLabel } from '../../src/graph/labels.ts';

const plain = (label: string) => label.replace(/\s/g, ' ');

test('an amount is called as its language counts', () => {
  const called = ['1 day', '3 day', '20 day', '21 day', '1.5 year', '2000 square metre', '7000000 kzt'];
  expect(called.map((value) => plain(amountLabel(value, 'ru')))).toEqual([
    ...['1 день', '3 дня', '20 дней', '21 день', '1,5 года', '2 000 квадратных метров', '7 000 000 тенге'],
  ]);
  expect(called.map((value) => plain(amountLabel(value, 'kk')))).toEqual([
    ...['1 күн', '3 күн', '20 күн', '21 күн', '1,5 жыл', '2 000 шаршы метр', '7 000 000 теңге'],
  ]);
  expect(called.map((value) => plain(amountLabel(value, 'en')))).toEqual([
    ...['1 day', '3 days', '20 days', '21 days', '1.5 years', '2,000 square metres', '7,000,000 tenge'],
  ]);
});

test('a provision is called as its language does, one of no known unit by what it says of itself', () => {
  expect(provisionLabel('article', '47', 'ru')).toBe('статья 47');
  expect(provisionLabel('point', '3', 'ru')).toBe('пункт 3');
  expect(provisionLabel('article', '47', 'kk')).toBe('47-бап');
  expect(provisionLabel('article', '47', 'en')).toBe('Article 47');
  expect(provisionLabel('rule', '4', 'en')).toBe('rule 4');
});
