import { expect, it } from 'vitest';
import {
  countsThings,
  holdsCount,
  holdsSum,
  kindsAskedFor,
  positionsOf,
} from '../../src/reading/answer-kinds.ts';
import { words } from '../../src/text/words.ts';

it.each<[string, ReturnType<typeof kindsAskedFor>]>([
  ['what did the minister do when he was asked?', []],
  ['when and where was it built?', ['date', 'place']],
  ['через сколько дней обязан ответить оператор?', ['duration']],
  ['можно ли работать где-то еще?', ['decision']],
  ['кто отвечает, когда его нет?', ['person']],
  ['сколько это стоит?', ['money']],
  ['как сменить тариф?', ['way']],
  ['how do i learn the price of a ticket?', ['way']],
  ['как долго действует билет?', ['duration']],
  ['how much does a ticket cost?', ['money']],
  ['what stops are there?', ['list']],
  ['what happens on the quay?', []],
  ['сколько ждать парома?', ['duration']],
  ['как часто ходит паром?', ['frequency']],
  ['how often does the ferry run?', ['frequency']],
  ['паром қаншалықты жиі жүреді?', ['frequency']],
  ['how many times a day does the ferry run?', ['frequency']],
  ['how many times was the pier rebuilt?', ['number']],
  ['какая у капитана зарплата?', ['money']],
  ['above which amount is a receipt kept?', ['number']],
  ['каким большинством избирают капитана?', ['number']],
  ['сколько билетов хранится в кассе?', ['number']],
  ['что считается багажом?', ['definition']],
  ['what counts as luggage?', ['definition']],
])('"%s" asks for %j', (question, kinds) => {
  expect(kindsAskedFor(question)).toEqual(kinds);
});

it.each([
  ['The chamber consists of one hundred and five deputies elected for five years.', true],
  ['Three schools were closed in 2024.', true],
  ['The President is elected for a term of six years.', false],
  ['At least five per cent of the votes were cast for it.', false],
  ['Не менее тридцати процентов налога остаётся в бюджете района.', false],
  ['Штраф составляет сто рублей.', false],
  ['Кеңес төрт жылға сайланады.', false],
  ['Кеңесте отыз депутат бар.', true],
])('"%s" counts things: %s', (text, counts) => {
  expect(countsThings(text)).toBe(counts);
});

it.each([
  ['Проезд стоит десять рублей.', true],
  ['Трафик не тарифицируется.', true],
  ['Admission is free of charge.', true],
  ['Two percent of the income is paid for it.', false],
  ['The council meets twice a year.', false],
])('"%s" gives a price: %s', (text, holds) => {
  expect(holdsSum(text)).toBe(holds);
});

it.each([
  ['The town was taken in 923.', true],
  ['Chocolate came to the town in the sixteenth century.', true],
  ['Город основан в шестнадцатом веке.', true],
  ['The three kingdoms (220–280 A.D.) followed.', true],
  ['It weighs 923 tons.', false],
  ['It stands in 923.5 metres of water.', false],
])('"%s" contains a date: %s', (text, holds) => {
  expect(positionsOf('date', { text, words: words(text) }, () => false).length > 0).toBe(holds);
});

it.each([
  ['The log is kept in /var/log/ferry.log.', true],
  ['Журнал лежит в ~/ferry/log.', true],
  ['Pay by card and/or in cash at any stop.', false],
  ['Write to quay@example.org.', true],
])('"%s" gives a place: %s', (text, holds) => {
  expect(positionsOf('place', { text, words: words(text) }, () => true).length > 0).toBe(holds);
});

it.each([
  ['frequency', 'Паром осматривают не реже одного раза в три месяца.', true],
  ['frequency', 'The ferry runs every two hours.', true],
  ['frequency', 'Паром күн сайын жүреді.', true],
  ['frequency', 'The captain is elected for six years.', false],
  ['person', 'Care for the pier is a duty of the town.', false],
  ['person', 'Fares are set by the council.', true],
  ['person', 'Кемежай туралы тәртіп конституциялық заңмен белгіленеді.', false],
] as const)('%s in "%s": %s', (kind, text, holds) => {
  expect(positionsOf(kind, { text, words: words(text) }, () => false).length > 0).toBe(holds);
});

it.each<[string, string, boolean]>([
  ['Item: Oar; Price (tenge): 1850; In store: 7', '', true],
  ['Товар: Весло; Цена: 1850; Остаток: 7', '', true],
  ['Тауар: Ескек; Бағасы (теңге): 1850; Қалдығы: 7', '', true],
  ['Oar | 1850 | 7', 'Item | Price, tenge | In store', true],
  ['Oar | 1850 | 7', 'Item | Made in | In store', false],
  ['Item: Oar; Shelf: 12; In store: 7', '', false],
])('the columns of the row "%s" under "%s" decide whether it contains a sum of money', (row, head, holds) => {
  expect(holdsSum(row, head)).toBe(holds);
});

it('a row is an answer if the question names its column', () => {
  expect(holdsSum('Item: Oar; Weight, kg: 4', '', (word) => word === 'weight')).toBe(true);
});

it.each([
  ['A berth costs 1850 tenge.', true],
  ['Место стоит 1850 тенге.', true],
  ['The boat weighs 1850 kg.', true],
  ['Item: Oar; In store: 1850', true],
  ['It was built in 1850.', false],
  ['Item: Oar; Год: 1850', false],
])('"%s" contains a count, not only a year: %s', (text, counts) => {
  expect(holdsCount(text)).toBe(counts);
});

it('opening hours are an answer to "when"', () => {
  const text = 'The quay is open from 9:30 to 21:00.';
  expect(positionsOf('date', { text, words: words(text) }, () => false)).toHaveLength(2);
});
