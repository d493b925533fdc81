import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitSentences } from '../../src/text/sentences.ts';

const cut = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  test.each([
    ['Мост открыли в мае. Через год его закрыли.', ['Мост открыли в мае.', 'Через год его закрыли.']],
    [
      'См. ст. 5 и п. 2 ст. 7 Устава. Там сказано всё.',
      ['См. ст. 5 и п. 2 ст. 7 Устава.', 'Там сказано всё.'],
    ],
    [
      'Совет, т.е. Собрание, решает. Т.к. срок мал, он спешит.',
      ['Совет, т.е. Собрание, решает.', 'Т.к. срок мал, он спешит.'],
    ],
    ['А. Б. Иванов живёт в г. Заречье. Он врач.', ['А. Б. Иванов живёт в г. Заречье.', 'Он врач.']],
    ['Завод построили в 1932 г. Город вырос.', ['Завод построили в 1932 г.', 'Город вырос.']],
    ['В 2020 г. Собрание приняло закон.', ['В 2020 г. Собрание приняло закон.']],
    ['Яблоки, груши и т. д. Всё это растёт здесь.', ['Яблоки, груши и т. д.', 'Всё это растёт здесь.']],
    ['«Да! — сказал он и ушёл.', ['«Да! — сказал он и ушёл.']],
    [
      'Решение (см. журнал. Он в архиве.) принято. Точка.',
      ['Решение (см. журнал. Он в архиве.) принято.', 'Точка.'],
    ],
    [
      'Цена выросла на 3.5 процента. Почему?! Неясно…',
      ['Цена выросла на 3.5 процента.', 'Почему?!', 'Неясно…'],
    ],
    ['Так пишут.[5] Так думают.', ['Так пишут.[5]', 'Так думают.']],
    [
      'Заң 2019 ж. қабылданды. Ол 5 мың. теңге деп бекітті.',
      ['Заң 2019 ж. қабылданды.', 'Ол 5 мың. теңге деп бекітті.'],
    ],
    ['Алма, өрік т.б. жемістер өседі. Олар тәтті.', ['Алма, өрік т.б. жемістер өседі.', 'Олар тәтті.']],
    [
      'Dr. Hill met Mr. Stone at No. 5. They left at 5 p.m. Nobody saw them.',
      ['Dr. Hill met Mr. Stone at No. 5.', 'They left at 5 p.m.', 'Nobody saw them.'],
    ],
    [
      'The U.S. Senate sat. St. John said "No." He left.',
      ['The U.S. Senate sat.', 'St. John said "No."', 'He left.'],
    ],
    ['1. The Council decides.\n2. The Mayor signs.', ['1. The Council decides.', '2. The Mayor signs.']],
    ['Совет решает:\n- о мире;\n- о войне.', ['Совет решает:', '- о мире;', '- о войне.']],
    ['Статья 1\nРеспублика едина.', ['Статья 1', 'Республика едина.']],
    ['Первый абзац без точки\n\nвторой абзац', ['Первый абзац без точки', 'второй абзац']],
    [
      'The President of the Republic shall be elected by the citizens of the\nRepublic for five years.',
      ['The President of the Republic shall be elected by the citizens of the\nRepublic for five years.'],
    ],
    ['', []],
    [' \n\n ', []],
  ])('%s', (text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'Дом.',
          'г.',
          'ст. 5',
          '(',
          ')',
          '\n',
          '\n\n',
          ' ',
          '. ',
          '! ',
          '«',
          '»',
          '[3]',
          '1.',
          'Ә',
          '…',
          'U.S.',
        ),
        fc.string(),
      ),
    )
    .map((parts) => parts.join(' '));

  test('spans are trimmed, in order, apart by white space only, and cover all else', () => {
    fc.assert(
      fc.property(text, (given) => {
        let at = 0;
        for (const { start, end } of splitSentences(given)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(given.slice(at, start)).toMatch(/^[ \n\t\r\u00a0\u202f\u2009]*$/);
          expect(given.slice(start, end)).toMatch(/^[^ \n\t\r]/);
          expect(given.slice(start, end)).toMatch(/[^ \n\t\r]$/);
          at = end;
        }
        expect(given.slice(at)).toMatch(/^[ \n\t\r\u00a0\u202f\u2009]*$/);
      }),
    );
  });
});
