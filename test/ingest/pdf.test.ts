import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Block, ParsedDocument } from '../../src/formats/blocks.ts';
import { withMarks } from '../../src/formats/inline-marks.ts';
import { parseImage, parsePdf } from '../../src/pdf/pdf.ts';
import { isSure, sheetOf } from '../../src/pdf/recognise.ts';
import { refusal } from './fixtures.ts';
import { column, makePdf, type Page, type Words } from './pdf-maker.ts';

const words = (y: number, text: string, more: Partial<Words> = {}): Words => ({ x: 60, y, text, ...more });
const read = async (...pages: Page[]): Promise<ParsedDocument> => parsePdf(makePdf(pages));
const blocks = async (...pages: Page[]): Promise<Block[]> => withMarks((await read(...pages)).blocks);
const flat = (block: Block): string =>
  block.kind === 'table'
    ? block.rows.map((row) => row.map(({ text }) => text).join(' | ')).join('\n')
    : 'text' in block
      ? block.text
      : block.kind;
const texts = async (...pages: Page[]): Promise<string[]> => (await blocks(...pages)).map(flat);
const full = 'The ferry leaves the pier every two hours from six in the morning until late';

describe('PDF pages', () => {
  it('are recorded for every block', async () => {
    const of = await blocks(
      { words: [words(700, 'The first page says this.')] },
      { words: [words(700, 'The second page says that.'), words(660, 'And that as well.')] },
    );
    expect(of.map(({ page }) => page)).toEqual([1, 2, 2]);
  });

  it('are read in their displayed rotation', async () => {
    const seen = [words(700, `${full} in`), words(685, 'the evening.')];
    for (const [rotate, turn] of [
      [90, 1],
      [180, 2],
      [270, 3],
    ] as const) {
      const turned = seen.map(({ x, y, text }): Words => {
        if (turn === 1) return { x: 800 - y, y: x, text, turn };
        return turn === 2 ? { x: 800 - x, y: 800 - y, text, turn } : { x: y, y: 800 - x, text, turn };
      });
      expect(await texts({ rotate, words: turned })).toEqual([`${full} in the evening.`]);
    }
  });

  it('may contain a rotated table', async () => {
    const rows = [
      ['Bridge', 'Load'],
      ['Old', '12'],
      ['Railway', '60'],
    ];
    const table = rows.flatMap(([name, load], n): Words[] => [
      { x: 300 + n * 20, y: 100, text: name!, turn: 1 },
      { x: 300 + n * 20, y: 250, text: load!, turn: 1 },
    ]);
    expect(await texts({ words: [words(700, 'Loads of the bridges stand below.'), ...table] })).toEqual([
      'Loads of the bridges stand below.',
      'Bridge | Load\nOld | 12\nRailway | 60',
    ]);
  });

  it('do not split a sentence, and neither does a footnote', async () => {
    const of = await blocks(
      {
        words: [
          words(760, 'Handbook of the ferry', { size: 8 }),
          words(700, 'Tickets are sold on board.'),
          words(704, '1', { x: 182, size: 6 }),
          words(670, `${full} in the`),
          words(84, '1', { size: 5 }),
          words(80, 'On Sundays only at nine, and on', { x: 66, size: 8 }),
          words(70, 'holidays not at all.', { size: 8 }),
          words(30, '- 1 -', { x: 400 }),
        ],
      },
      {
        words: [
          words(760, 'Handbook of the ferry', { size: 8 }),
          words(700, 'evening.'),
          words(660, 'In fog the captain decides.'),
          words(30, '- 2 -', { x: 400 }),
        ],
      },
    );
    expect(of.map((block) => [block.kind, flat(block), block.page])).toEqual([
      ['paragraph', 'Tickets are sold on board. [1]', 1],
      ['paragraph', `${full} in the evening.`, 1],
      ['note', 'On Sundays only at nine, and on holidays not at all.', 1],
      ['paragraph', 'In fog the captain decides.', 2],
    ]);
    expect(of[2]).toMatchObject({ mark: '1' });
  });

  it('keep raised numbers that are not footnote marks', async () => {
    const raised = [words(700, 'The hall has 40 m'), words(704, '2', { x: 141, size: 6 })];
    expect(await texts({ words: raised })).toEqual(['The hall has 40 m2']);
  });
});

describe('PDF columns', () => {
  const left = [
    'The committee of the village reviewed the',
    'accounts of the mill and found that the',
    'miller had repaired the wheel at his own',
    'cost. The repair of the wheel had cost',
    'ninety silver coins, which the village',
  ];
  const right = [
    'will return to him before the harvest.',
    'The road to the mill is closed for carts',
    'from November to March. Walkers may use',
    'the upper path, which is lit by lanterns',
    'until ten in the evening every day.',
  ];

  it('drawn line by line are read one after the other, after the title above both', async () => {
    const lines = left.flatMap((text, n) => [
      words(700 - n * 13, text),
      words(700 - n * 13, right[n]!, { x: 320 }),
    ]);
    expect(await texts({ words: [words(740, 'Minutes of the committee', { size: 18 }), ...lines] })).toEqual([
      'Minutes of the committee',
      [...left, ...right].join(' '),
    ]);
  });

  it('are not read as table cells', async () => {
    const rows = [
      ['Name of the bridge', 'Load it bears, tons'],
      ['Old bridge by the mill', '12'],
      ['Railway bridge in the north', '60'],
      ['Mill bridge of the village', '8'],
      ['Bridge of the toll house', '5'],
    ];
    const cells = rows.flatMap(([name, load], n) => [
      words(700 - n * 13, name!),
      words(700 - n * 13, load!, { x: 320 }),
    ]);
    const [table] = await blocks({ words: cells });
    expect(table).toMatchObject({ kind: 'table', header: null });
    expect(flat(table!)).toBe(rows.map((row) => row.join(' | ')).join('\n'));
  });
});

describe('PDF tables', () => {
  it('have rows of equal length, with empty cells in the gaps', async () => {
    const cells = [
      words(700, 'Line'),
      words(700, 'Monday', { x: 200 }),
      words(700, 'Sunday', { x: 300 }),
      words(680, 'Ferry'),
      words(680, 'nine', { x: 200 }),
      words(680, 'ten', { x: 300 }),
      words(660, 'Bus'),
      words(660, 'twelve', { x: 300 }),
    ];
    expect(await texts({ words: cells })).toEqual([
      'Line | Monday | Sunday\nFerry | nine | ten\nBus |  | twelve',
    ]);
  });

  it('may be drawn cell by cell, with wrapped cells vertically centred in their rows', async () => {
    const row = (y: number, name: string, lines: string[]): Words[] => [
      words(y - ((lines.length - 1) * 13) / 2, name),
      ...column(200, y, lines),
    ];
    const of = await texts({
      words: [
        ...row(700, 'Name', ['Meaning']),
        ...row(675, 'Network', ['The network in which the', 'servers of the cluster are']),
        ...row(637, 'Zone', [
          'Where the servers stand; it can',
          'not be changed later, so that',
          'it has to be chosen with care',
        ]),
        ...row(586, 'Type', ['The type of disk']),
        words(540, `${full} and that is all of it.`),
      ],
    });
    expect(of).toEqual([
      [
        'Name | Meaning',
        'Network | The network in which the servers of the cluster are',
        'Zone | Where the servers stand; it can not be changed later, so that it has to be chosen with care',
        'Type | The type of disk',
      ].join('\n'),
      `${full} and that is all of it.`,
    ]);
  });

  it('continue across pages, with their header once', async () => {
    const row = (y: number, ...cells: string[]) =>
      cells.map((text, n) => words(y, text, { x: 60 + n * 150 }));
    const first = [...row(700, 'Bridge', 'Load'), ...row(680, 'Old', 'Carts and'), ...row(667, '', 'riders')];
    const second = [...row(650, 'Bridge', 'Load'), ...row(630, 'Mill', 'Riders')];
    expect(await texts({ words: first }, { words: second })).toEqual([
      'Bridge | Load\nOld | Carts and riders\nMill | Riders',
    ]);
  });

  it('repeat a cell in every column it covers', async () => {
    const cells = [
      words(720, 'Fare'),
      words(720, 'Summer and winter', { x: 215 }),
      words(700, 'Class'),
      words(700, 'Summer', { x: 200 }),
      words(700, 'Winter', { x: 280 }),
      words(680, 'First'),
      words(680, '12', { x: 200 }),
      words(680, '10', { x: 280 }),
    ];
    const [table] = await blocks({ words: cells });
    if (table?.kind !== 'table') throw new Error('It is not a table.');
    expect(flat(table)).toBe(
      'Fare | Summer and winter | Summer and winter\nClass | Summer | Winter\nFirst | 12 | 10',
    );
    expect(table.rows[0]![1]).toBe(table.rows[0]![2]);
  });
});

describe('PDF forms and links', () => {
  const text = (value: string, rectangle: string, more = '') =>
    `/Subtype /Widget /FT /Tx /T (t) /V (${value}) /Rect [${rectangle}] /F 4 ${more}`;

  it('include the values of fields beside their labels', async () => {
    const form: Page = {
      words: [
        words(700, 'Name of the tenant:'),
        words(670, 'Deposit paid: ________ tenge'),
        words(640, 'Season:'),
        words(610, 'With heating', { x: 80 }),
        words(580, 'With a pit', { x: 80 }),
        words(550, 'The deposit is returned.'),
      ],
      annotations: [
        text('Aigerim Sadykova', '200 695 400 715'),
        text('85000', '120 665 165 685'),
        '/Subtype /Widget /FT /Ch /T (s) /V (w) /Opt [[(s) (Summer)] [(w) (Winter)]] /Rect [200 635 300 655] /F 4',
        '/Subtype /Widget /FT /Btn /T (h) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> /Rect [60 608 72 620] /F 4',
        '/Subtype /Widget /FT /Btn /T (p) /V /Off /AS /Off /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> /Rect [60 578 72 590] /F 4',
        text('of no concern', '200 545 400 565', '/F 2'),
      ].map((one) => one.replace('/F 4 /F 2', '/F 2')),
    };
    expect(await texts(form)).toEqual([
      'Name of the tenant: Aigerim Sadykova',
      'Deposit paid: 85000 tenge',
      'Season: Winter',
      '☑ With heating',
      '☐ With a pit',
      'The deposit is returned.',
    ]);
  });

  it('attach links to their words', async () => {
    const [paragraph] = await blocks({
      words: [words(700, 'Read the rules of the ferry first.')],
      annotations: [
        '/Subtype /Link /Rect [83 696 180 710] /A << /S /URI /URI (https://example.org/rules) >>',
      ],
    });
    expect(paragraph).toMatchObject({
      text: 'Read the rules of the ferry first.',
      marks: [{ kind: 'link', url: 'https://example.org/rules' }],
    });
    const [mark] = (paragraph as { marks: { start: number; end: number }[] }).marks;
    expect('Read the rules of the ferry first.'.slice(mark!.start, mark!.end)).toBe('the rules of the ferry');
  });
});

it('joins words that a font splits after ligatures, if it does so regularly', async () => {
  const page: Page = {
    words: [words(700, 'The offi ce of the fi rst ratifi ed wi-fi net.'), words(680, 'A fl oor is fi xed.')],
  };
  expect((await blocks(page)).map(flat).join(' ')).toBe(
    'The office of the first ratified wi-fi net. A floor is fixed.',
  );
  const other: Page = {
    words: [words(700, 'The office of the first fine sci fi film is fixed on a floor.')],
  };
  expect((await blocks(other)).map(flat).join(' ')).toContain('sci fi film');
});

describe('images in a PDF', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const page: Page = { words: [words(700, 'This page is text of the usual kind.')] };

  it('are reported, with the tool that could read them', async () => {
    vi.stubEnv('TESSDATA_PREFIX', '/nowhere');
    const { warnings } = await read(page, { words: [], picture: true }, { words: [] });
    expect(warnings).toEqual([
      'page 2 contains no text: it is an image; install @llamaindex/liteparse and Tesseract language data to recognise it',
    ]);
    const several = await read(
      { words: [], picture: true },
      page,
      { words: [], picture: true },
      { words: [], picture: true },
    );
    expect(several.warnings?.[0]).toMatch(/^pages 1, 3–4 contain no text: they are images; install/);
    expect(await refusal('a.pdf', makePdf([{ words: [], picture: true }]))).toBe(
      'no text layer: pages are images; install @llamaindex/liteparse and Tesseract language data to recognise them',
    );
    await expect(parseImage(new Uint8Array())).rejects.toThrow('no text: it is an image; install');
  });

  it('are reported together with pages whose glyphs map to no characters', async () => {
    vi.stubEnv('TESSDATA_PREFIX', '/nowhere');
    const { warnings, blocks: rest } = await read(page, {
      words: [words(700, 'Nobody knows')],
      unmapped: true,
    });
    expect(warnings).toEqual([
      'page 2 contains letters without a mapping to Unicode; install @llamaindex/liteparse and Tesseract language data to recognise it',
    ]);
    expect(rest).toHaveLength(1);
  });

  it('recognised as random letters yield no text', () => {
    const piece = (text: string, confidence: number) => ({
      text,
      x: 0,
      y: 0,
      width: 10,
      size: 10,
      font: 'recognised',
      endsLine: true,
      confidence,
    });
    expect(isSure({ pieces: [piece('a line of text', 0.95), piece('x', 0.1)] })).toBe(true);
    expect(isSure({ pieces: [piece('0 wemoo u!S', 0.5), piece('text', 0.7)] })).toBe(false);
    expect(isSure({ pieces: [] })).toBe(false);
  });

  it('yield lines of words, even if words differ in height', () => {
    const item = (text: string, x: number, y: number, height: number, width = text.length * 5) => ({
      text,
      x,
      y,
      height,
      width,
      confidence: 0.9,
    });
    const { pieces } = sheetOf(
      {
        height: 800,
        textItems: [
          item('Storage', 60, 100, 14.6),
          item('on', 60, 138.1, 5.2),
          item('“', 60, 160, 4),
          item('with', 75, 136, 7.3),
          item('energy', 100, 138.1, 7.3),
          item('All is kept', 75, 158, 9.4),
        ],
      },
      3,
    );
    expect(pieces.map(({ text, endsLine }) => text + (endsLine ? '\n' : ' ')).join('')).toBe(
      'Storage\non with energy\n• All is kept\n',
    );
    expect(new Set(pieces.slice(1).map(({ size }) => size)).size).toBe(1);
    expect(pieces[0]!.size).toBeGreaterThan(pieces[1]!.size * 1.5);
  });
});
