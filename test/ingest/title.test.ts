/**
 * Document titles, tested on realistic forms: acts, leaflets, manuals and forms, with various lines above the title.
 */
import { expect, test } from 'vitest';
import type { Block } from '../../src/formats/blocks.ts';
import { documentTitle, namesDocument } from '../../src/ingest/title.ts';

const p = (text: string): Block => ({ kind: 'paragraph', text });
const h = (level: number, text: string): Block => ({ kind: 'heading', level, text });
const titled = (blocks: Block[], name = 'doc1.docx', title: string | null = null, format = 'docx') =>
  documentTitle({ title, blocks, hints: {} }, name, format);

test.each([
  'ПРОЕКТ',
  'Проект № 1234567-8',
  '(проект от 12.03.2026)',
  'ЖОБА',
  'DRAFT v2',
  'DRAFT 2026-03-12',
  'КОПИЯ ВЕРНА',
  'Для служебного пользования',
  'For internal use only',
  'УТВЕРЖДАЮ',
  'Утверждён приказом Министра от 1 марта 2026 года № 7',
  'Принята на республиканском референдуме 15 марта 2026 года',
  'Зарегистрировано в Минюсте России 14.05.2013',
  'Adopted by the Congress on 20 May 1994',
  'Қабылданған: республикалық референдумда',
  'СОДЕРЖАНИЕ',
  'Оглавление',
  'Table of contents',
  'Мазмұны',
  '29.01.2021',
  'от 29.01.2021 № 39',
  'От 21.12.2015 № 571-п г. Иваново',
  '18 февраля 2013 г. № 21',
  '2026 жылғы 1 наурыз',
  'January 2004',
  'г. Москва',
  '(далее — «Согласие»)',
  '№ 571-п',
  'Версия 1.0',
  'Page 1 of 12',
  '— 2 —',
  '',
])('%j is never a title', (line) => {
  expect(namesDocument(line)).toBe(false);
});

test.each([
  'КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ',
  'Проект закона о персональных данных',
  'Draft law on personal data',
  'Конституция Республики Кенсай 1994 года',
  'Итоги 2025 года',
  'О сервисе',
  'FAQ',
  'sample-docs',
  'Версии программы и их поддержка',
  'Содержание животных в городе',
  'Оглавление законов: справочник',
  'On personal data',
])('%j may be a title', (line) => {
  expect(namesDocument(line)).toBe(true);
});

test.each<[string, Block[], string]>([
  [
    'a stamp above the title of a constitution',
    [p('ПРОЕКТ'), p('КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ'), p('Мы, народ Кенсая, принимаем эту Конституцию.')],
    'КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ',
  ],
  [
    'a title on two lines, and the first chapters as headings',
    [h(1, 'ПРОЕКТ'), h(1, 'КОНСТИТУЦИЯ'), p('РЕСПУБЛИКИ КЕНСАЙ'), p('г. Нурт'), h(2, 'Раздел I. Общее')],
    'КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ',
  ],
  [
    'a Kazakh title that begins with its owner',
    [
      p('ЖОБА'),
      p('Кеңсай Республикасының'),
      p('КОНСТИТУЦИЯСЫ'),
      p('Біз, Кеңсай халқы, осы Конституцияны қабылдаймыз.'),
    ],
    'Кеңсай Республикасының КОНСТИТУЦИЯСЫ',
  ],
  [
    'an act below its issuer',
    [
      p('РОССИЙСКАЯ ФЕДЕРАЦИЯ'),
      p('ФЕДЕРАЛЬНЫЙ ЗАКОН'),
      p('О персональных данных'),
      p('Принят Государственной Думой 8 июля 2006 года'),
    ],
    'ФЕДЕРАЛЬНЫЙ ЗАКОН О персональных данных',
  ],
  [
    'an order with date, number and place before its subject in capitals',
    [
      h(2, 'СЛУЖБА ПО НАДЗОРУ'),
      h(2, 'ПРИКАЗ'),
      p('Москва'),
      p('18 февраля 2013 г. № 21'),
      p('ОБ УТВЕРЖДЕНИИ СОСТАВА'),
      p('И СОДЕРЖАНИЯ МЕР'),
      p('В соответствии с частью 4 статьи 19 приказываю:'),
    ],
    'ПРИКАЗ ОБ УТВЕРЖДЕНИИ СОСТАВА И СОДЕРЖАНИЯ МЕР',
  ],
  [
    'a code above its first article',
    [p('Уголовный кодекс'), p('Статья 1. Уголовное законодательство'), p('Статья 2. Задачи')],
    'Уголовный кодекс',
  ],
  [
    'an English act',
    [p('DRAFT'), p('CONSTITUTION'), p('of the Republic of Kensai')],
    'CONSTITUTION of the Republic of Kensai',
  ],
  [
    'an English act title on one line',
    [p('DRAFT'), p('Act on Personal Data'), p('This Act governs the processing of data.')],
    'Act on Personal Data',
  ],
  [
    'a table of contents before the title',
    [h(1, 'СОДЕРЖАНИЕ'), p('Введение'), h(1, 'Порядок приёма граждан'), p('Приём ведётся по вторникам.')],
    'Порядок приёма граждан',
  ],
  [
    'a running header',
    [
      p('ТОО «Ромашка», внутренний документ'),
      p('Правила внутреннего распорядка'),
      p('Текст.'),
      p('ТОО «Ромашка», внутренний документ'),
      p('Текст дальше.'),
      p('ТОО «Ромашка», внутренний документ'),
    ],
    'Правила внутреннего распорядка',
  ],
  ['a sentence is not a title', [p('This article shows how to make an instance.'), h(2, 'Steps')], 'doc1'],
  [
    'one of several questions is not a title',
    [h(1, 'Where are the servers?'), p('Here.'), h(1, 'Who runs them?'), p('We do.')],
    'doc1',
  ],
])('%s', (_, blocks, title) => {
  expect(titled(blocks)).toBe(title);
});

test.each<[string, Block[], string, string]>([
  ['that is a slug', [p('This page shows how it is done.')], 'user-guide_v2.html', 'User guide v2'],
  ['with a date', [p('This page shows how it is done.')], 'minutes-2026-03-12.txt', 'Minutes 2026-03-12'],
  ['with one word', [p('This page shows how it is done.')], 'keypairs.md', 'keypairs'],
  ['written by a person', [p('Текст о порядке.')], 'Приказ о тарифах_2.docx', 'Приказ о тарифах 2'],
])('a file name %s', (_, blocks, name, title) => {
  expect(titled(blocks, name)).toBe(title);
});

test.each<[string, Block[], string, string]>([
  [
    'of questions',
    [h(1, 'Вопросы и ответы'), h(2, 'Где?'), p('Тут.')],
    'faq-billing.md',
    'Вопросы и ответы (billing)',
  ],
  ['in general', [h(1, 'FAQ'), p('Text.')], 'FAQ.md', 'FAQ'],
  ['with a subject', [h(1, 'Введение в налоги'), p('Текст.')], 'intro.md', 'Введение в налоги'],
])('a generic title is combined with the file name: %s', (_, blocks, name, title) => {
  expect(titled(blocks, name)).toBe(title);
});

test('the first of several equal headings names its section, not the document', () => {
  const sections = (level: number) => [
    h(level, 'Roles'),
    p('a'),
    h(level, 'Limits'),
    p('b'),
    h(level, 'Zones'),
    p('c'),
  ];
  expect(titled(sections(2), 'dns.md', null, 'markdown')).toBe('dns');
  expect(titled(sections(1), 'public-dns.md', null, 'markdown')).toBe('Public dns');
  expect(titled([h(2, 'Roles'), p('a'), h(3, 'Limits'), p('b')], 'dns.md', null, 'markdown')).toBe('Roles');
});

test('the title in the metadata is used, unless a program generated it or it is a stamp', () => {
  const text = [p('Text that says something about the matter at hand.')];
  expect(titled(text, 'a.docx', 'Holiday rules')).toBe('Holiday rules');
  for (const made of ['ПРОЕКТ', 'Untitled', 'Документ1', 'Microsoft Word - rules', 'rules.docx', 'a'])
    expect(titled(text, 'a.docx', made)).toBe('a');
});

test('a descriptive file name is preferred to a stamp, and an act to both', () => {
  expect(titled([p('ПРОЕКТ'), p('Текст о порядке.')], 'Порядок приёма.docx')).toBe('Порядок приёма');
  expect(titled([p('ПРОЕКТ'), p('КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ')], 'норма.docx')).toBe(
    'КОНСТИТУЦИЯ РЕСПУБЛИКИ КЕНСАЙ',
  );
});
