import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/text/question-identity.ts';

describe('the same question', () => {
  it.each([
    ['На какой срок избирается Президент?', 'на какой срок избирается президент'],
    [
      'На какой срок избирается Президент?',
      'Здравствуйте! Подскажите, пожалуйста, на какой срок избирается Президент',
    ],
    ['Где дают всё ещё тёплый чай?', 'где дают все еще теплый чай'],
    ['Президент неше жылға сайланады?', 'Айтыңызшы, президент неше жылға сайланады'],
    ['How many deputies are there?', 'Hello, please tell me: how many deputies are there?!'],
    ['Сколько стоит 100 $?', 'сколько стоит 100$'],
    ['№ ５', '№ 5'],
  ])('%s = %s', (a, b) => {
    expect(identityOf(a)).toBe(identityOf(b));
  });

  it('matches itself in any case, with any ending and after a greeting', () => {
    const question = fc
      .tuple(
        fc.constantFrom('депутатов', 'судей', 'литров воды'),
        fc.constantFrom('в Парламенте', 'по закону'),
      )
      .map(([what, where]) => `Сколько ${what} ${where}`);
    fc.assert(
      fc.property(question, fc.constantFrom('?', '', '??', ' .'), (text, end) => {
        expect(identityOf(text.toUpperCase() + end)).toBe(identityOf(text));
        expect(identityOf(`Скажите, пожалуйста, ${text.toLowerCase()}${end}`)).toBe(identityOf(text));
      }),
    );
  });
});

describe('another question', () => {
  it.each([
    ['in other words', 'Как избирают Президента?', 'Как избирается Президент?'],
    ['in another order', 'Сколько часов от Астаны до Алматы?', 'Сколько часов от Алматы до Астаны?'],
    ['with a negation', 'Кто может быть депутатом?', 'Кто не может быть депутатом?'],
    ['with another number', 'Что сказано в статье 5?', 'Что сказано в статье 6?'],
    ['below zero', 'Как хранить при -5 градусах?', 'Как хранить при 5 градусах?'],
    ['in another currency', 'Сколько стоит 100 $?', 'Сколько стоит 100 €?'],
    ['with another symbol', 'What is programming in C?', 'What is programming in C++?'],
    ['with another letter', 'Где витамин C?', 'Где витамин D?'],
  ])('%s', (_, a, b) => {
    expect(identityOf(a)).not.toBe(identityOf(b));
  });
});

it('text that consists only of polite phrases is kept unchanged', () => {
  expect(identityOf('Пожалуйста!')).toBe('пожалуйста');
  expect(identityOf('?!')).toBe('');
});
