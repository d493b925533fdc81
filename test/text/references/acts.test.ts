import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actBeside, kindsIn, type NamedAct } from '../../../src/text/references/acts.ts';
import { parseReferences } from '../../../src/text/references/parse.ts';

const acts = (text: string) => parseReferences(text).map((one, _, all) => actBeside(text, one, all));
const act = (kind: NamedAct['kind'], some: Partial<NamedAct> = {}): NamedAct => ({
  kind,
  names: [],
  topics: [],
  number: null,
  ...some,
});

describe('actBeside', () => {
  test.each([
    ['статья 42 Конституции Исландии', act('constitution', { names: ['Исландии'] })],
    ['статья 42 конституции исландии', act('constitution', { names: ['исландии'] })],
    ['Article 42 of the US Constitution', act('constitution', { names: ['US'] })],
    ['Конституция РК, статья 42', act('constitution', { names: ['РК'] })],
    ['Исландия Конституциясының 42-бабы', act('constitution', { topics: ['Исландия'] })],
    ['Статья 29 Уголовного кодекса', act('code', { topics: ['Уголовного'] })],
    ['Лес кодексінің 29-бабы', act('code', { topics: ['Лес'] })],
    ['пункт 2 Указа о ночных мостах', act('decree', { topics: ['ночных', 'мостах'] })],
    ['закон о мостах статья 9', act('law', { topics: ['мостах'] })],
    ['Article 5 of the Law on Bridges', act('law', { topics: ['Bridges'] })],
    ['Көпірлер туралы заңның 9-бабы', act('law', { topics: ['Көпірлер'] })],
    ['статья 5 Закона № 52-ФЗ', act('law', { number: '52' })],
    ['пункт 3 приказа ФСТЭК № 17', act('order', { names: ['ФСТЭК'], number: '17' })],
    ['ст. 29 УК РФ', act(null, { names: ['УК', 'РФ'] })],
    ['статья 23 новой Конституции о здоровье', act('constitution')],
    ['Article 48 of the 1994 constitution', act('constitution')],
    ['Ата заңның 23-бабы', act('constitution')],
    ['статья 23 Основного закона страны', act('constitution')],
    ['статья 14 конституции гражданам', act('constitution')],
    ['СТАТЬЯ 29 КОНСТИТУЦИИ КРАТКО', act('constitution')],
  ])('%s', (text, expected) => {
    expect(acts(text)).toEqual([expected]);
  });

  test.each([
    'статья 29 о выборах',
    'Какие права по закону даёт статья 5?',
    'статья 23 про законы',
    'What does Article 23 say about laws on health?',
    'статья 5',
  ])('finds no act in "%s"', (text) => {
    expect(acts(text)).toEqual([null]);
  });

  test('gives each reference its own act', () => {
    expect(acts('статья 5 Лесного кодекса и статья 7 Водного кодекса')).toEqual([
      act('code', { topics: ['Лесного'] }),
      act('code', { topics: ['Водного'] }),
    ]);
  });

  test('returns only words of the text, for any text', () => {
    const piece = fc.constantFrom(
      'статья 5',
      'закона',
      'о',
      'РФ',
      '№ 5',
      'Code',
      'of',
      'the',
      '«',
      '»',
      ',',
      'заңның',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        const text = parts.join(' ');
        for (const found of acts(text))
          for (const word of [...(found?.names ?? []), ...(found?.topics ?? [])])
            expect(text).toContain(word);
      }),
    );
  });
});

test('a title names the kinds of its acts', () => {
  expect(kindsIn('Закон города «Кодекс о дорогах»')).toEqual(['law', 'code']);
  expect(kindsIn('Законодательное собрание')).toEqual([]);
});
