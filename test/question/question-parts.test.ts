import { describe, expect, test } from 'vitest';
import { questionParts } from '../../src/question/question-parts.ts';

describe('several questions in one', () => {
  test.each([
    [
      'en',
      'Who repairs the bridge and when does the market open?',
      ['Who repairs the bridge', 'when does the market open?'],
    ],
    [
      'en',
      'When and where was the charter signed?',
      ['When was the charter signed?', 'where was the charter signed?'],
    ],
    [
      'en',
      'Who elects the mayor and can he be re-elected?',
      ['Who elects the mayor', 'can he be re-elected?'],
    ],
    ['en', 'Who is the mayor? What is the toll?', ['Who is the mayor?', 'What is the toll?']],
    [
      'ru',
      'Кто чинит мост, и на какой срок закрыт рынок?',
      ['Кто чинит мост', 'на какой срок закрыт рынок?'],
    ],
    ['ru', 'Когда и кем подписан устав?', ['Когда подписан устав?', 'кем подписан устав?']],
    [
      'ru',
      'Сколько стоит проезд и нужно ли платить детям?',
      ['Сколько стоит проезд', 'нужно ли платить детям?'],
    ],
    [
      'kk',
      'Көпірді кім жөндейді және базар қашан ашылады?',
      ['Көпірді кім жөндейді', 'базар қашан ашылады?'],
    ],
    ['kk', 'Жол ақысы қанша, ал базар қайда?', ['Жол ақысы қанша', 'базар қайда?']],
    [
      'ru',
      'Где стоит мост, сколько стоит проезд и есть ли скидки?',
      ['Где стоит мост', 'сколько стоит проезд', 'есть ли скидки?'],
    ],
    ['ru', 'Открыт ли мост и какой берут сбор?', ['Открыт ли мост', 'какой берут сбор?']],
    ['en', 'Must carts pay the toll and how much is it?', ['Must carts pay the toll', 'how much is it?']],
  ] as const)('%s: %s', (lang, text, questions) => {
    expect(questionParts(text, lang)).toEqual({ questions, more: false });
  });

  test.each([
    ['en', 'Who elects the mayor?'],
    ['en', 'Is the bridge open and free?'],
    ['ru', 'Кто избирает мэра?'],
    ['ru', 'Мост и рынок'],
    ['kk', 'Мэрді кім сайлайды?'],
    ['ru', 'Кто предложил это: шериф или мэр?'],
    ['en', 'I have a cart and a mule, where do I pay?'],
  ] as const)('leave a single question whole, %s: %s', (lang, text) => {
    expect(questionParts(text, lang)).toEqual({ questions: [text], more: false });
  });

  test('are limited to four, and further ones are reported', () => {
    const text = 'Who pays? Who builds? Who guards? Who cleans? Who sings?';
    expect(questionParts(text, 'en')).toEqual({
      questions: ['Who pays?', 'Who builds?', 'Who guards?', 'Who cleans?'],
      more: true,
    });
  });
});
