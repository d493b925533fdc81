/** Questions that select documents by their metadata, and the documents that each one selects. */
import { describe, expect, test } from 'vitest';
import { askedDocuments } from '../../../src/answering/retrieval/documents/asked-documents.ts';
import { StatedFacts } from '../../../src/answering/retrieval/documents/stated-facts.ts';
import type { Language } from '../../../src/language/index.ts';

const documents: [number, Language, string, Record<string, string>][] = [
  [1, 'ru', '2020-02-11', { speaker: 'Марина Тулепова', position: 'Премьер-министр' }],
  [2, 'ru', '2023-03-16', { speaker: 'Марина Тулепова', position: 'Премьер-министр' }],
  [3, 'en', '2024-04-18', { speaker: 'Marina Tulepova', position: 'Prime Minister' }],
  [4, 'kk', '2024-09-02', { speaker: 'Марина Төлепова', position: 'Премьер-Министр' }],
  [5, 'ru', '2024-06-05', { author: 'Данияр Сагимбай', role: 'министр водных ресурсов и экологии' }],
  [6, 'ru', '2022-06-30', { author: 'Инна Веденская', role: 'министр цифрового развития' }],
  [7, 'en', '2021-05-19', { speaker: 'Ann Lee', position: "Chair of the People's Assembly" }],
  [8, 'en', '2025-01-10', { speaker: 'Bob Ray', position: "Chair of the People's Assembly", place: 'Hill' }],
  [9, 'ru', '2021-12-31', {}],
];
const facts = new StatedFacts();
for (const [doc_id, lang, event_date, stated] of documents)
  facts.put({ doc_id, title: '', lang, event_date, stated });
const read = (text: string, lang: Language | null = null) => askedDocuments(text, lang, facts, () => false);

describe('who holds an office', () => {
  test.each([
    ['Кто премьер-министр?', 'ru', ['Марина Тулепова'], [2]],
    ['Who is the prime minister?', 'en', ['Marina Tulepova'], [3]],
    ['Премьер-министр кім?', 'kk', ['Марина Төлепова'], [4]],
    ['Кто был премьер-министром в 2020 году?', 'ru', ['Марина Тулепова'], [1]],
    ['Кто сейчас министр экологии?', 'ru', ['Данияр Сагимбай'], [5]],
    ['Кто такая Инна Веденская?', 'ru', ['Инна Веденская'], [6]],
    ['Какую должность занимает Сагимбай?', 'ru', ['Данияр Сагимбай'], [5]],
    ['What post does Ann Lee hold?', 'en', ['Ann Lee'], [7]],
    ["Who is the chair of the People's Assembly?", 'en', ['Bob Ray'], [8]],
    ["Who was the chair of the People's Assembly in 2021?", 'en', ['Ann Lee'], [7]],
  ] as const)('%s', (text, lang, persons, from) => {
    const { holders } = read(text, lang);
    expect(holders.map(({ person }) => person)).toEqual(persons);
    expect(holders.map(({ doc_id }) => doc_id)).toEqual(from);
  });

  test.each([
    ['Кто выступал в 2024 году?', 'ru', ['Данияр Сагимбай', 'Марина Төлепова']],
    ['Who spoke in 2021?', 'en', ['Ann Lee']],
  ] as const)('%s asks for everyone who spoke then', (text, lang, persons) => {
    expect(read(text, lang).holders.map(({ person }) => person)).toEqual(persons);
  });

  test.each([
    ['Сколько раз выступала Тулепова?', 'number', 4],
    ['How many speeches did Tulepova give in 2024?', 'number', 2],
    ['Когда в последний раз выступала Веденская?', 'dates', 1],
    ['When did Ann Lee speak?', 'dates', 1],
    ['Что говорила Тулепова о налогах?', null, 4],
  ] as const)('%s asks about documents themselves', (text, asks, total) => {
    const { asksOf, total: count } = read(text);
    expect([asksOf, count()]).toEqual([asks, total]);
  });

  test('counts a speech by one person on one day in two languages once', () => {
    const twins = new StatedFacts();
    for (const [doc_id, lang, speaker] of [
      [1, 'ru', 'Марина Тулепова'],
      [2, 'en', 'Marina Tulepova'],
    ] as const)
      twins.put({ doc_id, title: '', lang, event_date: '2020-02-11', stated: { speaker } });
    expect(askedDocuments('Сколько раз выступала Тулепова?', 'ru', twins, () => false).total()).toBe(1);
  });

  test('lists everyone if several people hold the office', () => {
    expect(
      read('Кто министр?', 'ru')
        .holders.map(({ person }) => person)
        .sort(),
    ).toEqual(['Данияр Сагимбай', 'Инна Веденская']);
  });

  test.each([
    'Кто вице-премьер-министр?',
    'Кто министр обороны?',
    'Who is the deputy prime minister?',
    'Кто назначает премьер-министра?',
    'Кто может стать министром экологии?',
    'Кто премьер-министр Франции?',
    'Who is Hill?',
    'What office does the prime minister hold in the party?',
    'Какой пост в партии занимает Сагимбай?',
  ])('%s does not ask for an office holder', (text) => {
    expect(read(text).holders).toEqual([]);
  });
});

describe('the speaker named in a question', () => {
  test.each([
    ['Что говорила Тулепова о налогах?', [1, 2, 3, 4], 'Что о налогах?'],
    ['What did the prime minister say about taxes in 2024?', [3, 4], 'What did the about taxes ?'],
    ['позиция министра цифрового развития по камерам', [6], 'по камерам'],
    ['Веденская о камерах', [6], 'о камерах'],
    ['Төлепова мектеп туралы не айтты?', [1, 2, 3, 4], 'мектеп туралы не ?'],
  ])('%s', (text, only, question) => {
    const asked = read(text);
    expect([...(asked.only ?? [])].sort()).toEqual(only);
    expect(asked.question).toBe(question);
    expect(asked.whole).toBe(false);
  });

  test('does not restrict the documents if the person is only the subject', () => {
    for (const text of ['Что говорилось о Тулеповой?', 'Назначает ли Тулепова министров?', 'налог на воду'])
      expect(read(text).only).toBe(null);
  });

  test('selects nothing if there is no speech from the given time', () => {
    expect([...(read('Что говорила Веденская в 2019 году?').only ?? [0])]).toEqual([]);
  });

  test('is optional: a time only prefers its documents, and selects them if the question asks for speeches', () => {
    expect([...read('Какой была ставка в 2021 году?').preferred].sort()).toEqual([7, 9]);
    expect(read('Какой была ставка в 2021 году?').only).toBe(null);
    expect([...(read('Что было сказано о ставке в 2021 году?').only ?? [])].sort()).toEqual([7, 9]);
  });
});

describe('latest and earliest, the present, and changes', () => {
  test('select documents by date if the question asks for documents', () => {
    const last = read('последнее выступление премьер-министра');
    expect({ whole: last.whole, order: last.order, documents: last.inOrder(2) }).toEqual({
      whole: true,
      order: 'latest',
      documents: [4, 3],
    });
    expect(read('the first speech of Tulepova').inOrder(1)).toEqual([1]);
  });

  test.each([
    ['Что Тулепова последний раз говорила о налогах?', 'latest'],
    ['What did the prime minister last say about taxes?', 'latest'],
    ['Алғаш рет мектеп туралы не айтылды?', 'earliest'],
    ['How long does a speech last?', null],
    ['Что говорили о первом классе?', null],
    ['What was said in the last 5 years?', null],
  ])('%s: %s', (text, order) => {
    expect(read(text).order).toBe(order);
  });

  test('are recognised in questions about now, and about how something changed', () => {
    expect(read('Какой сейчас налог?').present).toBe(true);
    expect(read('Что решили на последнем собрании?').present).toBe(true);
    expect(read('Какой был налог?').present).toBe(false);
    expect(read('Как менялась позиция Тулеповой по налогам?')).toMatchObject({
      changes: true,
      question: 'Как по налогам?',
    });
    for (const text of ['Кто может изменить закон?', 'How can the law be changed?', 'Как платить налог?'])
      expect(read(text).changes).toBe(false);
  });
});

test('drops metadata of a replaced or withdrawn document', () => {
  const own = new StatedFacts();
  const document = { doc_id: 1, title: '', lang: 'en' as const, event_date: '2024' };
  own.put({ ...document, stated: { speaker: 'Ann Lee', position: 'Mayor' } });
  own.put({ ...document, stated: { speaker: 'Bob Ray', position: 'Mayor' } });
  const mayor = () =>
    askedDocuments('Who is the mayor?', 'en', own, () => false).holders.map(({ person }) => person);
  expect(mayor()).toEqual(['Bob Ray']);
  own.remove(1);
  expect([mayor(), own.isDated, [...own.all()]]).toEqual([[], false, []]);
});

test('a title shared by two documents identifies neither', () => {
  const own = new StatedFacts();
  const put = (doc_id: number, title: string) =>
    own.put({ doc_id, title, lang: 'en', event_date: null, stated: {} });
  for (const [n, title] of ['FAQ', 'FAQ', 'Fees', '', ''].entries()) put(n + 1, title);
  const namesakes = () => [1, 2, 3, 4, 5].filter((docId) => own.hasNamesake(docId));
  expect(namesakes()).toEqual([1, 2]);
  own.remove(2);
  expect(namesakes()).toEqual([]);
  put(1, 'Fees');
  expect(namesakes()).toEqual([1, 3]);
});

test('dates select nothing if no document has a date', () => {
  const own = new StatedFacts();
  for (const text of ['the last speech', 'How did the position on fees change?', 'What was said in 2024?'])
    expect(askedDocuments(text, 'en', own, () => false)).toMatchObject({
      question: text,
      only: null,
      whole: false,
      order: null,
      changes: false,
    });
});
