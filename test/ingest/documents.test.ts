/** Ingestion keeps the visible content of a file in every format. */
import { describe, expect, it } from 'vitest';
import type { PreparedDocument } from '../../src/ingest/prepare.ts';
import { docx, odt, outline, p, prepareOne, xlsx, zip } from './fixtures.ts';

/** The text of all chunks, with their marks in Markdown. */
function shown({ text, chunks }: PreparedDocument): string {
  return chunks
    .map(({ start, end, marks = [] }) => {
      let out = text.slice(start, end);
      const edges = marks.flatMap((mark) =>
        mark.kind === 'link'
          ? [
              { at: mark.end, sign: `](${mark.url})` },
              { at: mark.start, sign: '[' },
            ]
          : mark.kind === 'struck'
            ? [
                { at: mark.end, sign: '~~' },
                { at: mark.start, sign: '~~' },
              ]
            : [],
      );
      for (const { at, sign } of edges.sort((a, b) => b.at - a.at))
        out = out.slice(0, at) + sign + out.slice(at);
      return out;
    })
    .join('\n\n');
}

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const rtf = (body: string) => `{\\rtf1\\ansi ${body}}`;
const html = (body: string, head = '') => `<html><head>${head}</head><body>${body}</body></html>`;

describe('hidden text', () => {
  const style = (name: string) =>
    `<style:style style:name="${name}"><style:text-properties text:display="none"/></style:style>`;
  it.each([
    ['a DOCX run', 'a.docx', docx({ body: paragraph(run('Seen. '), run('Secret.', '<w:vanish/>')) })],
    [
      'a DOCX character style',
      'a.docx',
      docx({
        body: paragraph(run('Seen.'), run(' Secret.', '<w:rStyle w:val="H"/>')),
        styles: '<w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>',
      }),
    ],
    [
      'the base of a DOCX paragraph style',
      'a.docx',
      docx({
        body: p('Secret.', '<w:pStyle w:val="X"/>') + p('Seen.'),
        styles:
          '<w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="X"><w:basedOn w:val="H"/></w:style>',
      }),
    ],
    [
      'an ODT span',
      'a.odt',
      odt('<text:p>Seen.<text:span text:style-name="H"> Secret.</text:span></text:p>', style('H')),
    ],
    [
      'an ODT section',
      'a.odt',
      odt('<text:p>Seen.</text:p><text:section text:display="none"><text:p>Secret.</text:p></text:section>'),
    ],
    [
      'an ODT hidden-text field',
      'a.odt',
      odt('<text:p>Seen.<text:hidden-text text:string-value="Secret."/></text:p>'),
    ],
    ['RTF', 'a.rtf', rtf('Seen.{\\v  Secret.}\\par')],
    ['an HTML style attribute', 'a.html', html('<p>Seen.</p><p style="display: none">Secret.</p>')],
    ['the HTML hidden attribute', 'a.html', html('<p>Seen.</p><div hidden><p>Secret.</p></div>')],
    [
      'a CSS class',
      'a.html',
      html('<p>Seen.</p><p class="off">Secret.</p>', '<style>.off{display:none}</style>'),
    ],
  ])('in %s is never ingested, and is reported', async (_, name, file) => {
    const document = await prepareOne(name, file);
    expect([document.text, document.left.map(({ text }) => text), document.notes]).toEqual([
      'Seen.',
      ['Secret.'],
      ['1 hidden passage omitted (7 characters)'],
    ]);
  });

  it('is visible if the run overrides its style', async () => {
    const body = `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>${run('Seen.', '<w:vanish w:val="0"/>')}</w:p>`;
    const styles = '<w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>';
    expect((await prepareOne('a.docx', docx({ body, styles }))).text).toBe('Seen.');
  });

  it('in a print style is visible on the page', async () => {
    const head = '<style>@media print { .part { display: none } } .x { color: red }</style>';
    expect((await prepareOne('a.html', html('<p class="part">Seen.</p>', head))).text).toBe('Seen.');
  });
});

describe('hidden text in unusual places', () => {
  const cell = (inner: string) => `<w:tc>${inner}</w:tc>`;
  it.each([
    [
      'a hidden DOCX row that begins a merge',
      'a.docx',
      docx({
        body: `<w:tbl><w:tr>${cell(p('Group'))}${cell(p('N'))}</w:tr><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${p('G1')}</w:tc>${cell(p('1'))}</w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${p('')}</w:tc>${cell(p('2'))}</w:tr></w:tbl>`,
      }),
      'Group | N\nG1 | 2',
    ],
    [
      'a comment in an ODT cell',
      'a.odt',
      odt(
        '<table:table><table:table-row><table:table-cell><text:p>A<office:annotation><text:p>secret</text:p></office:annotation></text:p></table:table-cell><table:table-cell><text:h>B</text:h><text:p>C</text:p></table:table-cell></table:table-row></table:table>',
      ),
      'A | B C',
    ],
    [
      'a raw HTML paragraph in Markdown',
      'a.md',
      'Seen.\n\n<div hidden>\n\nSecret.\n\n</div>\n\nEnd.',
      'Seen.\n\nEnd.',
    ],
    [
      'inline raw HTML in Markdown',
      'a.md',
      'Seen <span style="display:none">secret</span> end.',
      'Seen end.',
    ],
    [
      'a style sheet with an earlier rule',
      'a.html',
      html('<p class="x">S.</p><p>Seen.</p>', '<style>@charset "utf-8"; .x{display:none}</style>'),
      'Seen.',
    ],
    [
      'a table caption',
      'a.html',
      html('<table><caption hidden>Secret</caption><tr><th>A<th>B<tr><td>1<td>2</table>'),
      'A | B\n1 | 2',
    ],
  ])('is never ingested: %s', async (_, name, file, expected) => {
    expect((await prepareOne(name, file)).text).toBe(expected);
  });

  it.each([
    ['the back of a card', html('<div style="backface-visibility:hidden"><p>Seen.</p></div>')],
    ['text hidden in print', html('<p class="x">Seen.</p>', '<style media="print">.x{display:none}</style>')],
    [
      'text that an element shows despite the style sheet',
      html('<p class="x" style="display:block">Seen.</p>', '<style>.x{display:none}</style>'),
    ],
    [
      'steps shown one at a time',
      html('<p class="x">Seen.</p>', '<style>.x{display:none} .x.on{display:block}</style>'),
    ],
  ])('does not include visible text: %s', async (_, page) => {
    expect((await prepareOne('a.html', page)).text).toBe('Seen.');
  });

  it('in the first row of a merged cell leaves its value to the visible rows', async () => {
    const t = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const sheet = `<worksheet><sheetData><row r="1">${t('A1', 'Region')}${t('B1', 'City')}</row><row r="2" hidden="1">${t('A2', 'North')}${t('B2', 'Oslo')}</row><row r="3">${t('B3', 'Bergen')}</row></sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`;
    const file = zip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': sheet,
    });
    expect((await prepareOne('a.xlsx', file)).text).toBe('S\n\nRegion: North; City: Bergen');
  });
});

describe('collapsed parts of a page', () => {
  it('are content: panels, tabs, details, asides, and headings in buttons', async () => {
    const page = html(
      '<h1>Help</h1><h2><button aria-controls="a">When do you open?</button></h2><div id="a" hidden><p>At nine.</p></div>' +
        '<div class="tab-pane" style="display:none"><p>Tab.</p></div><details><summary>More</summary><p>Folded.</p></details><aside><p>Aside.</p></aside>',
    );
    expect((await prepareOne('a.html', page)).text).toBe(
      'Help\n\nWhen do you open?\n\nAt nine.\n\nTab.\n\nMore\n\nFolded.\n\nAside.',
    );
  });

  it('become question-answer pairs if only a button names them', async () => {
    const page = html(
      '<h1>Help</h1><button data-target="#a">When do you open?</button><div id="a" hidden>At nine.</div><button data-target="#b">When do you close?</button><div id="b" hidden>At ten.</div>',
    );
    const { chunks } = await prepareOne('a.html', page);
    expect(chunks.map(({ question }) => question)).toEqual(['When do you open?', 'When do you close?']);
  });
});

describe('struck-out text', () => {
  const lined =
    '<style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style>';
  it.each([
    ['DOCX', 'a.docx', docx({ body: paragraph(run('From '), run('ten', '<w:strike/>'), run(' nine on.')) })],
    [
      'ODT',
      'a.odt',
      odt('<text:p>From <text:span text:style-name="S">ten</text:span> nine on.</text:p>', lined),
    ],
    ['RTF', 'a.rtf', rtf('From {\\strike ten} nine on.\\par')],
    ['HTML', 'a.html', html('<p>From <del>ten</del> nine on.</p>')],
    [
      'an HTML style',
      'a.html',
      html('<p>From <span style="text-decoration: line-through">ten</span> nine on.</p>'),
    ],
    ['Markdown', 'a.md', 'From ~~ten~~ nine on.'],
    ['HTML in Markdown', 'a.md', 'From <s>ten</s> nine on.'],
  ])('in %s is marked', async (_, name, file) => {
    expect(shown(await prepareOne(name, file))).toBe('From ~~ten~~ nine on.');
  });

  it.each([
    [
      'a table row',
      '<table><tr><th>A<th>B<tr style="text-decoration:line-through"><td>1<td>2<tr><td>3<td>4</table>',
      'A | B\n~~1~~ | ~~2~~\n3 | 4',
    ],
    [
      'a list item',
      '<ol><li>One.<li style="text-decoration: line-through">Two.<li>Three.</ol>',
      '1. One.\n2. ~~Two.~~\n3. Three.',
    ],
    ['a heading', '<p>Text.</p><del><h2>Gone</h2></del>', 'Text.\n\n~~Gone~~'],
    [
      'a superscript number',
      '<p><a href="https://a.org/">Статья 15</a><sup>1</sup> есть.</p>',
      '[Статья 15](https://a.org/)-1 есть.',
    ],
  ])('in HTML may be %s', async (_, body, expected) => {
    expect(shown(await prepareOne('a.html', html(body)))).toBe(expected);
  });

  it('in DOCX includes double strikethrough, unless it is switched off', async () => {
    const body = paragraph(run('From '), run('ten', '<w:strike w:val="0"/><w:dstrike/>'), run(' nine on.'));
    expect(shown(await prepareOne('a.docx', docx({ body })))).toBe('From ~~ten~~ nine on.');
  });

  it('in RTF keeps characters that are written in two halves', async () => {
    expect(shown(await prepareOne('a.rtf', rtf('From {\\strike \\u-10179?\\u-8704?} on.\\par')))).toBe(
      'From ~~😀~~ on.',
    );
  });

  it('in a cell does not affect other cells', async () => {
    const text = (inner: string) => `<c t="inlineStr"><is>${inner}</is></c>`;
    const row = (...cells: string[]) => `<row>${cells.map(text).join('')}</row>`;
    const file = xlsx({
      S:
        row('<t>A</t>', '<t>B</t>') +
        row('<r><rPr><strike/></rPr><t>old</t></r>', '<t>new</t>') +
        row('<t>c</t>', '<t>d</t>'),
    });
    expect(shown(await prepareOne('a.xlsx', file))).toBe('A: ~~old~~; B: new\n\nA: c; B: d');
  });

  it('that covers a whole article is not a heading and stays marked', async () => {
    const document = await prepareOne(
      'a.md',
      '# Law\n\n~~Статья 1. Старое правило.~~\n\nСтатья 2. Новое правило.',
    );
    expect(shown(document)).toBe('~~Статья 1. Старое правило.~~\n\nСтатья 2. Новое правило.');
  });
});

it('is a heading if formatted as one', async () => {
  const long = Array.from({ length: 45 }, (_, n) => `word${n}`).join(' ');
  expect(shown(await prepareOne('a.md', `# Top\n\n## ${long}\n\n## ~~Gone~~\n\nEnd.`))).toBe(
    `${long}\n\n~~Gone~~\n\nEnd.`,
  );
});

it('is left out of headings and titles', async () => {
  const document = await prepareOne('a.md', '# ~~Old~~ New rules\n\n~~A line.~~\n\n## ~~Gone~~\n\nText.');
  expect([document.title, outline(document).map(([, path]) => path)]).toEqual(['New rules', ['']]);
});

describe('links', () => {
  const relations = (target: string) =>
    `<Relationships><Relationship Id="r1" Target="${target}" TargetMode="External"/></Relationships>`;
  const part = (body: string) => ({
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations('https://a.org/form'),
  });
  it.each([
    [
      'a DOCX relationship',
      'a.docx',
      zip(
        part(
          `<w:p>${run('Fill in the ')}<w:hyperlink r:id="r1">${run('form')}</w:hyperlink>${run('.')}</w:p>`,
        ),
      ),
    ],
    [
      'a DOCX field',
      'a.docx',
      docx({
        body: paragraph(
          run('Fill in the '),
          '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.org/form" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
          run('form'),
          '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
          run('.'),
        ),
      }),
    ],
    [
      'ODT',
      'a.odt',
      odt('<text:p>Fill in the <text:a xlink:href="https://a.org/form">form</text:a>.</text:p>'),
    ],
    [
      'RTF',
      'a.rtf',
      rtf('Fill in the {\\field{\\*\\fldinst{HYPERLINK "https://a.org/form"}}{\\fldrslt{form}}}.\\par'),
    ],
    ['HTML', 'a.html', html('<p>Fill in the <a href="https://a.org/form">form</a>.</p>')],
    ['HTML in Markdown', 'a.md', 'Fill in the <a href="https://a.org/form">form</a>.'],
    ['Markdown', 'a.md', 'Fill in the [form](https://a.org/form).'],
  ])('in %s keep their address', async (_, name, file) => {
    expect(shown(await prepareOne(name, file))).toBe('Fill in the [form](https://a.org/form).');
  });

  it("are resolved against the document's address, and lead only to web addresses", async () => {
    const said = { hints: { url: 'https://a.org/docs/leave.html' } };
    const text =
      'The [form](../forms/7), the [mail](mailto:a@a.org), [this](#part), [no](javascript:alert(1)).';
    expect(shown(await prepareOne('a.md', text, said))).toBe(
      'The [form](https://a.org/forms/7), the [mail](mailto:a@a.org), this, [no](javascript:alert(1)).',
    );
    expect(shown(await prepareOne('a.html', html('<base href="/x/"><p><a href="y">z</a></p>'), said))).toBe(
      '[z](https://a.org/x/y)',
    );
  });

  it('do not divide the text around them', async () => {
    const text = '- [ ] See [the **long** form](https://a.org/1), or [another](https://a.org/2)';
    expect(shown(await prepareOne('a.md', text))).toBe(
      '– See [the long form](https://a.org/1), or [another](https://a.org/2)',
    );
  });
});

describe('merged cells', () => {
  const expected = 'House | Shift | Guard\nNorth | Day | Anna\nNorth | Night | Boris';
  const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
  const o = (text: string, more = '') =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
  it.each([
    [
      'DOCX',
      'a.docx',
      docx({
        body: `<w:tbl>${row(cell('House'), cell('Shift'), cell('Guard'))}${row(cell('North', '<w:vMerge w:val="restart"/>'), cell('Day'), cell('Anna'))}${row(cell('', '<w:vMerge/>'), cell('Night'), cell('Boris'))}</w:tbl>`,
      }),
    ],
    [
      'ODT',
      'a.odt',
      odt(
        `<table:table><table:table-row>${o('House')}${o('Shift')}${o('Guard')}</table:table-row><table:table-row>${o('North', 'table:number-rows-spanned="2"')}${o('Day')}${o('Anna')}</table:table-row><table:table-row><table:covered-table-cell/>${o('Night')}${o('Boris')}</table:table-row></table:table>`,
      ),
    ],
    [
      'RTF',
      'a.rtf',
      rtf(
        '\\trowd\\cellx1000\\cellx2000\\cellx3000\\intbl House\\cell Shift\\cell Guard\\cell\\row\\trowd\\clvmgf\\cellx1000\\cellx2000\\cellx3000\\intbl North\\cell Day\\cell Anna\\cell\\row\\trowd\\clvmrg\\cellx1000\\cellx2000\\cellx3000\\intbl\\cell Night\\cell Boris\\cell\\row\\pard',
      ),
    ],
    [
      'HTML',
      'a.html',
      html(
        '<table><tr><th>House<th>Shift<th>Guard<tr><td rowspan=2>North<td>Day<td>Anna<tr><td>Night<td>Boris</table>',
      ),
    ],
  ])('in %s give each row their value', async (_, name, file) => {
    expect((await prepareOne(name, file)).text).toBe(expected);
  });

  it('stay merged if a cell spans columns and rows', async () => {
    const page =
      '<table><tr><th rowspan=2>Who<th colspan=2>Weekend<tr><th>Morning<th>Evening<tr><td>Adults<td>1<td>2<tr><td>Children<td colspan=2>free</table>';
    expect((await prepareOne('a.html', html(page))).text).toBe(
      'Who | Weekend, Morning | Weekend, Evening\nAdults | 1 | 2\nChildren | free | free',
    );
  });

  it('in RTF may have the same width as those below', async () => {
    const row = (edges: number[], cells: string[]) =>
      `\\trowd${edges.map((edge) => `\\cellx${edge}`).join('')}\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `;
    const table =
      row([1000, 3000], ['Who', 'Weekend']) +
      row([1000, 2010, 3000], ['', 'Morning', 'Evening']) +
      row([1000, 2000, 3000], ['Adults', '1', '2']);
    expect((await prepareOne('a.rtf', rtf(`${table}\\pard`))).text).toBe(
      'Who | Weekend, Morning | Weekend, Evening\nAdults | 1 | 2',
    );
  });

  it('that group rows are not a second header line', async () => {
    const page =
      '<table><tr><td colspan=2>What<td>Price<tr><td rowspan=2>Pump<td>new<td>5<tr><td>used<td>3</table>';
    expect((await prepareOne('a.html', html(page))).text).toBe(
      'What | What | Price\nPump | new | 5\nPump | used | 3',
    );
  });
});

it('a row with one value shows its column', async () => {
  expect((await prepareOne('a.csv', 'Name,Phone,Room\nAnna,5,6\n,555,')).text).toBe(
    'Name: Anna; Phone: 5; Room: 6\n\nPhone: 555',
  );
});

it('extend as far as they declare', async () => {
  const rows = Array.from(
    { length: 150 },
    (_, n) => `<tr>${n === 0 ? '<td rowspan=150>North' : ''}<td>City${n}<td>${n}`,
  );
  const { text } = await prepareOne(
    'a.html',
    html(`<table><tr><th>Region<th>City<th>N${rows.join('')}</table>`),
  );
  expect(text).toContain('North | City149 | 149');
});

describe('tables', () => {
  const records = async (name: string, text: string) => (await prepareOne(name, text)).text.split('\n\n');
  it.each([
    [
      'a declared separator',
      'sep=;\nItem;Price\nA;1,5\nB;2,5',
      ['Item: A; Price: 1,5', 'Item: B; Price: 2,5'],
    ],
    [
      'lines above the header',
      'Report of May\nMade on 2026-05-31\n\nItem,Grade,Price\nA,1,10\nB,2,20',
      ['Report of May', 'Made on 2026-05-31', 'Item: A; Grade: 1; Price: 10', 'Item: B; Grade: 2; Price: 20'],
    ],
    [
      'a two-line header',
      'Who,Weekdays,,Weekend,\n,Morning,Evening,Morning,Evening\nAdults,1,2,3,4\nChildren,0,1,1,2',
      [
        'Who: Adults; Weekdays, Morning: 1; Weekdays, Evening: 2; Weekend, Morning: 3; Weekend, Evening: 4',
        'Who: Children; Weekdays, Morning: 0; Weekdays, Evening: 1; Weekend, Morning: 1; Weekend, Evening: 2',
      ],
    ],
    [
      'a header whose first line names only some columns',
      'Pool\n,Weekdays,,Weekend,\nWho,Morning,Evening,Morning,Evening\nAdults,1,2,3,4',
      [
        'Pool',
        'Who: Adults; Weekdays, Morning: 1; Weekdays, Evening: 2; Weekend, Morning: 3; Weekend, Evening: 4',
      ],
    ],
    [
      'years as column names',
      'Region,2024,2025\nNorth,1,2\nSouth,3,4',
      ['Region: North; 2024: 1; 2025: 2', 'Region: South; 2024: 3; 2025: 4'],
    ],
  ])('are read with %s', async (_, text, expected) => {
    expect(await records('a.csv', text)).toEqual(expected);
  });

  it('never use a row as their title', async () => {
    expect((await prepareOne('stock.csv', 'Item,Price\nKettle,5\nIron,6')).title).toBe('stock');
  });

  it('are reported if they have no header', async () => {
    expect((await prepareOne('a.csv', '1,2\n3,4\n5,6\n7,8')).notes).toEqual([
      '1 of 1 tables has no header row',
    ]);
  });
});

describe('automatic numbers', () => {
  const level = (n: number, text: string, more = '', format = 'decimal') =>
    `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const num = (level: number, id = 1) =>
    `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
  const lines = async (numbering: string, body: string, styles = '') =>
    (await prepareOne('a.docx', docx({ body, numbering, styles }))).text
      .split(/\n+/)
      .map((line) => line.trim());
  const instance = (id: number, more = '') =>
    `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/>${more}</w:num>`;

  it('continue through chapters if a level never restarts', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, 'Глава %1.', '', 'upperRoman')}${level(1, 'Статья %2.', '<w:lvlRestart w:val="0"/>')}${level(2, '%3.')}</w:abstractNum>${instance(1)}`;
    const body =
      p('Одна', num(0)) +
      p('А', num(1)) +
      p('пункт', num(2)) +
      p('Б', num(1)) +
      p('Другая', num(0)) +
      p('В', num(1)) +
      p('снова', num(2));
    expect(await lines(numbering, body)).toEqual([
      ...[
        'Глава I. Одна',
        'Статья 1. А',
        '1. пункт',
        'Статья 2. Б',
        'Глава II. Другая',
        'Статья 3. В',
        '1. снова',
      ],
    ]);
  });

  it('restart below the given level', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, 'Part %1.')}${level(1, '%1.%2.')}${level(2, '(%3)', '<w:lvlRestart w:val="1"/>', 'lowerLetter')}</w:abstractNum>${instance(1)}`;
    const body =
      p('A', num(0)) +
      p('b', num(1)) +
      p('c', num(2)) +
      p('d', num(1)) +
      p('e', num(2)) +
      p('F', num(0)) +
      p('g', num(2));
    expect(await lines(numbering, body)).toEqual([
      'Part 1. A',
      '1.1. b',
      '(a) c',
      '1.2. d',
      '(b) e',
      'Part 2. F',
      '(a) g',
    ]);
  });

  it('start where an instance says, and the next instance continues from there', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, '%1)')}</w:abstractNum>${instance(1)}${instance(2, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')}`;
    const body = p('a', num(0)) + p('b', num(0)) + p('c', num(0, 2)) + p('d', num(0, 2)) + p('e', num(0));
    expect(await lines(numbering, body)).toEqual(['1) a', '2) b', '7) c', '8) d', '9) e']);
  });

  it('are taken from the style that a level is linked to', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, '%1.', '<w:pStyle w:val="Top"/>')}${level(1, '%1.%2.', '<w:pStyle w:val="Sub"/>')}</w:abstractNum>${instance(1)}`;
    const style = (id: string) =>
      `<w:style w:styleId="${id}"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`;
    const body =
      p('a', '<w:pStyle w:val="Top"/>') +
      p('b', '<w:pStyle w:val="Sub"/>') +
      p('c', '<w:pStyle w:val="Sub"/>');
    expect(await lines(numbering, body, style('Top') + style('Sub'))).toEqual(['1. a', '1.1. b', '1.2. c']);
  });

  it('are found through a numbering style, and use digits for a legal level', async () => {
    const numbering = `<w:abstractNum w:abstractNumId="0">${level(0, '%1.', '', 'upperRoman')}${level(1, '%1.%2.', '<w:isLgl/>')}</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="L"/></w:abstractNum>${instance(1)}<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`;
    const styles = '<w:style w:styleId="L"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>';
    expect(await lines(numbering, p('a', num(0, 2)) + p('b', num(1, 2)), styles)).toEqual(['I. a', '1.1. b']);
  });

  it('use the letters that ODT and HTML declare', async () => {
    const style = (format: string) =>
      `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="${format}" style:num-suffix=")"/></text:list-style>`;
    const list =
      '<text:list text:style-name="L"><text:list-item><text:p>x</text:p></text:list-item><text:list-item><text:p>y</text:p></text:list-item></text:list>';
    expect((await prepareOne('a.odt', odt(list, style('а, б, .., аа, аб, ... (ru)')))).text).toBe(
      'а) x\nб) y',
    );
    expect((await prepareOne('a.html', html('<ol type="I" start="4"><li>x<li>y</ol>'))).text).toBe(
      'IV. x\nV. y',
    );
  });
});

describe('notes', () => {
  it.each([
    [
      'ODT',
      'a.odt',
      odt(
        '<text:p>Open in May<text:note><text:note-body><text:p>In June in the hills.</text:p></text:note-body></text:note>.</text:p><text:p>End.</text:p>',
      ),
    ],
    ['RTF', 'a.rtf', rtf('Open in May{\\footnote In June in the hills.}.\\par End.\\par')],
    ['Markdown', 'a.md', 'Open in May[^1].\n\nEnd.\n\n[^1]: In June in the hills.'],
    [
      'HTML',
      'a.html',
      html(
        '<p>Open in May<sup><a href="#n1" id="r1">1</a></sup>.</p><p>End.</p><ol><li id="n1">In June in the hills. <a href="#r1">↩</a></li></ol>',
      ),
    ],
  ])('in %s follow the text with their mark', async (_, name, file) => {
    expect((await prepareOne(name, file)).text).toBe('Open in May [1].\n\n[1] In June in the hills.\n\nEnd.');
  });

  it('of an article keep their own mark in each chapter of a book', async () => {
    const chapter = (n: number) =>
      `<html><body><h1>Of bees ${n}</h1><p>Text ${n}.<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n">Note ${n}.</aside></body></html>`;
    const book = zip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      'b.opf':
        '<opf:package xmlns:opf="http://www.idpf.org/2007/opf"><opf:manifest><opf:item id="a" href="1.html"/><opf:item id="b" href="2.html"/></opf:manifest><opf:spine><opf:itemref idref="a"/><opf:itemref idref="b"/></opf:spine></opf:package>',
      '1.html': chapter(1),
      '2.html': chapter(2),
    });
    expect(outline(await prepareOne('a.epub', book)).map(([, , text]) => text)).toEqual([
      'Text 1. [1]\n\n[1] Note 1.',
      'Text 2. [1]\n\n[1] Note 2.',
    ]);
  });
});

describe('formulas', () => {
  const m = (name: string, ...inner: string[]) => `<m:${name}>${inner.join('')}</m:${name}>`;
  const r = (text: string) => m('r', m('t', text));
  it.each([
    ['a line', r('B = 0.04 × S'), 'B = 0.04 × S'],
    ['a fraction', r('v = ') + m('f', m('num', r('s + 1')), m('den', r('t'))), 'v = \\frac{s + 1}{t}'],
    ['a half', m('f', m('num', r('1')), m('den', r('2'))), '1/2'],
    [
      'a power and a root',
      m('sSup', m('e', r('x')), m('sup', r('12'))) + r(' + ') + m('rad', m('deg'), m('e', r('y'))),
      'x^{12} + \\sqrt{y}',
    ],
    ['brackets', m('d', m('e', r('a')), m('e', r('b'))), '(a|b)'],
  ])('in Office documents become text: %s', async (_, math, expected) => {
    const body = `<w:p>${run('It is ')}<m:oMath>${math}</m:oMath>${run('.')}</w:p>`;
    expect((await prepareOne('a.docx', docx({ body }))).text).toBe(`It is ${expected}.`);
  });

  it('in MathML become LaTeX if the page provides it', async () => {
    const math = '<math><mi>B</mi><mo>=</mo><mfrac><mi>S</mi><mn>25</mn></mfrac></math>';
    const tex =
      '<math><semantics><mi>B</mi><annotation encoding="application/x-tex">B=\\pi r^2</annotation></semantics></math>';
    expect((await prepareOne('a.html', html(`<p>It is ${math}, or ${tex}.</p>`))).text).toBe(
      'It is B = S/25, or B=\\pi r^2.',
    );
  });

  it('in ODT are separate objects', async () => {
    const frame = '<text:p>It is <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>.</text:p>';
    const formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>a</mi><mo>+</mo><mi>b</mi></math>';
    expect((await prepareOne('a.odt', odt(frame, '', { 'Object 1/content.xml': formula }))).text).toBe(
      'It is a + b.',
    );
  });
});

describe('XML names', () => {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  it.each([
    [
      'another prefix',
      `<ns0:document xmlns:ns0="${word}"><ns0:body><ns0:p><ns0:pPr><ns0:outlineLvl ns0:val="0"/></ns0:pPr><ns0:r><ns0:t>Top</ns0:t></ns0:r></ns0:p><ns0:p><ns0:r><ns0:t>Text.</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`,
    ],
    [
      'no prefix',
      `<document xmlns="${word}" xmlns:q="${word}"><body><p><pPr><outlineLvl q:val="0"/></pPr><r><t>Top</t></r></p><p><r><t>Text.</t></r></p></body></document>`,
    ],
    [
      'the strict namespace',
      `<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Top</w:t></w:r></w:p><w:p><w:r><w:t>Text.</w:t></w:r></w:p></w:body></w:document>`,
    ],
  ])('are read with %s', async (_, xml) => {
    const document = await prepareOne('a.docx', zip({ 'word/document.xml': xml }));
    expect([document.title, document.text]).toEqual(['Top', 'Top\n\nText.']);
  });

  it('in another namespace with a common prefix are not mistaken for known names', async () => {
    const xml = `<d:document xmlns:d="${word}" xmlns:w="urn:other"><d:body><d:p><w:t>no</w:t><d:r><d:t>yes</d:t></d:r></d:p></d:body></d:document>`;
    expect((await prepareOne('a.docx', zip({ 'word/document.xml': xml }))).text).toBe('yes');
  });
});

describe('sheets', () => {
  const t = (at: string, text: string, more = '') =>
    `<c r="${at}" t="inlineStr" ${more}><is><t>${text}</t></is></c>`;
  const v = (at: string, value: number | string, style = 0) =>
    `<c r="${at}" s="${style}"><v>${value}</v></c>`;
  const head = `<row r="1">${t('A1', 'Branch')}${t('B1', 'Value')}</row>`;
  const value = async (code: string, n: number | string) => {
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`;
    const rows = `${head}<row r="2">${t('A2', 'North')}${v('B2', n, 1)}</row><row r="3">${t('A3', 'South')}${v('B3', 1)}</row>`;
    const { text } = await prepareOne('a.xlsx', xlsx({ S: rows }, [], styles));
    return /^Branch: North; Value: (.*)$/m.exec(text)?.[1];
  };

  it.each([
    ['0.0%', 0.075, '7.5%'],
    ['hh:mm', 0.4375, '10:30'],
    ['[h]:mm:ss', 1.0104166667, '24:15:00'],
    ['mm:ss', 0.0104166667, '15:00'],
    ['mm:ss', 1.0104166667, '15:00'],
    ['h:mm AM/PM', 1.4375, '10:30 AM'],
    ['#,##0\\ "tenge"', 5400, '5400 tenge'],
    ['[$€-2] #,##0.00', 1234.5, '€ 1234.50'],
    ['#,##0.00', 1234.5, '1234.5'],
    ['dd.mm.yyyy', 45000, '2023-03-15'],
    ['dd.mm.yyyy', 1, '1900-01-01'],
    ['ДД.ММ.ГГГГ', 45000, '2023-03-15'],
    ['чч:мм', 0.4375, '10:30'],
    ['[$-419]d mmmm yyyy;@', 45000, '2023-03-15'],
    ['yyyy-mm-dd hh:mm', 45000.5, '2023-03-15 12:00'],
    ['0 "шт."', 12, '12 шт.'],
    ['General', 0.30000000000000004, '0.3'],
  ])('show numbers in the format %s', async (code, n, expected) => {
    expect(await value(code, n)).toBe(expected);
  });

  const file = (rows: string, around: { before?: string; after?: string } = {}, rels = '') =>
    zip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet>${around.before ?? ''}<sheetData>${rows}</sheetData>${around.after ?? ''}</worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${rels}</Relationships>`,
    });
  const three = `<row r="1">${t('A1', 'Region')}${t('B1', 'Service')}${t('C1', 'Price')}</row><row r="2">${t('A2', 'North')}${t('B2', 'Pump')}${v('C2', 7)}</row><row r="3">${t('B3', 'Motor')}${v('C3', 9)}</row>`;

  it('give each row the value of a merged cell', async () => {
    const merged = file(three, { after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' });
    expect((await prepareOne('a.xlsx', merged)).text.split('\n\n').slice(1)).toEqual([
      'Region: North; Service: Pump; Price: 7',
      'Region: North; Service: Motor; Price: 9',
    ]);
  });

  it('leave out hidden rows, columns and sheets, and report them', async () => {
    const hidden = file(three.replace('<row r="3">', '<row r="3" hidden="1">'), {
      before: '<cols><col min="2" max="2" hidden="1"/></cols>',
    });
    const document = await prepareOne('a.xlsx', hidden);
    expect([document.text, document.left]).toEqual([
      'S\n\nRegion: North; Price: 7',
      ['Service', 'Pump', 'Motor', '9'].map((text) => ({ where: 'sheet S', text })),
    ]);
  });

  it('keep links and struck-out text', async () => {
    const rows = three
      .replace('<is><t>Pump</t></is>', '<is><r><rPr><strike/></rPr><t>Pump</t></r><r><t> new</t></r></is>')
      .replace(v('C3', 9), '<c r="C3" t="str"><f>HYPERLINK("https://a.org/b","form")</f><v>form</v></c>');
    const linked = file(
      rows,
      { after: '<hyperlinks><hyperlink ref="A2" r:id="r9"/></hyperlinks>' },
      '<Relationship Id="r9" Target="https://a.org/north" TargetMode="External"/>',
    );
    expect(shown(await prepareOne('a.xlsx', linked))).toBe(
      'Region: [North](https://a.org/north); Service: ~~Pump~~ new; Price: 7\n\nService: Motor; Price: [form](https://a.org/b)',
    );
  });

  it('are divided at a header after a blank row', async () => {
    const rows = `${three}<row r="5">${t('A5', 'Phones')}</row><row r="6">${t('A6', 'Whom')}${t('B6', 'Number')}</row><row r="7">${t('A7', 'Guard')}${v('B7', 112)}</row><row r="9">${t('A9', 'Cook')}${v('B9', 7)}</row>`;
    expect((await prepareOne('a.xlsx', file(rows))).text.split('\n\n').slice(3)).toEqual([
      'Phones',
      'Whom: Guard; Number: 112',
      'Whom: Cook; Number: 7',
    ]);
  });

  it('are divided at a repeated header, with each table below its caption', async () => {
    const row = (n: number, cells: string) => `<row r="${n}">${cells}</row>`;
    const values = (n: number, name: string, price: number) =>
      row(n, t(`A${n}`, name) + v(`B${n}`, price) + v(`C${n}`, 1) + v(`D${n}`, 2) + v(`E${n}`, 3));
    const names = (n: number) =>
      row(n, t(`B${n}`, 'Sales') + t(`C${n}`, 'Costs') + t(`D${n}`, 'Staff') + t(`E${n}`, 'Rooms'));
    const half = (n: number, of: string, price: number) =>
      row(n, t(`A${n}`, 'In tenge') + t(`E${n}`, of)) +
      names(n + 1) +
      values(n + 2, 'North', price) +
      values(n + 3, 'South', 5);
    const document = await prepareOne('a.xlsx', file(half(1, 'May 2023', 10) + half(5, 'May 2022', 20)));
    expect(outline(document).map(([, path, text]) => [path, text.split('\n\n')[0]])).toEqual([
      ['S > In tenge May 2023', 'North; Sales: 10; Costs: 1; Staff: 2; Rooms: 3'],
      ['S > In tenge May 2022', 'North; Sales: 20; Costs: 1; Staff: 2; Rooms: 3'],
    ]);
  });

  it('name the columns in each row, even below title lines', async () => {
    const rows = `<row r="1">${t('A1', 'Stock of spring')}</row>${[1, 2, 3, 4].map((n) => `<row r="${n + 1}">${n === 1 ? t('A2', 'Sort') + t('B2', 'Weight, kg') : t(`A${n + 1}`, `Sort ${n}`) + v(`B${n + 1}`, n)}</row>`).join('')}`;
    expect((await prepareOne('a.xlsx', file(rows))).text).toBe(
      'S\n\nStock of spring\n\nSort: Sort 2; Weight, kg: 2\n\nSort: Sort 3; Weight, kg: 3\n\nSort: Sort 4; Weight, kg: 4',
    );
  });
});

describe('slides', () => {
  const presentation = (slide: string, more: Record<string, string> = {}, rels = '') =>
    zip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels':
        '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
      'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': `<Relationships>${rels}</Relationships>`,
      ...more,
    });
  const box = (text: string, x: number, y: number, run = '') =>
    `<p:sp><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/></a:xfrm></p:spPr><p:txBody><a:p><a:r>${run}<a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

  it('are read in order of position', async () => {
    const slide =
      box('third', 0, 4_000_000) + box('second', 5_000_000, 1_050_000) + box('first', 0, 1_000_000);
    expect((await prepareOne('a.pptx', presentation(slide))).text).toBe('1\n\nfirst\n\nsecond\n\nthird');
  });

  it('keep links, struck-out text, and their number as the page', async () => {
    const slide = box('form', 0, 0, '<a:rPr strike="sngStrike"><a:hlinkClick r:id="r5"/></a:rPr>');
    const rels = '<Relationship Id="r5" Target="https://a.org/" TargetMode="External"/>';
    const { chunks } = await prepareOne('a.pptx', presentation(slide, {}, rels));
    expect(chunks[0]?.marks).toEqual([
      { kind: 'page', page: 1, start: 0, end: 4 },
      { kind: 'struck', start: 0, end: 4 },
      { kind: 'link', url: 'https://a.org/', start: 0, end: 4 },
    ]);
  });

  it('include the text of diagrams, and merged values in each row', async () => {
    const cell = (text: string, more = '') =>
      `<a:tc ${more}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const slide =
      '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="r2"/></a:graphicData></a:graphic></p:graphicFrame>' +
      `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Team')}${cell('Task')}</a:tr><a:tr>${cell('Masons', 'rowSpan="2"')}${cell('Wall')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('Roof')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const data =
      '<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Ring the bell.</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>';
    const rels = '<Relationship Id="r2" Target="../diagrams/data1.xml"/>';
    expect(
      (await prepareOne('a.pptx', presentation(slide, { 'ppt/diagrams/data1.xml': data }, rels))).text,
    ).toBe('1\n\n– Ring the bell.\n\nTeam | Task\nMasons | Wall\nMasons | Roof');
  });
});
