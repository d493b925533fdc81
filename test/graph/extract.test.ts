import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract, givenMentions, mentionsMax, type PassageToRead } from '../../src/graph/extract.ts';
import { keyOf } from '../../src/graph/names.ts';
import type { Language } from '../../src/language/index.ts';
import { fragments } from '../hostile/corpus.ts';
import { blind } from './blind.ts';
import { score } from './labels.ts';
import { unread } from './unread.ts';

const passage = (text: string, more: Partial<PassageToRead> = {}): PassageToRead => ({
  text,
  lang: 'ru',
  unit: null,
  number: null,
  heading: '',
  ...more,
});
const only = (of: PassageToRead) => extract([of])[0]!;
const references = (of: PassageToRead) =>
  only(of).references.map(
    ({ unit, number, start, end }) => `${of.text.slice(start, end)} = ${unit} ${number}`,
  );
/** The names in passages that are processed together. */
const names = (lang: Language, ...texts: string[]) =>
  extract(texts.map((text) => passage(text, { lang }))).flatMap(({ mentions }) =>
    mentions.map(({ name }) => name),
  );

describe('extraction from labelled texts', () => {
  test('finds every reference to a provision, and nothing else', () => {
    for (const texts of [blind, unread])
      expect(score(texts, 'provision')).toMatchObject({ wrong: [], missed: [] });
  });

  test('finds every defined term, and nothing else', () => {
    expect(score(blind, 'term')).toMatchObject({ wrong: [], missed: [] });
  });

  test.each([
    ['sample passages', unread, 0.98, 0.78],
    ['other texts, each separately', blind, 0.72, 0.46],
  ])('finds names with precision above recall in %s', (_, texts, precision, recall) => {
    const all = score(texts, 'name');
    expect(all.precision, all.wrong.join('\n')).toBeGreaterThan(precision);
    expect(all.recall, all.missed.join('\n')).toBeGreaterThan(recall);
  });
});

describe('a name', () => {
  test('is a run of capitalised words, with the connecting parts that spelling allows', () => {
    expect(names('ru', 'Это решает Верховный суд, а не Палата представителей.')).toEqual([
      'Верховный суд',
      'Палата представителей',
    ]);
    expect(names('en', 'We thank the House of Representatives and Friends of the Earth.')).toEqual([
      'House of Representatives',
      'Friends of the Earth',
    ]);
  });

  test('is omitted if spelling would cut it short', () => {
    expect(names('ru', 'Это решает Министерство юстиции по Закону «О воде».')).toEqual([]);
    expect(names('kk', 'Мұны қазір Парламенттің Өкілдер палатасы шешеді.')).toEqual(['Парламенттің']);
  });

  test('does not begin with a word that is capitalised only at the start of a sentence', () => {
    expect(names('ru', 'Сегодня Марина Тулепова молчит.')).toEqual(['Марина Тулепова']);
    expect(names('ru', 'Решения принимают сразу.')).toEqual([]);
    expect(names('ru', 'Сенат решает.', 'Это решает Сенат.')).toEqual(['Сенат', 'Сенат']);
    expect(names('en', 'Citizenship of the Republic is acquired.')).toEqual(['Republic']);
  });

  test('is divided if all its parts occur alone elsewhere', () => {
    const texts = ['Это подписал Президент Республики.', 'Так сказал Президент.', 'Это земля Республики.'];
    expect(names('ru', ...texts)).toEqual(['Президент', 'Республики', 'Президент', 'Республики']);
    expect(names('ru', texts[0]!)).toEqual(['Президент Республики']);
    expect(names('ru', texts[0]!, texts[1]!)).toEqual(['Президент Республики', 'Президент']);
  });

  test('has one key for all its forms, even if two languages share the word', () => {
    const keys = (lang: Language, ...forms: string[]) => forms.map((form) => keyOf(form, lang));
    const same = [
      ...keys('ru', 'Республика', 'Республики', 'Республикой'),
      ...keys('kk', 'Республика', 'Республикасы', 'Республиканың'),
    ];
    expect(new Set(same).size).toBe(1);
    expect(new Set(keys('ru', 'Верховный суд', 'Верховного суда', 'Верховному суду')).size).toBe(1);
    expect(new Set(keys('ru', 'Парламент', 'Парламента', 'Парламенту')).size).toBe(1);
    expect(keyOf('Commission', 'en')).not.toBe(keyOf('Commissioner', 'en'));
  });
});

describe('a reference', () => {
  test('to a part of a provision leads to the article that contains it or is named in the heading', () => {
    const text = 'Право ограничивают пункт 2 настоящей статьи и статья 5.';
    const expected = ['пункт 2 настоящей статьи = article 27', 'статья 5 = article 5'];
    expect(references(passage(text, { unit: 'article', number: '27' }))).toEqual(expected);
    expect(references(passage(text, { heading: 'Комментарий к статье 27' }))).toEqual(expected);
    const kazakh = passage('Осы баптың 2-тармағы.', { lang: 'kk', unit: 'article', number: '27' });
    expect(references(kazakh)).toEqual(['Осы баптың 2-тармағы = article 27']);
  });

  test('is not read from the heading of its own passage, nor is a name', () => {
    const heading = 'Article 29. Term of Office of the President';
    const text = `${heading}\n\nIt is said of him under Article 31.`;
    const own = passage(text, { lang: 'en', unit: 'article', number: '29', heading });
    expect(references(own)).toEqual(['Article 31 = article 31']);
    expect(only(own).mentions).toEqual([]);
  });

  test('recognises the act named next to it', () => {
    const found = only(passage('По статье 15 Закона РК «О воде» и по статье 3.')).references;
    expect(found.map(({ act }) => act)).toEqual([{ kind: 'law', words: ['РК', 'воде'] }, null]);
  });
});

test('entities found by a model have the keys that rules would give them', () => {
  const named = [
    { kind: 'place', text: 'Нуртау', start: 9, end: 15 },
    { kind: 'person', text: '…', start: 3, end: 4 },
    { kind: 'organisation', text: 'Верховного  суда', start: 0, end: 16 },
  ] as const;
  expect(givenMentions(named, 'ru').map(({ id, kind, name }) => [id, kind, name])).toEqual([
    ['name:верховн суд', 'organisation', 'Верховного суда'],
    [`name:${keyOf('Нуртау', 'ru')}`, 'place', 'Нуртау'],
  ]);
});

test('every mention lies within the text, in order, up to the limit', () => {
  const units = [...fragments, 'А. Сейтов (далее — ЦИК) ', '«Закон № 5» ', '5 млн тенге ', 'Article 7(2) '];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...units), { maxLength: 40 }),
      fc.constantFrom('ru' as const, 'kk' as const, 'en' as const),
      (parts, lang) => {
        const text = parts.join('');
        const { mentions } = only(passage(text, { lang }));
        expect(mentions.length).toBeLessThanOrEqual(mentionsMax);
        let before = 0;
        for (const { start, end, name, id } of mentions) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(text.slice(start, end).trim().replace(/\s+/g, ' ')).toBe(name);
          expect(id).toMatch(/^name:./);
          before = end;
        }
      },
    ),
    { numRuns: 200 },
  );
});
