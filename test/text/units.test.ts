import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Unit, units } from '../../src/text/units.ts';

const read = (text: string) => {
  const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return units(text).map((unit) => [unit.kind, at(unit), ...(unit.head ? [at(unit.head)] : [])]);
};

describe('units', () => {
  test('an item belongs to the sentence that introduces its list', () => {
    const text =
      'Запись открыта. Для неё нужны:\n– паспорт;\n– справка. Она действует год.\n\nПриходите утром.';
    const head = 'Для неё нужны:';
    expect(read(text)).toEqual([
      ['sentence', 'Запись открыта.'],
      ['sentence', head],
      ['item', '– паспорт;', head],
      ['item', '– справка.', head],
      ['item', 'Она действует год.', head],
      ['sentence', 'Приходите утром.'],
    ]);
    const items = units(text).filter(({ kind }) => kind === 'item');
    expect(new Set(items.map(({ list }) => list)).size).toBe(1);
    expect(text.slice(items[0]!.list!.start, items[0]!.list!.end)).toBe(
      '– паспорт;\n– справка. Она действует год.',
    );
    expect(text.slice(items[2]!.block.start, items[2]!.block.end)).toBe('– справка. Она действует год.');
  });

  test('the lines of an approval or an address are one unit', () => {
    const approval = 'УТВЕРЖДЕНО\n\nприказом директора ООО «Ромашка»\n\nот 12 марта 2024 года № 45';
    expect(read(`${approval}\n\nРаботник едет по приказу.`)).toEqual([
      ['sentence', approval],
      ['sentence', 'Работник едет по приказу.'],
    ]);
    for (const block of [
      'Harbour Office Ltd\n\n14 Quay Street\n\nphone 0800 100 20 30',
      'Harbour Museum\n\n14 Quay Street\n\nBridport DT6 4AA',
      'Valve Works,\n\nFerry Road,\n\nDunmere',
      'Городская библиотека\n\nпр. Достык, 12\n\nАлматы',
      'Северный архив\n\nКостанай\n\n110000',
      'APPROVED\n\nDirector\n\nA. B. Smith',
    ])
      expect(read(block)).toEqual([['sentence', block]]);
    const names = Array.from({ length: 40 }, (_, n) => `Name Surname ${n}`).join('\n\n');
    expect(units(`${names}\n\nphone 0800 100 20 30`)).toHaveLength(41);
    expect(read('Chapter 1\n\nGeneral provisions\n\nThe fee is 5 euros.')).toEqual([
      ['heading', 'Chapter 1'],
      ['heading', 'General provisions'],
      ['sentence', 'The fee is 5 euros.'],
    ]);
  });

  test('one remark, but not two, may separate a list from its introduction', () => {
    const list = '1. Send a letter.\n2. Wait.';
    const head = 'Follow the steps below:';
    expect(read(`${head}\n\nBe quick, an hour is soon over.\n\n${list}`)).toEqual([
      ['sentence', head],
      ['sentence', 'Be quick, an hour is soon over.'],
      ['item', '1. Send a letter.', head],
      ['item', '2. Wait.', head],
    ]);
    const far = `${head}\n\nBe quick, an hour is soon over.\n\nSay please when you ask for it.\n\n${list}`;
    expect(read(far).at(-1)).toEqual(['item', '2. Wait.']);
  });

  test('a line with a date, an address or a sum of money is content; one without is a heading', () => {
    expect(read('Принят Советом от 14.08.2018 N 02-03/13\n\nПорядок приёма\n\nПриходите утром.')).toEqual([
      ['sentence', 'Принят Советом от 14.08.2018 N 02-03/13'],
      ['heading', 'Порядок приёма'],
      ['sentence', 'Приходите утром.'],
    ]);
    expect(read('Quay office 8 (812) 640-66-20\n\nCome early.')[0]![0]).toBe('sentence');
    expect(read('Budget 2024 to 2026\n\nIt grew.')[0]![0]).toBe('heading');
  });

  test('a first row of values is not a header; rows belong to the line that introduces them', () => {
    expect(
      read('Paid so far:\n\nAnna | Quay | 12 February 2018 | $40\nBerta | Mill | 3 March 2018 | $55'),
    ).toEqual([
      ['sentence', 'Paid so far:'],
      ['row', 'Anna | Quay | 12 February 2018 | $40', 'Paid so far:'],
      ['row', 'Berta | Mill | 3 March 2018 | $55', 'Paid so far:'],
    ]);
    expect(read('Name | Stop | Paid\nAnna | Quay | $40')).toEqual([
      ['heading', 'Name | Stop | Paid'],
      ['row', 'Anna | Quay | $40', 'Name | Stop | Paid'],
    ]);
  });

  test('a sentence that introduces a paragraph is quoted with it', () => {
    expect(read('The rule is this:\n\nDogs are carried free. Cats pay.')).toEqual([
      ['sentence', 'The rule is this:'],
      ['sentence', 'Dogs are carried free.', 'The rule is this:'],
      ['sentence', 'Cats pay.'],
    ]);
  });

  test('lower-case lines that end in ";" are also items', () => {
    const text = 'Нужны:\n\nзаявление по форме;\n\nсогласие.\n\nвсё прочее найдут сами.';
    expect(read(text)).toEqual([
      ['sentence', 'Нужны:'],
      ['item', 'заявление по форме;', 'Нужны:'],
      ['item', 'согласие.', 'Нужны:'],
      ['sentence', 'всё прочее найдут сами.'],
    ]);
  });

  test('an item of an inner list belongs to the outer item, and the outer list continues after it', () => {
    const text =
      'Do this:\n1. Open the menu.\n  – on a phone, swipe;\n  – elsewhere, press F2.\n2. Choose one:\n– red;\n– blue.\n3. Save.';
    expect(read(text)).toEqual([
      ['sentence', 'Do this:'],
      ['item', '1. Open the menu.', 'Do this:'],
      ['item', '– on a phone, swipe;', '1. Open the menu.'],
      ['item', '– elsewhere, press F2.', '1. Open the menu.'],
      ['item', '2. Choose one:', 'Do this:'],
      ['item', '– red;', '2. Choose one:'],
      ['item', '– blue.', '2. Choose one:'],
      ['item', '3. Save.', 'Do this:'],
    ]);
  });

  test('a list continues after an unindented inner list, and ends where another begins', () => {
    expect(read('Do this:\n1. One.\n2. Two.\n1. Inner.\n3. Three.\n\nAnd so on.\n\n1. New.')).toEqual([
      ['sentence', 'Do this:'],
      ['item', '1. One.', 'Do this:'],
      ['item', '2. Two.', 'Do this:'],
      ['item', '1. Inner.'],
      ['item', '3. Three.', 'Do this:'],
      ['sentence', 'And so on.'],
      ['item', '1. New.'],
    ]);
  });

  test('code belongs to the line that introduces it, and the steps continue after it', () => {
    const text = 'To install:\n1. Run this:\n\n\tapt update\n\t\n\tapt install it\n\n2. Restart.';
    expect(read(text)).toEqual([
      ['sentence', 'To install:'],
      ['item', '1. Run this:', 'To install:'],
      ['code', 'apt update\n\t\n\tapt install it', '1. Run this:'],
      ['item', '2. Restart.', 'To install:'],
    ]);
  });

  test('points of an article have no introduction; a list that restarts its numbering is a new one', () => {
    const text =
      '1. The Council decides.\n2. The Mayor:\n1) signs;\n2) speaks.\n4. Nobody else.\n\n1. The Court sits.';
    expect(read(text)).toEqual([
      ['item', '1. The Council decides.'],
      ['item', '2. The Mayor:'],
      ['item', '1) signs;', '2. The Mayor:'],
      ['item', '2) speaks.', '2. The Mayor:'],
      ['item', '4. Nobody else.'],
      ['item', '1. The Court sits.'],
    ]);
    const lists = units(text).map(({ list }) => list);
    expect(lists[0]).toBe(lists[4]);
    expect(lists[0]).not.toBe(lists[5]);
  });

  test('rows belong to the header row; records and rows without column names belong to none', () => {
    const head = 'Вид | Срок, дней';
    expect(read(`Сроки.\n\n${head}\nОтпуск | 28\nУчёба в вузе. Очно | 40`)).toEqual([
      ['sentence', 'Сроки.'],
      ['heading', head],
      ['row', 'Отпуск | 28', head],
      ['row', 'Учёба в вузе. Очно | 40', head],
    ]);
    expect(read('2019 | 28\n2020 | 30')).toEqual([
      ['row', '2019 | 28'],
      ['row', '2020 | 30'],
    ]);
    expect(read('Name: Lake. Deep; Depth: 40 m; Open: May\n\nName: Pond; Depth: 2 m')).toEqual([
      ['row', 'Name: Lake. Deep; Depth: 40 m; Open: May'],
      ['row', 'Name: Pond; Depth: 2 m'],
    ]);
  });

  test('records that follow one another are one table', () => {
    const [lake, pond, year, river] = units(
      'Name: Lake; Depth: 40 m\n\nName: Pond; Depth: 2 m\n\n2019 | 28\n\nName: Alma; Depth: 5 m',
    );
    expect(pond!.list).toBe(lake!.list);
    expect(year!.list).not.toBe(lake!.list);
    expect(river!.list).not.toBe(year!.list);
  });

  test('headings, questions and captions are not sentences', () => {
    expect(
      read(
        'Статья 5. Языки\n\nГосударственных языков два. Почему? Так решили.\n\nРис. 2. Карта языков\n\n1-кесте. Тілдер\n\nТаблица 3 показывает доли.\n\nПрочие положения\n\n1. Где узнать?\n2. В школе.\n\nДата: 5 мая',
      ),
    ).toEqual([
      ['heading', 'Статья 5. Языки'],
      ['sentence', 'Государственных языков два.'],
      ['question', 'Почему?'],
      ['sentence', 'Так решили.', 'Почему?'],
      ['caption', 'Рис. 2. Карта языков'],
      ['caption', '1-кесте. Тілдер'],
      ['sentence', 'Таблица 3 показывает доли.'],
      ['heading', 'Прочие положения'],
      ['question', '1. Где узнать?'],
      ['item', '2. В школе.'],
      ['sentence', 'Дата: 5 мая'],
    ]);
    const title =
      'О порядке выдачи книг читателям, которые живут в других городах и не могут прийти сами, и о том, что им полагается';
    expect(read(`${title}\n\nКниги шлют почтой.`)[0]).toEqual(['heading', title]);
    expect(read(`Книги шлют.\n\n${title}\n\nПочтой.`)[1]).toEqual(['sentence', title]);
    expect(read('Пять дней')).toEqual([['sentence', 'Пять дней']]);
  });

  const shape = fc
    .array(
      fc.constantFrom(
        'Слово и дело.',
        'Нужно:',
        '\n',
        '\n\n',
        '– пункт',
        '1. Шаг',
        '  2) шаг;',
        'а | б',
        '\tcode',
        'Где?',
        '(',
        ' ',
      ),
    )
    .map((parts) => parts.join(''));

  test('units are trimmed and in order, leave out only white space, and lie within their blocks and lists', () => {
    fc.assert(
      fc.property(fc.oneof(shape, fc.string()), (text) => {
        let at = 0;
        const inside = (inner: Unit, outer: { start: number; end: number }) =>
          outer.start <= inner.start && inner.end <= outer.end;
        for (const unit of units(text)) {
          expect(unit.end).toBeGreaterThan(unit.start);
          expect(text.slice(at, unit.start).trim()).toBe('');
          expect(text.slice(unit.start, unit.end).trim()).toHaveLength(unit.end - unit.start);
          if (unit.head) expect(unit.head.end).toBeLessThanOrEqual(unit.start);
          expect(inside(unit, unit.block)).toBe(true);
          if (unit.list) expect(inside(unit, unit.list)).toBe(true);
          at = unit.end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });
});
