import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/formats/blocks.ts';
import { chunkBlocks } from '../../src/ingest/chunk.ts';
import { splitSentences } from '../../src/text/sentences.ts';

const h = (level: number, text: string): Block => ({ kind: 'heading', level, text });
const para = (text: string): Block => ({ kind: 'paragraph', text });
const item = (marker: string, text: string, depth = 0): Block => ({ kind: 'item', marker, depth, text });

function chunks(blocks: Block[], title = '') {
  const { text, chunks } = chunkBlocks(blocks, title, 'ru');
  return chunks.map((chunk) => ({ ...chunk, text: text.slice(chunk.start, chunk.end) }));
}
const brief = (blocks: Block[], title = '') =>
  chunks(blocks, title).map(({ chunk_index, unit, path, text }) => [
    chunk_index,
    unit,
    path.join(' > '),
    text,
  ]);
const sentence = (words: number) => `Слово${' слово'.repeat(words - 1)}.`;

describe('articles', () => {
  it('are one chunk each, with title and points, under their chapter', () => {
    expect(
      brief(
        [
          h(1, 'Конституция'),
          h(2, 'Глава 1. Основы'),
          h(3, 'Статья 5. Язык'),
          item('1.', 'Первый.'),
          item('2.', 'Второй:'),
          item('1)', 'а;', 1),
          item('2)', 'б.', 1),
        ],
        'Конституция',
      ),
    ).toEqual([
      [
        '5',
        'article',
        'Глава 1. Основы > Статья 5. Язык',
        'Статья 5. Язык\n\n1. Первый.\n2. Второй:\n  1) а;\n  2) б.',
      ],
    ]);
  });

  it.each([
    ['Статья 5. Право', '5'],
    ['СТАТЬЯ 5', '5'],
    ['Статья 15-1. Право', '15-1'],
    ['Статья 9.3.1. Право', '9.3.1'],
    ['Ст. 5. Право', '5'],
    ['5-бап. Құқық', '5'],
    ['5 бап', '5'],
    ['Article 5. Right', '5'],
    ['ARTICLE IV', '4'],
    ['Art. 5: Right', '5'],
  ])('begin with "%s"', (line, number) => {
    expect(
      chunks([para(line), para('Текст.')]).map((chunk) => [chunk.number, chunk.unit, chunk.heading]),
    ).toEqual([[number, 'article', line]]);
  });

  it.each([
    'Статья 5 говорит о праве.',
    'В статье 5 сказано.',
    'статья 5',
    'Статьи 5 и 6',
    '5 баптан',
    'Article 5 says so.',
    'Articles',
  ])('do not begin with "%s"', (line) => {
    expect(chunks([para(line), para('Текст.')])[0]?.number).toBeNull();
  });

  it('have no title if text follows the number on the same line', () => {
    expect(
      brief([
        para('Статья 1. Внести в закон следующие изменения:'),
        para('1) слово исключить;'),
        para('Статья 2. Закон вступает в силу сегодня.'),
      ]),
    ).toEqual([
      ['1', 'article', 'Статья 1.', 'Статья 1. Внести в закон следующие изменения:\n1) слово исключить;'],
      ['2', 'article', 'Статья 2.', 'Статья 2. Закон вступает в силу сегодня.'],
    ]);
  });

  it('are split between points if they are long; each part keeps the article number', () => {
    const points = [1, 2, 3, 4].map((n) => para(`${n}. ${sentence(120)}`));
    const parts = chunks([h(2, 'Статья 7. Длинная'), ...points]);
    expect(parts.map(({ chunk_index, number, unit }) => [chunk_index, number, unit])).toEqual([
      ['7', '7', 'article'],
      ['7~2', '7', 'article'],
    ]);
    expect(parts.map(({ text }) => text.match(/^\d\./gm))).toEqual([
      ['1.', '2.'],
      ['3.', '4.'],
    ]);
  });

  it('include the headings inside them', () => {
    expect(
      brief([h(2, 'Article 3'), h(3, 'Rest'), para('Everyone rests.'), h(2, 'Article 4'), para('Work.')]),
    ).toEqual([
      ['3', 'article', 'Article 3 > Rest', 'Everyone rests.'],
      ['4', 'article', 'Article 4', 'Article 4\n\nWork.'],
    ]);
  });

  it('without text become a chunk of their title', () => {
    expect(brief([para('Статья 8. (Утратила силу)'), para('Статья 9. Право'), para('Текст.')])[0]).toEqual([
      '8',
      'article',
      'Статья 8. (Утратила силу)',
      'Статья 8. (Утратила силу)',
    ]);
  });
});

describe('other numbers', () => {
  it('get the suffix ~2 if they repeat', () => {
    const twice = [h(1, 'Статья 1'), para('а.'), h(1, 'Приложение'), h(1, 'Статья 1'), para('б.')];
    expect(chunks(twice).map((chunk) => chunk.chunk_index)).toEqual(['1', '001', '1~2']);
  });

  it('with several levels mark points if they are in sequence', () => {
    const blocks = [
      para('1. Общие положения'),
      para('1.1. Первое.'),
      para('1.2. Второе.'),
      para('12.05.2006 Принят закон.'),
      para('2. Права'),
      para('2.1. Третье.'),
    ];
    expect(brief(blocks)).toEqual([
      ['1.1', 'point', '1. Общие положения', '1.1. Первое.'],
      ['1.2', 'point', '1. Общие положения', '1.2. Второе.\n\n12.05.2006 Принят закон.'],
      ['2.1', 'point', '2. Права', '2.1. Третье.'],
    ]);
  });

  it('with several levels mark points in a section without other numbering, even after a heading', () => {
    const blocks = [
      para('Section 1. Members'),
      para('1.1. Anyone may join.'),
      para('1.2. A member pays.'),
      para('1.2.1. In March.'),
      para('1.2.2. In May.'),
      para('1.3. A member leaves.'),
      para('2.1. Games start at six.'),
      h(1, 'Clocks'),
      para('2.2. Clocks are used.'),
      para('2.3. the loser resets them;'),
      para('2.5 metres are kept between boards.'),
      para('4.9. Nobody knows this one.'),
    ];
    expect(chunks(blocks).map(({ chunk_index, unit, text }) => [chunk_index, unit, text])).toEqual([
      ['1.1', 'point', '1.1. Anyone may join.'],
      ['1.2', 'point', '1.2. A member pays.'],
      ['1.2.1', 'point', '1.2.1. In March.'],
      ['1.2.2', 'point', '1.2.2. In May.'],
      ['1.3', 'point', '1.3. A member leaves.'],
      ['2.1', 'point', '2.1. Games start at six.'],
      ['2.2', 'point', '2.2. Clocks are used.'],
      [
        '2.3',
        'point',
        '2.3. the loser resets them;\n\n2.5 metres are kept between boards.\n4.9. Nobody knows this one.',
      ],
    ]);
  });

  it('with one level end a point with several levels, unless they are a list inside it', () => {
    const blocks = [
      para('8. Меры:'),
      para('8.1. Первая:'),
      para('1. Одно;'),
      para('2. Другое.'),
      para('8.2. Вторая, в редакции:'),
      para('«8. Прежнее.'),
      para('9. Прежнее тоже».'),
      para('8-1. Меры прочие.'),
      para('9. Сроки.'),
      para('10. Надзор.'),
    ];
    expect(chunks(blocks).map(({ chunk_index, text }) => [chunk_index, text])).toEqual([
      ['8', '8. Меры:'],
      ['8.1', '8.1. Первая:\n1. Одно;\n2. Другое.'],
      ['8.2', '8.2. Вторая, в редакции:\n\n«8. Прежнее.\n\n9. Прежнее тоже».'],
      ['8-1', '8-1. Меры прочие.'],
      ['9', '9. Сроки.'],
      ['10', '10. Надзор.'],
    ]);
  });

  it('with § are used alongside articles if they have their own text', () => {
    const blocks = [
      para('§ 1. Общее'),
      para('1-бап. Кітап'),
      para('Мәтін.'),
      para('§ 3. Мұрағат'),
      para('(1) Мұрағат сақталады.'),
      para('4-параграф. Жарна'),
      para('Он теңге.'),
      para('5-бап. Соңы'),
      para('Мәтін.'),
    ];
    expect(brief(blocks)).toEqual([
      ['1', 'article', '§ 1. Общее > 1-бап. Кітап', '1-бап. Кітап\n\nМәтін.'],
      ['3', 'paragraph', '§ 3. Мұрағат', '§ 3. Мұрағат\n\n(1) Мұрағат сақталады.'],
      ['4', 'paragraph', '4-параграф. Жарна', '4-параграф. Жарна\n\nОн теңге.'],
      ['5', 'article', '5-бап. Соңы', '5-бап. Соңы\n\nМәтін.'],
    ]);
  });

  it('divide a long section at its points', () => {
    const parts = chunks([
      h(1, 'Порядок'),
      para('Введение.'),
      ...[1, 2, 3].map((n) => para(`${n}. ${sentence(130)}`)),
    ]);
    expect(parts.map(({ chunk_index, number }) => [chunk_index, number])).toEqual([
      ['001', null],
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]);
  });

  it('of chapters are used if there are no articles', () => {
    expect(brief([para('Глава II. Права'), para('Текст.')])).toEqual([
      ['2', 'chapter', 'Глава II. Права', 'Глава II. Права\n\nТекст.'],
    ]);
  });

  it('of lists in a short text do not divide it', () => {
    expect(brief([para('Сделайте так:'), item('1.', 'Откройте.'), item('2.', 'Закройте.')])).toEqual([
      ['001', null, '', 'Сделайте так:\n1. Откройте.\n2. Закройте.'],
    ]);
  });
});

describe('sections', () => {
  it('begin after their heading and record the enclosing headings', () => {
    expect(
      brief([
        h(1, 'A'),
        para('a'),
        h(2, 'B'),
        para('b'),
        h(3, 'C'),
        h(4, 'D'),
        para('d'),
        h(2, 'E'),
        para('e'),
      ]),
    ).toEqual([
      ['001', null, 'A', 'a'],
      ['002', null, 'A > B', 'b'],
      ['003', null, 'A > B > C > D', 'd'],
      ['004', null, 'A > E', 'e'],
    ]);
  });

  it('with a question as their heading contain its answer', () => {
    const [pair, other] = chunks([h(2, 'Как быть?'), para('Никак.'), h(2, 'Разное'), para('Да.')]);
    expect(pair).toMatchObject({ question: 'Как быть?', heading: 'Как быть?', text: 'Никак.' });
    expect(other).toMatchObject({ question: null, text: 'Да.' });
    expect(chunks([{ kind: 'pair', question: 'Сколько?', answer: [para('Семь.')] }])).toMatchObject([
      { question: 'Сколько?', text: 'Семь.' },
    ]);
  });

  it('with only headings are kept', () => {
    expect(brief([h(2, 'РЕСПУБЛИКА'), h(2, 'ЗАКОН'), h(2, 'О воде'), para('Вода.')])).toEqual([
      ['001', null, '', 'РЕСПУБЛИКА\n\nЗАКОН'],
      ['002', null, 'О воде', 'Вода.'],
    ]);
  });

  it('of up to 350 words stay whole; longer ones are divided evenly', () => {
    const paragraphs = (n: number) => Array.from({ length: n }, () => para(sentence(50)));
    expect(chunks(paragraphs(7))).toHaveLength(1);
    expect(chunks(paragraphs(8)).map(({ text }) => text.split(/\s+/).length)).toEqual([200, 200]);
  });

  it('keep table rows whole under a repeated header', () => {
    const cells = (...texts: string[]) => texts.map((text) => ({ text }));
    const rows = Array.from({ length: 30 }, (_, n) => cells(`строка ${n}`, sentence(20)));
    const parts = chunks([{ kind: 'table', rows: [cells('Имя', 'Текст'), ...rows], header: 1 }]);
    expect(parts.length).toBeGreaterThan(1);
    for (const { text } of parts) expect(text.startsWith('Имя | Текст\nстрока ')).toBe(true);
    expect(parts.flatMap(({ text }) => text.match(/строка \d+/g))).toEqual(
      Array.from({ length: 30 }, (_, n) => `строка ${n}`),
    );
  });

  it('have a detected language, for which code does not count', () => {
    const code: Block = {
      kind: 'code',
      text: 'select name from citizens where age > 18 and city = "Nurtau" order by name limit 10',
    };
    const mixed = [
      para('Чтобы получить список граждан старше восемнадцати лет, выполните такой запрос в базе данных.'),
      code,
      h(1, 'English'),
      para('This part of the manual is written in the English language, and it says so in many words.'),
    ];
    expect(chunks(mixed).map(({ lang }) => lang)).toEqual(['ru', 'en']);
  });

  it.each([
    ['kk', 'Содержание пятого параграфа о рыбе.', 'ru'],
    ['kk', 'Парламент депутат конституция.', 'kk'],
    ['kk', 'About the fish in it.', 'en'],
    ['ru', 'Балық туралы мәтін.', 'kk'],
    ['ru', 'Ә. Қасымов пришёл.', 'ru'],
    ['ru', 'Birds fly high up.', 'en'],
    ['ru', 'Kubernetes Engine, Cloud Storage', 'ru'],
    [
      'ru',
      'Docker Compose, Kubernetes Engine, Windows Server, Debian Linux, Apache Kafka, Cloud Storage',
      'ru',
    ],
    ['en', 'Парламент собирается осенью.', 'ru'],
  ] as const)('in a %s document: "%s" is in %s', (document, text, lang) => {
    expect(chunkBlocks([para(text)], '', document).chunks.map((chunk) => chunk.lang)).toEqual([lang]);
  });

  it('without sentences are cut as a last resort', () => {
    const parts = chunks([para('а'.repeat(30_000))]);
    expect(parts.map(({ text }) => text).join('')).toBe('а'.repeat(30_000));
    for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(350 * 14);
  });
});

const word = fc.constantFrom(
  ...'закон право статья ст. 5 г. Алматы т.е. президент республика вода the law Dr. Smith says No. 7 в 2026 году және бап'.split(
    ' ',
  ),
);
const prose = fc
  .array(
    fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => `Итак ${words.join(' ')} так.`),
    { minLength: 1, maxLength: 12 },
  )
  .map((sentences) => sentences.join(' '));
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 3, arbitrary: prose.map(para) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(2), fc.constantFrom('–', '1.', '2)', 'а)'), prose)
      .map(([depth, marker, text]) => item(marker, text, depth)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('Общее', 'Статья 3. Имя', 'Глава 2', 'Как быть?', '1. Начало', '1.1. Дальше'),
      )
      .map(([level, text]) => h(level, text)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 9 }), prose).map(([n, text]) => para(`${n}. ${text}`)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.boolean(), prose).map(
      ([header, text]): Block => ({
        kind: 'table',
        rows: [
          [{ text: 'имя' }, { text: 'значение' }],
          [{ text: 'ячейка' }, { text: text.slice(0, 100) }],
        ],
        header: header ? 1 : null,
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: prose.map((text): Block => ({ kind: 'code', text: text.replaceAll('. ', '.\n') })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }).map((level): Block => ({ kind: 'end', level })) },
);

describe('chunks of any blocks', () => {
  it('are in order, do not overlap, have unique indexes, and leave out only blank lines and headings', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 25 }), (blocks) => {
        const { text, chunks } = chunkBlocks(blocks, 'Общее', 'ru');
        const headings = new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : [])));
        let end = 0;
        for (const chunk of chunks) {
          expect(chunk.start).toBeGreaterThanOrEqual(end);
          expect(chunk.end).toBeGreaterThan(chunk.start);
          const between = text
            .slice(end, chunk.start)
            .split(/\n+/)
            .filter((line) => line.trim() !== '');
          for (const line of between) expect(headings.has(line)).toBe(true);
          end = chunk.end;
        }
        for (const line of text.slice(end).split(/\n+/)) expect(line === '' || headings.has(line)).toBe(true);
        expect(new Set(chunks.map((chunk) => chunk.chunk_index)).size).toBe(chunks.length);
      }),
    );
  });

  it('contain every word', () => {
    fc.assert(
      fc.property(fc.array(prose.map(para), { minLength: 1, maxLength: 10 }), (blocks) => {
        const { text, chunks } = chunkBlocks(blocks, '', 'ru');
        const words = blocks.flatMap((block) => ('text' in block ? block.text.split(/\s+/) : []));
        expect(chunks.flatMap((chunk) => text.slice(chunk.start, chunk.end).split(/\s+/))).toEqual(words);
      }),
    );
  });

  it('cut no sentence and are at most 350 words long', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 25 }), (blocks) => {
        const { text, chunks } = chunkBlocks(blocks, '', 'ru');
        const inside = splitSentences(text);
        for (const { start, end } of chunks) {
          const cut = inside.find(
            (span) => (span.start < start && start < span.end) || (span.start < end && end < span.end),
          );
          expect(cut && text.slice(cut.start, cut.end)).toBeUndefined();
          expect(text.slice(start, end).split(/\s+/).length).toBeLessThanOrEqual(360);
        }
      }),
    );
  });
});
