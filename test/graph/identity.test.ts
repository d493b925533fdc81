import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractEntities } from '../../src/graph/extract.ts';
import { blockOf, identify, tally } from '../../src/graph/identity.ts';
import type { Language } from '../../src/text/languages/index.ts';

const of = (lang: Language, ...texts: string[]) =>
  texts.map((text) => extractEntities({ text, lang, unit: null, number: null, heading: '' }));

/** The groups by their names, with the keys of each. */
const groups = (chunks: ReturnType<typeof of>, apart: string[] = []) =>
  Object.fromEntries(identify(tally(chunks), apart).groups.map(({ name, keys }) => [name, keys.length]));

const texts = [
  'Здесь Президента Республики избирает народ.',
  'Так решил Президент Республики.',
  'Центральная избирательная комиссия (ЦИК) объявила итоги.',
  'Сегодня ЦИК молчит.',
  'В зале Арман Болатович Сейтов и Анна Ким.',
  'Говорит Арман Сейтов.',
  'Отвечает А. Сейтов.',
  'Потом Сейтов ушёл.',
  'Новый Дом открыт в Нуртау.',
  'Они едут из Нуртау, минуя Кенсай.',
];

describe('identity', () => {
  test('inflected forms are of one entity, which has the name of the dictionary', () => {
    const { groups: found } = identify(
      tally(
        of(
          'ru',
          'Здесь Президента Республики ждут.',
          'К Президенту Республики.',
          'А Президент Республики тут.',
        ),
      ),
      [],
    );
    expect(found.map(({ name, kind, mentions }) => [name, kind, mentions])).toEqual([
      ['Президент Республики', 'organisation', 3],
    ]);
    const kazakh = identify(
      tally(of('kk', 'Біз Өкілдер палатасының депутатымыз.', 'Бүгін Өкілдер палатасы жабық.')),
      [],
    );
    expect(kazakh.groups.map(({ name }) => name)).toEqual(['Өкілдер палатасы']);
  });

  test('initials are of one entity with the name a text gives them', () => {
    const found = groups(of('ru', 'Тут Центральная избирательная комиссия (ЦИК).', 'Пришла ЦИК.'));
    expect(found).toEqual({ 'Центральная избирательная комиссия': 2 });
  });

  test('initials of two names are of neither', () => {
    const found = groups(
      of('ru', 'Тут Верховный суд (ВС) и закон.', 'Это Воздушные силы (ВС).', 'Потом ВС ушли.'),
    );
    expect(found).toEqual({ 'Верховный суд': 1, 'Воздушные силы': 1, ВС: 1 });
  });

  test("parts of a person's name are the person's while they fit no other", () => {
    const one = of('ru', 'Тут Арман Сейтов.', 'Вот А. Сейтов.', 'Тогда Сейтов ушёл.');
    expect(groups(one)).toEqual({ 'Арман Сейтов': 3 });
    const two = [...one, ...of('ru', 'Там Алия Сейтова.')];
    expect(groups(two)).toEqual({ 'Арман Сейтов': 1, 'Алия Сейтова': 1, 'А. Сейтов': 1, Сейтов: 1 });
  });

  test('what an administrator has set apart stays so', () => {
    const chunks = of('ru', 'Тут Арман Сейтов.', 'Тогда Сейтов ушёл.');
    expect(groups(chunks)).toEqual({ 'Арман Сейтов': 2 });
    expect(groups(chunks, ['name:сейтов'])).toEqual({ 'Арман Сейтов': 1, Сейтов: 1 });
  });

  test('a capital letter that opens a sentence names nothing that is nowhere named', () => {
    const { groupOf } = identify(tally(of('ru', 'Деньги готовы. Кенсай богат.', 'Мы любим Кенсай.')), []);
    expect(groupOf('name:деньг')).toBeNull();
    expect(groupOf('name:кенса')?.mentions).toBe(2);
  });

  test('the order of chunks does not matter, and keys of one group share a block or a link', () => {
    const chunks = of('ru', ...texts);
    const expected = identify(tally(chunks), []).groups;
    fc.assert(
      fc.property(fc.shuffledSubarray(chunks, { minLength: chunks.length }), (shuffled) => {
        expect(identify(tally(shuffled), []).groups).toEqual(expected);
      }),
    );
    fc.assert(
      fc.property(
        fc.subarray(chunks),
        fc.subarray(['name:сейтов', 'name:цик', 'name:арма сейтов']),
        (some, apart) => {
          const counted = tally(some);
          const turned = { keys: counted.keys.toReversed(), links: counted.links.toReversed() };
          expect(identify(turned, apart).groups).toEqual(identify(counted, apart).groups);
          const linked = new Set(counted.links.flatMap(({ from, to }) => [from, to]));
          for (const { keys } of identify(counted, apart).groups) {
            const blocks = new Set(keys.filter((key) => !linked.has(key)).map(blockOf));
            expect(blocks.size).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});
