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
    [
      'Мост закрыт с 1 янв. 2020 г. и до весны. Проезд стоит 10 руб. 50 коп. за день.',
      ['Мост закрыт с 1 янв. 2020 г. и до весны.', 'Проезд стоит 10 руб. 50 коп. за день.'],
    ],
    [
      'Договор подписали завод и гр. Орлов, а также г-н Лебедь и гр-ка Орлова. Соли нет.',
      ['Договор подписали завод и гр. Орлов, а также г-н Лебедь и гр-ка Орлова.', 'Соли нет.'],
    ],
    [
      'Доклад сделал к.т.н. Орлов. Он живёт на о. Лебяжий.',
      ['Доклад сделал к.т.н. Орлов.', 'Он живёт на о. Лебяжий.'],
    ],
    [
      'Совет, т. е. Собрание, решает. Это т. е. Собрание.',
      ['Совет, т. е. Собрание, решает.', 'Это т. е. Собрание.'],
    ],
    ['Он был там. 5 человек ушли.', ['Он был там.', '5 человек ушли.']],
    [
      'Заңның 5-б. 2-т. және 3-тарм. 4 жолы. Ол 1 қаң. 2020 жылы шықты. Абай к-сі. 5 үй.',
      ['Заңның 5-б. 2-т. және 3-тарм. 4 жолы.', 'Ол 1 қаң. 2020 жылы шықты.', 'Абай к-сі. 5 үй.'],
    ],
    [
      'Қала б.з.д. 500 жылы салынды. Т.ғ.к. Асанов жазды.',
      ['Қала б.з.д. 500 жылы салынды.', 'Т.ғ.к. Асанов жазды.'],
    ],
    [
      'Hill et al. (1990) met at 5 p.m. on Friday. It ended at 6 p.m. Mary left.',
      ['Hill et al. (1990) met at 5 p.m. on Friday.', 'It ended at 6 p.m.', 'Mary left.'],
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

  test('returns trimmed spans in order, with only white space between them, that cover all else', () => {
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
