import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languageOfReferences, parseReferences } from '../../../src/text/references/parse.ts';

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
    ['ст.23ч.2', ['part 23.2']],
    ['п.2ст.23', ['point 23.2']],
    ['ст23ч2', ['part 23.2']],
    ['23баптың 2тармағы', ['point 23.2']],
    ['23-баптың 2 тармағы', ['point 23.2']],
    ['бұл бапта 2 тармақ бар', []],
    ['Article 42 (2)', ['point 42.2']],
    ['ст. 23 (2)', ['point 23.2']],
    ['Art. 42 (2) (3)', ['subpoint 42.2.3']],
    ['Article 42 (2) (a)', ['subpoint 42.2.a']],
    ['Article 42 (the court)', ['article 42']],
    ['Article 42, paragraph (2)', ['paragraph 42.2']],
    ['subparagraph (a) of paragraph 2 of Article 5', ['subpoint 5.2.a']],
    ['42-бап (2)', ['point 42.2']],
    ['42-баптың 2) тармақшасы', ['subpoint 42.2']],
    ['5-баптың 2-тармағының а) тармақшасы', ['subpoint 5.2.а']],
    ['подпункт б пункта 2 статьи 5', ['subpoint 5.2.б']],
    ['подпункт «в» пункта 2 статьи 5', ['subpoint 5.2.в']],
    ['подпункт 2) пункта 1 статьи 5', ['subpoint 5.1.2']],
    ['пункт в статье 5', ['article 5']],
    ['пункт а также статья 5', ['article 5']],
    ['at this point a judge', []],
    ['2) пункт 5 исключить', ['point 5']],
    ['пункт 8 части 4 статьи 9', ['point 9.4.8']],
    ['п. 2.9', ['point 2.9']],
    ['статья 23а', ['article 23а']],
    ['Article 23bis', ['article 23bis']],
    ['Article 23 bis', ['article 23bis']],
    ['статья 6¹', ['article 6-1']],
    ['с 1 по 3 статью', ['article 1', 'article 2', 'article 3']],
    ['с первой по третью статью', ['article 1', 'article 2', 'article 3']],
    ['статьи с 1 по 3', ['article 1', 'article 2', 'article 3']],
    ['со статьи 1 по статью 3', ['article 1', 'article 2', 'article 3']],
    ['from Article 1 to Article 3', ['article 1', 'article 2', 'article 3']],
    ['articles from 1 to 3', ['article 1', 'article 2', 'article 3']],
    ['1-баптан 3-бапқа дейін', ['article 1', 'article 2', 'article 3']],
    ['статья 5–7', ['article 5', 'article 6', 'article 7']],
    ['в 1995 — статья 5', ['article 5']],
    ['в 5ч 20мин', []],
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
  ])('finds nothing in "%s"', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('assigns a point to its article', () => {
    expect(parseReferences('В п. 2 ст. 42 сказано')).toEqual([
      {
        unit: 'point',
        number: '42.2',
        of: { unit: 'article', number: '42' },
        chain: [
          { unit: 'article', number: '42' },
          { unit: 'point', number: '2' },
        ],
        start: 2,
        end: 13,
      },
    ]);
  });

  test('reads a multi-level number as one number', () => {
    const chains = (text: string) => parseReferences(text).map(({ of, chain }) => ({ of, chain }));
    expect(chains('п. 2.9')).toEqual([{ of: null, chain: [{ unit: 'point', number: '2.9' }] }]);
    expect(chains('подпункт 3 пункта 2.9')).toEqual([
      {
        of: { unit: 'point', number: '2.9' },
        chain: [
          { unit: 'point', number: '2.9' },
          { unit: 'subpoint', number: '3' },
        ],
      },
    ]);
  });

  test.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212'])(
    'accepts any kind of hyphen: %s',
    (sign) => {
      expect(found(`42${sign}баптың 2${sign}тармағы`)).toEqual(['point 42.2']);
      expect(found(`23${sign}бап`)).toEqual(['article 23']);
      expect(found(`статьи 5${sign}7`)).toEqual(['article 5', 'article 6', 'article 7']);
      expect(found(`2${sign}я статья`)).toEqual(['article 2']);
    },
  );

  test.each([
    ['cтатья 23', 'ru'],
    ['23, 24-баптар', 'kk'],
    ['art. 5', 'en'],
    ['§ 5', null],
    ['about health', null],
  ] as const)('recognises the language of a reference: %s', (text, lang) => {
    expect(languageOfReferences(text)).toBe(lang);
  });

  test('returns offsets within the text and in order, for any text', () => {
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
      'с',
      'по',
      '23а',
      '6¹',
      '2)',
      'б',
      'подпункт',
      '23бап',
      'дейін',
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

  test('finds every article number in each language', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1499 }), (number) => {
        for (const text of [`статья ${number}`, `${number}-бап`, `Article ${number}`, `ст. ${number}`]) {
          expect(found(text)).toEqual([`article ${number}`]);
        }
      }),
    );
  });
});

describe('more references than an answer can show', () => {
  test.each([
    'подпункты 1-30 пунктов 1-30 статей 1-30',
    'подпункты 1-30, 31-60, 61-90 пунктов 1-30, 31-60, 61-90 статей 1-30, 31-60, 61-90',
    `articles ${Array.from({ length: 500 }, (_, n) => n + 1).join(', ')}`,
    `ст. 1 п. 2; `.repeat(500),
    `${Array.from({ length: 9 }, (_, n) => `${n * 30 + 1}-${n * 30 + 30}`).join(', ')}-баптар`,
  ])('end at the thirtieth (%#)', (text) => {
    const found = parseReferences(text);
    expect(found).toHaveLength(30);
    expect(parseReferences(text, 31)).toHaveLength(31);
    expect(parseReferences(text, 31).slice(0, 30)).toEqual(found);
  });
});
