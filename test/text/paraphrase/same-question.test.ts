import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse, cacheKeys, sameQuestion } from '../../../src/text/paraphrase/same-question.ts';

const same = (a: string, b: string) => {
  const [one, other] = [analyse(a), analyse(b)];
  const answer = sameQuestion(one, other);
  expect(sameQuestion(other, one)).toBe(answer);
  return answer;
};

describe('the same question', () => {
  test.each([
    // Russian: case, courtesy, order, forms, synonyms, numbers in words, class nouns, scripts, one slip.
    ['На какой срок избирается Президент?', 'на какой срок избирается президент'],
    ['На какой срок избирается Президент?', 'Подскажите, пожалуйста, на какой срок избирают Президента?'],
    ['Как назначается министр?', 'Как назначают министра?'],
    ['Какие полномочия у Президента?', 'Какие полномочия имеет Президент?'],
    ['Сколько депутатов в Парламенте?', 'Сколько в Парламенте депутатов?'],
    ['Есть ли в стране смертная казнь?', 'В стране есть смертная казнь?'],
    ['Нужно ли разрешение на митинг?', 'Надо ли разрешение на митинг?'],
    ['Какой город является столицей?', 'какой город столица'],
    ['За сколько дней орган должен ответить?', 'За сколько дней орган обязан ответить?'],
    ['Перечислите права граждан', 'Какие права граждан?'],
    ['Какие страны граничат с Китаем, кроме Китая?', 'Какие страны граничат с Китаем, кроме Китая'],
    ['Как избирают двадцать пять депутатов?', 'Как избирают 25 депутатов?'],
    ['Когда основана компания Тенгри?', 'Когда была основана Тенгри?'],
    ['Кто написал роман Абай?', 'Кто написал Абай?'],
    ['Сколько сотрудников у Microsoft?', 'Сколько сотрудников у Майкрософт?'],
    ['Как проводится референдум?', 'Как проводится рефирендум?'],
    ['Сколько стоит 1 000 000 запросов?', 'Сколько стоит 1000000 запросов?'],
    // Kazakh.
    ['Президент неше жылға сайланады?', 'президент неше жылға сайланады'],
    ['Президент неше жылға сайланады?', 'Айтыңызшы, Президент неше жылға сайланады?'],
    ['Президент неше жылға сайланады?', 'президент неше жылга сайланады'],
    ['Парламентте қанша депутат бар?', 'Парламентте неше депутат бар?'],
    ['Митинг өткізуге рұқсат керек пе?', 'Митинг өткізуге рұқсат қажет пе?'],
    // English.
    ['How many deputies are there in Parliament?', 'How many deputies are in Parliament'],
    [
      'How many deputies are there in Parliament?',
      'Please tell me how many deputies there are in Parliament.',
    ],
    ['Which city is the capital?', 'What city is the capital?'],
    ['How long can a person be detained?', 'how long can persons be detained'],
    ['Who signs the 3rd protocol?', 'who signs the third protocol'],
  ])('%s = %s', (a, b) => {
    expect(same(a, b)).toBe(true);
  });
});

describe('another question', () => {
  test.each([
    ['number', 'Сколько депутатов было в 2020 году?', 'Сколько депутатов было в 2021 году?'],
    ['number', 'За пять дней или за десять?', 'За шесть дней или за десять?'],
    ['number', 'Кто был первым президентом?', 'Кто был вторым президентом?'],
    ['number', 'Кто был первым президентом?', 'Кто был одним президентом?'],
    ['number', 'Когда родился Пётр I?', 'Когда родился Пётр II?'],
    ['number', 'Президент алты жылға сайлана ма?', 'Президент бес жылға сайлана ма?'],
    ['number', 'Can I hold two citizenships?', 'Can I hold three citizenships?'],
    ['date', 'Что было 1 мая?', 'Что было 1 июня?'],
    ['date', '2026 жылғы 1 мамырда не болды?', '2026 жылғы 2 мамырда не болды?'],
    ['date', 'What happened on 5 May 2020?', 'What happened on 6 May 2020?'],
    ['name', 'На какой срок избирается Президент?', 'На какой срок избирается Парламент?'],
    ['name', 'Президент неше жылға сайланады?', 'Парламент неше жылға сайланады?'],
    ['name', 'Who appoints judges of the Supreme Court?', 'Who appoints judges of the Constitutional Court?'],
    ['name', 'Где находится город Арман?', 'Где находится компания Арман?'],
    ['negation', 'Кто может быть депутатом?', 'Кто не может быть депутатом?'],
    ['negation', 'Сколько классов обязательны?', 'Сколько классов необязательны?'],
    ['negation', 'Президент қайта сайланады ма?', 'Президент қайта сайланбайды ма?'],
    ['negation', 'Сотпен ұстауға бола ма?', 'Сотсыз ұстауға бола ма?'],
    ['negation', 'Can a citizen apply to the court?', "Can't a citizen apply to the court?"],
    ['preposition', 'Можно ли держать под стражей без суда?', 'Можно ли держать под стражей после суда?'],
    ['preposition', 'Сайлауға дейін не істеледі?', 'Сайлаудан кейін не істеледі?'],
    ['preposition', 'Can I vote before the election?', 'Can I vote after the election?'],
    ['modal', 'Может ли гражданин обратиться в суд?', 'Должен ли гражданин обратиться в суд?'],
    ['modal', 'Must the President sign the law?', 'May the President sign the law?'],
    ['class', 'Кто избирает Президента?', 'Как избирают Президента?'],
    ['class', 'Есть вице-президент?', 'Кто вице-президент?'],
    ['class', 'Что президент?', 'Кто президент?'],
    ['class', 'Where was the President born?', 'When was the President born?'],
    ['role', 'Кто назначает министра?', 'Кого назначает министр?'],
    ['role', 'Кому подчиняется Президент?', 'Кто подчиняется Президенту?'],
    ['role', 'Назначает ли Президент Премьера?', 'Назначает ли Президента Премьер?'],
    ['role', 'Президент кімді тағайындайды?', 'Президентті кім тағайындайды?'],
    ['role', 'Who elects the President?', 'Who does the President elect?'],
    ['role', 'Кого избирает парламент?', 'Кто избирает парламент?'],
    ['role', 'Кого избирает парламент?', 'Кем избирается парламент?'],
    ['role', 'Кто избирает Президента?', 'Кто избирается Президентом?'],
    ['role', 'Кто избирает парламент?', 'Кто избирается парламентом?'],
    ['role', 'How does a judge pay?', 'How is a judge paid?'],
    ['role', 'What does a card do?', 'What is a card?'],
    ['negation', 'Заң қабылданды ма?', 'Заң қабылданбады ма?'],
    ['role', 'Can he see my account?', 'Can I see his account?'],
    ['order', 'Сколько часов от Астаны до Алматы?', 'Сколько часов от Алматы до Астаны?'],
    ['order', 'Астанадан Алматыға қанша сағат?', 'Алматыдан Астанаға қанша сағат?'],
    ['word', 'Кто назначает судей?', 'Кто назначает суды?'],
    ['word', 'Где живёт гражданин?', 'Где гражданство?'],
    ['word', 'Какая у сервера цель?', 'Какой сервер целый?'],
    ['word', 'Как войти в систему?', 'Как выйти из системы?'],
    ['word', 'Как включить сервер?', 'Как выключить сервер?'],
    ['word', 'Где мой контракт?', 'Где мой контакт?'],
    ['word', 'Какие города больше Алматы?', 'Какие города меньше Алматы?'],
    ['word', 'Сайлау деген не?', 'Сайлаушы деген кім?'],
    ['word', 'What is a universal service?', 'What is a university service?'],
    ['word', 'Who ratifies international treaties?', 'Who ratifies internal treaties?'],
    ['tense', 'Сколько длится служба?', 'Сколько длилась служба?'],
    ['tense', 'Какой город является столицей?', 'Какой город был столицей?'],
    ['tense', 'Сколько классов обязательны?', 'Сколько классов были обязательны?'],
    ['tense', 'Министр қанша жылға тағайындалады?', 'Министр қанша жылға тағайындалды?'],
    ['tense', 'Which city is the capital?', 'Which city was the capital?'],
    ['tense', 'How long does the service last?', 'How long did the service last?'],
    ['tense', 'Who appoints the judges?', 'Who appointed the judges?'],
    ['sign', 'Как хранить при -5 градусах?', 'Как хранить при 5 градусах?'],
    ['sign', 'Сколько стоит 100 $?', 'Сколько стоит 100 €?'],
    ['sign', 'What is programming in C?', 'What is programming in C++?'],
    ['sign', 'Где витамин C?', 'Где витамин D?'],
    ['counted', 'Сколько голосов нужно депутатам?', 'Сколько депутатов нужно голосам?'],
  ])('%s: %s ≠ %s', (_what, a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

const subjects = fc.constantFrom(
  'депутатов',
  'судей',
  'дней',
  'выборов',
  'областей',
  'литров воды',
  'языков',
);
const places = fc.constantFrom(
  'в Парламенте',
  'в стране',
  'в городе Нуртау',
  'по закону',
  'в палате регионов',
);
const question = fc.tuple(subjects, places).map(([what, where]) => `Сколько ${what} ${where}`);

describe('whatever the question', () => {
  test('it is itself, in any case, with any end and with courtesy before it', () => {
    fc.assert(
      fc.property(question, fc.constantFrom('?', '', '??', ' .'), (text, end) => {
        expect(same(text, text.toUpperCase() + end)).toBe(true);
        expect(same(text, `Скажите, пожалуйста, ${text.toLowerCase()}${end}`)).toBe(true);
      }),
    );
  });

  test('it is itself for any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(same(text, text)).toBe(true);
      }),
    );
  });

  test('the answer does not depend on which of two is asked first', () => {
    const word = fc.constantFrom(
      ...'кто кого не из до 5 пять Алматы Абай закон законы президент президента which the elect President сайлау ма депутат'.split(
        ' ',
      ),
    );
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [one, other] = [analyse(a, 'ru'), analyse(b, 'ru')];
        expect(sameQuestion(one, other)).toBe(sameQuestion(other, one));
      }),
      { numRuns: 2000 },
    );
  });

  test('another number is another question', () => {
    fc.assert(
      fc.property(question, fc.nat(99_999), fc.nat(99_999), (text, a, b) => {
        expect(same(`${text} за ${a} лет?`, `${text} за ${b} лет?`)).toBe(a === b);
      }),
    );
  });

  test('a negation more is another question', () => {
    fc.assert(
      fc.property(question, fc.constantFrom('не', 'никогда', 'нет'), (text, no) => {
        expect(same(text, `${text} ${no}`)).toBe(false);
      }),
    );
  });

  test('questions that are the same share a key', () => {
    const forms = fc.constantFrom('избирается Президент', 'избирают Президента', 'избран президент');
    fc.assert(
      fc.property(forms, forms, (a, b) => {
        const [one, other] = [analyse(`На какой срок ${a}?`), analyse(`на какой срок ${b}`)];
        expect(sameQuestion(one, other)).toBe(true);
        expect(cacheKeys(one).filter((key) => cacheKeys(other).includes(key))).not.toEqual([]);
      }),
    );
  });
});

test('keys are numbers, beginnings and groups of synonyms, each once', () => {
  expect(cacheKeys(analyse('Референдум 2026 года: что за референдум?'))).toEqual(
    expect.arrayContaining(['n2026', 'рефе']),
  );
  expect(cacheKeys(analyse('Цена сервера'))).toEqual(cacheKeys(analyse('Стоимость сервера')));
});
