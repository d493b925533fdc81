import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReferences } from '../../src/text/references.ts';

const found = (text: string) => parseReferences(text).map(({ unit, number }) => `${unit} ${number}`);

describe('parseReferences', () => {
  test.each([
    ['статья 23', ['article 23']],
    ['Что сказано в ст. 23?', ['article 23']],
    ['cтатью 23', ['article 23']],
    ['статья №5', ['article 5']],
    ['в 23 статье', ['article 23']],
    ['статьёй первой', ['article 1']],
    ['23-бап', ['article 23']],
    ['23 бап не туралы?', ['article 23']],
    ['бесінші бапта', ['article 5']],
    ['Article 23', ['article 23']],
    ['the 23rd article', ['article 23']],
    ['art. 42(2)', ['point 42.2']],
    ['art. 42(2)(a)', ['subpoint 42.2.a']],
    ['пункт 2 статьи 42', ['point 42.2']],
    ['статья 42, пункт 2', ['point 42.2']],
    ['п. 2 ст. 42', ['point 42.2']],
    ['пп. 3 п. 2 ст. 5', ['subpoint 5.2.3']],
    ['42-баптың 2-тармағы', ['point 42.2']],
    ['paragraph 2 of Article 42', ['paragraph 42.2']],
    ['second point of article 5', ['point 5.2']],
    ['§ 5', ['paragraph 5']],
    ['ч. 2 ст. 5', ['part 5.2']],
    ['глава 3', ['chapter 3']],
    ['Раздел II. Права', ['section 2']],
    ['Chapter IV', ['chapter 4']],
    ['статья двадцать третья', ['article 23']],
    ['двадцать девятая статья', ['article 29']],
    ['статья сорок два', ['article 42']],
    ['II бөлім. Адам және азамат', ['section 2']],
    ['as I article this', []],
    ['жиырма үшінші бап', ['article 23']],
    ['он екінші бап', ['article 12']],
    ['article twenty-three', ['article 23']],
    ['пункт второй статьи сорок второй', ['point 42.2']],
    ['пункты первый и второй статьи 5', ['point 5.1', 'point 5.2']],
    ['в одной статье, в статье два раза, две статьи, бір бап', []],
    ['статья 42-1', ['article 42-1']],
    ['статьи 5 и 7', ['article 5', 'article 7']],
    ['статьи 5–7', ['article 5', 'article 6', 'article 7']],
    ['ст. 5, 6', ['article 5', 'article 6']],
    ['пункты 2 и 3 статьи 42', ['point 42.2', 'point 42.3']],
    ['5, 7-баптар', ['article 5', 'article 7']],
    ['articles 5 to 7', ['article 5', 'article 6', 'article 7']],
    ['статью 5 и статью 7', ['article 5', 'article 7']],
    ['статья 5 и 42 дня', ['article 5']],
    ['статья 5 главы 2', ['article 5', 'chapter 2']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each([
    'in 42 days',
    '5 статей',
    'two articles',
    'статья 1995 года',
    'в 10 ч. 30 мин',
    'глава государства',
    'part 50%',
    'дом 5, кв. 7',
    '1. Республика',
  ])('none in "%s"', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('a point names its article', () => {
    expect(parseReferences('В п. 2 ст. 42 сказано')).toEqual([
      { unit: 'point', number: '42.2', of: { unit: 'article', number: '42' }, start: 2, end: 13 },
    ]);
  });

  test('offsets lie within the text and in order, whatever the text', () => {
    const piece = fc.constantFrom(
      'статья',
      'ст.',
      'бап',
      'Article',
      '5',
      '42-1',
      '7',
      '(',
      ')',
      ',',
      'и',
      '-',
      '–',
      'of',
      'II',
      '§',
      'первая',
      '2-тармағы',
      'п.',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        const text = parts.join(' ');
        let at = 0;
        for (const reference of parseReferences(text)) {
          expect(reference.start).toBeGreaterThanOrEqual(at);
          expect(reference.end).toBeGreaterThan(reference.start);
          expect(reference.end).toBeLessThanOrEqual(text.length);
          expect(reference.number.startsWith(reference.of?.number ?? '')).toBe(true);
          at = reference.start;
        }
      }),
    );
  });

  test('every article number is found in each language', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1499 }), (number) => {
        for (const text of [`статья ${number}`, `${number}-бап`, `Article ${number}`, `ст. ${number}`]) {
          expect(found(text)).toEqual([`article ${number}`]);
        }
      }),
    );
  });
});
