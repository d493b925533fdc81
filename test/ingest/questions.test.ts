/** Question-and-answer documents in common formats, and text that only resembles them. */
import { describe, expect, it } from 'vitest';
import { bareQuestion } from '../../src/ingest/leaflets.ts';
import { docx, p, prepareOne } from './fixtures.ts';
import { makePdf, type Words } from './pdf-maker.ts';

const pairs = async (name: string, content: string | Uint8Array) => {
  const { text, chunks } = await prepareOne(name, content);
  return chunks.map(({ question, start, end }) => [question, text.slice(start, end)]);
};

const leaflet = [
  [null, 'Памятка читателю.'],
  ['Когда открыто?', 'С девяти до шести.\n\nВ мае дольше.'],
  ['Кто выдаёт билет?', 'Дежурный.'],
];

const bold = (text: string, then = '') =>
  `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r><w:r><w:t xml:space="preserve">${then}</w:t></w:r></w:p>`;

describe('a question-and-answer document', () => {
  it.each<[string, string, string | Uint8Array]>([
    [
      'numbered plain text',
      'a.txt',
      'Памятка читателю.\n\n1. Когда открыто?\n\nС девяти до шести.\n\nВ мае дольше.\n\n2. Кто выдаёт билет?\nДежурный.\n',
    ],
    [
      'plain text with labelled questions',
      'a.txt',
      'Памятка читателю.\n\nВопрос 1. Когда открыто?\n\nС девяти до шести.\n\nВ мае дольше.\n\nВопрос: Кто выдаёт билет?\n\nДежурный.\n',
    ],
    [
      'Markdown with bold questions, before and above the answer',
      'a.md',
      'Памятка читателю.\n\n**Когда открыто?** С девяти до шести.\n\nВ мае дольше.\n\n**Кто выдаёт билет?**\nДежурный.\n',
    ],
    [
      'HTML with a bold question and a term',
      'a.html',
      '<body><p>Памятка читателю.</p><p><b>Когда открыто?</b><p>С девяти до шести.<p>В мае дольше.</p><dl><dt>Кто выдаёт билет?<dd>Дежурный.</dl></body>',
    ],
    [
      'DOCX with a bold question and an automatic number',
      'a.docx',
      docx({
        body:
          p('Памятка читателю.') +
          bold('Когда открыто?', ' С девяти до шести.') +
          p('В мае дольше.') +
          p('Кто выдаёт билет?', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
          p('Дежурный.'),
        numbering:
          '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="2"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
      }),
    ],
    [
      'RTF with bold questions',
      'a.rtf',
      `{\\rtf1\\ansi ${[
        'Памятка читателю.',
        '{\\b Когда открыто?}',
        'С девяти до шести.',
        'В мае дольше.',
        '\\b Кто выдаёт билет?\\b0',
        'Дежурный.',
      ]
        .map((line) => line.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}?`))
        .join('\\par ')}\\par}`,
    ],
  ])('as %s yields each question with its answer', async (_, name, content) => {
    expect(await pairs(name, content)).toEqual(leaflet);
  });

  it('as a PDF with wrapped questions in another font yields each question with its answer', async () => {
    const line = (y: number, text: string, heavy = false): Words => ({
      x: 50,
      y,
      text,
      font: heavy ? 'bold' : 'text',
    });
    const words = [
      line(740, 'What readers ask most of all, and what the library answers them, is printed here.'),
      line(716, 'When is the library open for those who want to read there in the afternoon or', true),
      line(704, 'late in the evening?', true),
      line(692, 'From nine to six.'),
      line(668, 'Who issues the card?', true),
      line(656, 'The clerk at the desk by the entrance, who is there all day but Monday, and in the'),
      line(644, 'evening the guard.'),
    ];
    expect((await pairs('a.pdf', makePdf([{ words }]))).slice(1)).toEqual([
      [
        'When is the library open for those who want to read there in the afternoon or late in the evening?',
        'From nine to six.',
      ],
      [
        'Who issues the card?',
        'The clerk at the desk by the entrance, who is there all day but Monday, and in the evening the guard.',
      ],
    ]);
  });

  it('without formatting is recognised if many of its lines are questions', async () => {
    const text =
      'Когда открыто?\n\nДнём.\n\nКто выдаёт билет?\n\nДежурный.\n\nСколько это стоит?\n\nНисколько.\n';
    expect(await pairs('a.txt', text)).toEqual([
      ['Когда открыто?', 'Днём.'],
      ['Кто выдаёт билет?', 'Дежурный.'],
      ['Сколько это стоит?', 'Нисколько.'],
    ]);
  });

  it('yields questions without question marks and numbers', () => {
    expect(
      bareQuestion('12) Кто?') +
        bareQuestion('Q: Who?') +
        bareQuestion('Question 3 – Why?') +
        bareQuestion('3?'),
    ).toBe('Кто?Who?Why?3?');
  });
});

it.each([
  ['a single question', '1. Когда открыто?\n\nДнём.\n'],
  ['a list of questions', '1. Когда открыто?\n2. Кто выдаёт билет?\n3. Сколько ждать?\n\nОтветы пришлют.\n'],
  [
    'questions among points',
    '1. Сказать имя.\n2. Когда открыто?\n3. Назвать билет.\n4. Кто там?\n5. Ждать.\n',
  ],
  [
    'a speech',
    'Что дальше?\n\nРаботать. Много. Всем.\n\nИ так жить.\n\nКак иначе?\n\nНикак.\n\nТак было.\n\nТак есть.\n',
  ],
])('no question-and-answer document is recognised in %s', async (_, text) => {
  expect((await pairs('a.txt', text)).every(([question]) => question === null)).toBe(true);
});
