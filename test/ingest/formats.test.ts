import { describe, expect, it } from 'vitest';
import { mainLayer } from '../../src/ingest/layers.ts';
import { docx, odt, outline, p, prepareOne, refusal, xlsx, zip } from './fixtures.ts';
import { makePdf, rawPdf, type Words } from './pdf-maker.ts';

const texts = async (name: string, content: string | Uint8Array) =>
  outline(await prepareOne(name, content)).map(([, path, text]) => [path, text]);

describe('Markdown', () => {
  it('yields headings, numbered lists, tables and code', async () => {
    const source =
      '# Title\n\nIntro *text* with [a link](http://x) and `code`.\n\n## Steps\n\n1. One\n1. Two\n   - deeper\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun --all\n  twice\n```\n';
    expect(await texts('a.md', source)).toEqual([
      ['', 'Intro text with a link and code.'],
      ['Steps', '1. One\n2. Two\n  – deeper\n\nA | B\n1 | 2\n\n\trun --all\n\t  twice'],
    ]);
  });

  it.each([
    [
      'See[^1] and[^b].\n\n[^1]: The *first*\n    note.\n[^b]: Second.',
      'See [1] and [b].\n\n[1] The first note.\n\n[b] Second.',
    ],
    ['No note[^1] here.', 'No note[^1] here.'],
    ['- [x] done\n- [ ] open\n- [link](/x)', '– done\n– open\n– link'],
    ['3) three\n4) four', '3) three\n4) four'],
    ['> quoted\n>\n> - item', 'quoted\n\n– item'],
    [
      'A line that was\nwrapped by *hand*\ngoes on:\nbelow.\n2) two\nб) be\nСтатья 7. О воде',
      'A line that was wrapped by hand goes on:\nbelow.\n2) two\nб) be\nСтатья 7. О воде',
    ],
    ['one\\\ntwo  \nthree &amp; <b>four</b> ![picture](x) ~~five~~', 'one\ntwo\nthree & four five'],
    // The fence is indented so far that it continues the paragraph. Text that looks like code keeps its line breaks.
    [
      'Settings:\n        ```ini\n        [INPUT]\n        Name x\n        ```',
      'Settings:\nini\n[INPUT]\nName x',
    ],
    [
      'States:\n\n[cols="1,2", options="header"]\n|===\n|Name\n|Meaning\n\n|`UP`\n|It **works**:\n\n- well\n- fast\n\n|`DOWN` |\n|===\n\nEnd.',
      'States:\n\nName | Meaning\nUP | It works: – well – fast\nDOWN\n\nEnd.',
    ],
    ['|===\n|a |b\n|c |d\n|===\n\n|=== is no table', 'a | b\nc | d\n\n|=== is no table'],
    [
      'Text.\n<table class="x">\n  <tr>\n\n      <td>A</td><td>B</td>\n\n  </tr>\n  <tr><td>1</td><td>2 <b>x</b></td></tr>\n</table>\nEnd.\n\n```\n<table>\n\n</table>\n```',
      'Text.\n\nA | B\n1 | 2 x\n\nEnd.\n\n\t<table>\n\t\n\t</table>',
    ],
    // A browser shows no more cells than the table has columns, but the other cells still contain text.
    ['| A | B |\n|---|---|\n| 1 | 2 | | *3* | 4 |', 'A | B\n1 | 2 |  | 3 | 4'],
  ])('reads %j as displayed', async (source, text) => {
    expect((await prepareOne('a.md', source)).text).toBe(text);
  });

  it('reads front matter', async () => {
    const document = await prepareOne(
      'a.md',
      '---\ndoc_key: k\ntitle: "T: 1"\nlang: kk\nlayer: norm\nurl: https://a\nsource_url: https://b\nevent_date: 2026-01-31\ntags: [x]\n---\nText.\n',
      { layers: { layers: [mainLayer, { ...mainLayer, name: 'norm' }], said: null } },
    );
    expect(document).toMatchObject({
      key: 'k',
      title: 'T: 1',
      lang: 'kk',
      layer: { name: 'norm' },
      url: 'https://a/',
      source_url: 'https://b/',
      event_date: '2026-01-31',
      metadata: { tags: ['x'] },
      text: 'Text.',
    });
  });

  it('never evaluates front matter', async () => {
    const document = await prepareOne('a.md', '---js\n{ title: process.exit(7) }\n---\n# Hello\n\nText.\n');
    expect([document.title, document.text, document.metadata]).toEqual(['Hello', 'Hello\n\nText.', {}]);
    const tagged = await prepareOne(
      'a.md',
      '---\ntitle: !!js/function "function () { process.exit(7) }"\n---\nText.\n',
    );
    expect(tagged.title).toBe('function () { process.exit(7) }');
  });

  it('rejects untrustworthy front matter', async () => {
    expect(await refusal('a.md', '---\ntitle: a\nlayer: [b\n---\nText.\n')).toMatch(
      /^front matter, line 4: /,
    );
    expect(await refusal('a.md', '---\nlayer: [b]\n---\nText.\n')).toBe(
      'front matter: "layer" must be a string',
    );
    expect(await refusal('a.md', '---\nevent_date: yesterday\n---\nText.\n')).toBe(
      'front matter: "event_date" must be a date written YYYY-MM-DD, YYYY-MM or YYYY',
    );
    expect(await refusal('a.md', '---\nskip: true\n---\nText.\n')).toBe('its front matter says to skip it');
  });

  it('ignores rules between paragraphs', async () => {
    expect((await prepareOne('a.md', '---\n\nFirst.\n\n---\n\nSecond.\n')).text).toBe('First.\n\nSecond.');
  });

  it.each([
    ['{include(../a.md)[tags=x]}\n\nText.', 'Text.'],
    ['{ifdef(public)}\nText.\n{/ifdef}', 'Text.'],
    ['In {ifdef(a)}one{/ifdef}{ifndef(a)}two{/ifndef} word.', 'In one word.'],
    ['See {linkto(../a#b)[text=the page]}.', 'See the page.'],
    ['In {var(cloud)}.', 'In cloud.'],
    ['{note:warn}\n\nText.\n\n{/note}', 'Text.'],
    ['{{< alert level="info" >}}\nText.\n{{< /alert >}}', 'Text.'],
    ['Open {{< stays, {{< anchor >}}this goes.', 'Open {{< stays, this goes.'],
    ['{% alert %}\nText.\n{% endalert %}', 'Text.'],
    ['Ask in {% slack_channel "dev" %}, {{ site.name }}.', 'Ask in dev, .'],
    ['<!-- hidden\ntext -->\nText <b>bold</b>.<br>Next', 'Text bold.\nNext'],
    ['<script>evil()</script>\n\nText.', 'Text.'],
    ['Use `{% raw %}` and `{{ x }}`.', 'Use {% raw %} and {{ x }}.'],
    ['```\n{include(x)} {{ y }}\n```', '\t{include(x)} {{ y }}'],
    ['Path /a/{id}/b', 'Path /a/{id}/b'],
  ])('resolves %j', async (source, text) => {
    expect((await prepareOne('a.md', source)).text).toBe(text);
  });

  it('turns collapsed questions into pairs', async () => {
    const document = await prepareOne(
      'a.md',
      '# {heading(FAQ)[id=f]}\n\n{cut(How in {var(x)}?)}\n\nSo.\n\n{/cut}\n\nAfter.\n',
    );
    expect(document.chunks.map(({ question, path }) => [question, path])).toEqual([
      ['How in x?', ['How in x?']],
      [null, []],
    ]);
  });
});

describe('HTML', () => {
  it('omits navigation, scripts and hidden content', async () => {
    const page = `<!doctype html><html lang="kk"><head><title>T</title><style>p{}</style></head><body>
      <nav><a href="/">Home</a></nav><div class="sidebar"><p>Side</p></div>
      <h1>Heading <a class="headerlink" href="#h">¶</a></h1><p>One<br>two <b>bold</b>&nbsp;&mdash; end.</p>
      <script>x()</script><p style="display:none">hidden</p><p hidden>hidden</p>
      <ol start="3"><li>three<ul><li>inner</li></ul></li><li>four</li></ol>
      <pre>a\n  b</pre><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
      <h2>Sub</h2><p>Text</p><footer>Foot</footer></body></html>`;
    const document = await prepareOne('a.html', page);
    expect([document.title, document.lang]).toEqual(['Heading', 'kk']);
    expect(outline(document).map(([, path, text]) => [path, text])).toEqual([
      ['', 'One\ntwo bold — end.\n\n3. three\n  – inner\n4. four\n\n\ta\n\t  b\n\nA | B\n1 | 2'],
      ['Sub', 'Text'],
    ]);
  });

  it('repeats a merged cell in each of its rows', async () => {
    expect(
      await texts(
        'a.html',
        '<table><tr><th></th><th>A</th><th>B</th></tr><tr><td rowspan=2>x</td><td colspan=2>1</td></tr><tr><td>2</td><td>3</td></tr><tr><td>y</td><td>4</td><td></td></tr></table>',
      ),
    ).toEqual([['', '— | A | B\nx | 1 | 1\nx | 2 | 3\ny | 4']]);
  });

  it('omits unmarked links, breadcrumbs and notices, but keeps text that only resembles them', async () => {
    const page = `<body><p>Главная &gt; Документы &gt; Отпуск</p><h1>Отпуск</h1><p>Отпуск длится 28 дней.</p>
      <ul><li>Подробнее</li></ul><p>Edit this page ✎</p><p>Home › Docs</p><p>Следующая статья →</p>
      <p>Мы используем файлы cookie. Продолжая, вы соглашаетесь с этим.</p><p>Search by name is free.</p></body>`;
    expect((await prepareOne('a.html', page)).text).toBe(
      'Отпуск\n\nОтпуск длится 28 дней.\n\n– Подробнее\n\nSearch by name is free.',
    );
    const policy = ['We use cookies.', 'You accept cookies by a click.', 'Agree to cookies here.'];
    expect((await prepareOne('a.html', policy.map((line) => `<p>${line}</p>`).join(''))).text).toBe(
      policy.join('\n\n'),
    );
  });

  it('reads layout tables as text, and questions that unfold', async () => {
    expect(
      await texts(
        'a.html',
        '<h1>T</h1><table><tr><td><h2>A</h2><p>a</p></td></tr></table><details><summary>Why?</summary><p>So.</p></details><p>After</p>',
      ),
    ).toEqual([
      ['A', 'a'],
      ['A > Why?', 'So.'],
      ['A', 'After'],
    ]);
  });

  it('keeps inserted numbers', async () => {
    const document = await prepareOne(
      'a.html',
      '<h1>T</h1><h3>Статья 15<sup>1</sup>. Право</h3><p>Площадь 10 м<sup>2</sup>.</p>',
    );
    expect(outline(document)).toEqual([
      ['15-1', 'Статья 15-1. Право', 'Статья 15-1. Право\n\nПлощадь 10 м2.'],
    ]);
  });

  it('detects the encoding from the bytes, or else from the meta tag', async () => {
    const page = (charset: string) => `<meta charset="${charset}"><p>Вода общая</p>`;
    const koi = Uint8Array.from(page('koi8-r'), (sign) => koi8r.get(sign) ?? sign.charCodeAt(0));
    expect((await prepareOne('a.html', koi)).text).toBe('Вода общая');
    expect((await prepareOne('a.html', page('koi8-r'))).text).toBe('Вода общая');
  });

  it('survives deep nesting', async () => {
    expect((await prepareOne('a.html', `${'<div><i>'.repeat(5000)}deep`)).text).toBe('deep');
  });
});
const koi8r = new Map(
  [...new TextDecoder('koi8-r').decode(Uint8Array.from({ length: 256 }, (_, n) => n))].map((sign, n) => [
    sign,
    n,
  ]),
);

describe('DOCX', () => {
  const numbering = `<w:abstractNum w:abstractNumId="0">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Статья %1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%2."/></w:lvl>
    <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="russianLower"/><w:lvlText w:val="%3)"/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="·"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="1"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`;
  const num = (level: number, id = 1) =>
    `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;

  it('counts automatic numbers', async () => {
    const body =
      p('Вода', num(0)) +
      p('Первый', num(1)) +
      p('буква', num(2)) +
      p('Второй', num(1)) +
      p('Земля', num(0)) +
      p('Снова', num(1)) +
      p('точка', num(0, 2)) +
      p('семь', num(1, 3));
    expect(outline(await prepareOne('a.docx', docx({ body, numbering })))).toEqual([
      ['1', 'Статья 1. Вода', 'Статья 1. Вода\n\n1. Первый\n  а) буква\n2. Второй'],
      ['2', 'Статья 2. Земля', 'Статья 2. Земля\n\n1. Снова\n– точка\n  7. семь'],
    ]);
  });

  it('recognises headings by style or outline level, even if inherited', async () => {
    const styles =
      '<w:style w:styleId="H"><w:name w:val="heading 2"/></w:style><w:style w:styleId="X"><w:name w:val="Own"/><w:basedOn w:val="H"/></w:style><w:style w:styleId="T"><w:name w:val="toc 1"/></w:style>';
    const body =
      p('Содержание 1', '<w:pStyle w:val="T"/>') +
      p('A', '<w:outlineLvl w:val="0"/>') +
      p('B', '<w:pStyle w:val="X"/>') +
      p('text');
    expect(outline(await prepareOne('a.docx', docx({ body, styles })))).toEqual([['001', 'B', 'text']]);
  });

  it('reads tables, notes, breaks and text boxes, but not deleted text', async () => {
    const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
    const body =
      '<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t><w:footnoteReference w:id="5"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t> new</w:t></w:r></w:ins></w:p>' +
      `<w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr><w:tr>${cell('1', '<w:vMerge w:val="restart"/>')}${cell('2')}</w:tr><w:tr>${cell('1', '<w:vMerge/>')}${cell('3')}</w:tr></w:tbl>` +
      `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const footnotes = `<w:footnote w:type="separator" w:id="0">${p('-')}</w:footnote><w:footnote w:id="5">${p('a note')}</w:footnote>`;
    expect((await prepareOne('a.docx', docx({ body, footnotes }))).text).toBe(
      'one\ntwo three [1] new\n\n[1] a note\n\nA | B\n1 | 2\n1 | 3\n\nboxed',
    );
  });

  it('is rejected with a reason if damaged', async () => {
    expect(await refusal('a.docx', 'not a zip at all')).toBe('broken: not a ZIP archive');
    expect(await refusal('a.docx', docx({ body: p('text') }).slice(0, 150))).toBe(
      'broken: not a readable ZIP archive',
    );
    expect(await refusal('a.docx', docx({ body: '' }))).toBe('empty: it contains no text');
    expect(await refusal('a.docx', zip({ 'x.txt': 'text' }))).toBe('a ZIP archive, not a document');
    const encrypted = docx({ body: p('text') });
    encrypted[6] = 1;
    expect(await refusal('a.docx', encrypted)).toBe('the archive is encrypted');
    // In a truncated file, the flags may be anything.
    expect(await refusal('a.docx', encrypted.slice(0, 150))).toBe('broken: not a readable ZIP archive');
    expect(await refusal('a.docx', 'PK\u0003\u0004broken')).toBe('broken: not a readable ZIP archive');
  });
});

describe('ODT', () => {
  const style =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix=")" text:display-levels="2"/></text:list-style>';

  it('keeps headings, list numbers, tables and notes', async () => {
    const text =
      '<text:h text:outline-level="1">Top</text:h><text:p>a<text:s text:c="2"/>b<text:line-break/>c<text:note><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>' +
      '<text:list text:style-name="L"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>' +
      '<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>';
    const document = await prepareOne('a.odt', odt(text, style));
    expect([document.title, outline(document)]).toEqual([
      'Top',
      [['001', '', 'a b\nc [1]\n\n[1] note\n\n1. one\n  1.1) in\n2. two\n\nA | B\n1 | 2']],
    ]);
  });

  it('is read even with a wrong extension', async () => {
    expect((await prepareOne('a.doc', odt('<text:p>text</text:p>'))).text).toBe('text');
  });

  it('is rejected if encrypted', async () => {
    const manifest = '<manifest><manifest:encryption-data/></manifest>';
    expect(await refusal('a.odt', odt('', '', { 'META-INF/manifest.xml': manifest }))).toBe(
      'encrypted: it needs a password',
    );
  });
});

describe('RTF', () => {
  const rtf = (body: string) =>
    `{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset0 Times;}}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}{\\s0 Normal;}}{\\info{\\title T}}${body}}`;

  it.each([
    ["\\f0 \\'c2\\'ee\\'e4\\'e0\\par", 'Вода'],
    ['\\uc1 \\u1042?\\u1086?\\u1076?\\u1072?\\par', 'Вода'],
    ["\\uc2 \\u1178\\'3f\\'3f!\\par", 'Қ!'],
    ['a\\~b\\_c\\emdash d\\{e\\}\\par', 'a b-c—d{e}'],
    ['one\\line two\\par', 'one\ntwo'],
    ['{\\*\\unknown hidden}{\\pict 0102}\\constructor shown\\par', 'shown'],
    ['{\\listtext 1.\\tab}first\\par{\\listtext 2.\\tab}second\\par', '1. first\n2. second'],
    ['{\\listtext\\u8226?\\tab}point\\par', '– point'],
    ['text{\\super 1}{\\footnote a note}\\par', 'text1 [1]\n\n[1] a note'],
  ])('reads %s', async (body, text) => {
    expect((await prepareOne('a.rtf', rtf(body))).text).toBe(text);
  });

  it('recognises headings and the title', async () => {
    const document = await prepareOne(
      'a.rtf',
      rtf('\\pard\\s1 One\\par\\pard text\\par\\pard\\s1 Two\\par\\pard more\\par'),
    );
    expect(document.title).toBe('T');
    expect(outline(document)).toEqual([
      ['001', 'One', 'text'],
      ['002', 'Two', 'more'],
    ]);
  });
});

describe('EPUB and PPTX', () => {
  it('returns EPUB chapters in spine order', async () => {
    const epub = zip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>',
      'OPS/p.opf':
        '<package><metadata><dc:title>Book</dc:title><dc:language>ru</dc:language></metadata><manifest><item id="a" href="a%20b.xhtml"/><item id="b" href="b.xhtml"/><item id="n" href="n.xhtml" properties="nav"/></manifest><spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></package>',
      'OPS/a b.xhtml': '<html><body><h1>Second</h1><p>two</p></body></html>',
      'OPS/b.xhtml': '<html><body><h1>First</h1><p>one</p></body></html>',
      'OPS/n.xhtml': '<html><body>contents</body></html>',
    });
    const document = await prepareOne('a.epub', epub);
    expect([document.title, document.lang, outline(document)]).toEqual([
      'Book',
      'ru',
      [
        ['001', 'First', 'one'],
        ['002', 'Second', 'two'],
      ],
    ]);
  });

  it('returns slides in order, with tables and notes', async () => {
    const shape = (text: string, type: string) =>
      `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${text
        .split('|')
        .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
        .join('')}</p:txBody></p:sp>`;
    const cell = (text: string) =>
      `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const slide = (inside: string) => `<p:sld><p:cSld><p:spTree>${inside}</p:spTree></p:cSld></p:sld>`;
    const pptx = zip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels':
        '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/><Relationship Id="r2" Target="slides/slide2.xml"/></Relationships>',
      'ppt/slides/slide1.xml': slide(
        `${shape('a|b', 'body')}${shape('Late', 'title')}${shape('7', 'sldNum')}<p:graphicFrame><a:tbl><a:tr>${cell('A')}${cell('B')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl></p:graphicFrame>`,
      ),
      'ppt/slides/slide2.xml': slide(shape('Early', 'ctrTitle') + shape('text', 'body')),
      'ppt/slides/_rels/slide2.xml.rels':
        '<Relationships><Relationship Id="r9" Type="x/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>',
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('spoken', 'body')}</p:notes>`,
    });
    expect(outline(await prepareOne('a.pptx', pptx))).toEqual([
      ['001', '', 'text\n\nspoken'],
      ['002', 'Late', '– a\n– b\n\nA | B\n1 | 2'],
    ]);
  });
});

describe('tables', () => {
  it('label each value with its column', async () => {
    const sheet =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Нуртау</t></is></c><c r="C2"><v>0.30000000000000004</v></c></row><row r="3"><c r="A3" s="1"><v>46053</v></c><c r="C3" t="b"><v>1</v></c></row>';
    const book = xlsx(
      { 'Лист 1': sheet, Two: '<row r="1"><c r="A1"><v>5</v></c></row>' },
      ['Город', 'Доля'],
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    );
    expect(await texts('a.xlsx', book)).toEqual([
      ['Лист 1', 'Город: Нуртау; Доля: 0.3\n\nГород: 2026-01-31; Доля: TRUE'],
      ['Two', '5'],
    ]);
  });

  it.each([',', ';', '\t', '|'])('may be separated by %j', async (separator) => {
    const rows = [
      ['question', 'answer'],
      ['Сколько, по-вашему?', 'Семь; или восемь.'],
    ]
      .map((row) => row.map((cell) => `"${cell}"`).join(separator))
      .join('\n');
    const { chunks, text } = await prepareOne('a.csv', rows);
    expect(chunks.map(({ question, start, end }) => [question, text.slice(start, end)])).toEqual([
      ['Сколько, по-вашему?', 'Семь; или восемь.'],
    ]);
  });

  it('become rows if they have no column names', async () => {
    expect((await prepareOne('a.csv', '1,2\n3,4\n')).text).toBe('1 | 2\n3 | 4');
  });
});

describe('plain text', () => {
  it('joins wrapped lines, and recognises centred headings and indented paragraphs', async () => {
    const source = `                       З А К О Н  О ВОДЕ И ЗЕМЛЕ

     Статья 1. Вода

     1. Вода принадлежит всем гражданам республики  и охраняется
законом, который принимает народное собрание по представлению
правительства.
     2. Каждый обязан беречь воду, землю и иные при-
родные богатства республики, не нанося вреда другим.

     Статья 2. Земля

     Земля принадлежит народу республики и не может быть продана
иностранцам.
`;
    expect(outline(await prepareOne('Закон о воде.txt', source))).toEqual([
      [
        '1',
        'Статья 1. Вода',
        'Статья 1. Вода\n\n1. Вода принадлежит всем гражданам республики и охраняется законом, который принимает народное собрание по представлению правительства.\n2. Каждый обязан беречь воду, землю и иные природные богатства республики, не нанося вреда другим.',
      ],
      [
        '2',
        'Статья 2. Земля',
        'Статья 2. Земля\n\nЗемля принадлежит народу республики и не может быть продана иностранцам.',
      ],
    ]);
  });

  it('does not start a provision where a wrapped sentence mentions one', async () => {
    const source = `Article 59. On the court of accounts

The procedure that concerns the court of accounts is laid down by law, see
Article 60.

Article 60. On amendments to the constitution and to the laws of rank
Article 61. On publication

Amendments are published in accordance with what is laid down elsewhere under
Article 12 (2) of this Constitution.
`;
    expect(outline(await prepareOne('a.txt', source)).map(([number]) => number)).toEqual(['59', '60', '61']);
  });

  it('is read as Markdown or HTML if it looks like it', async () => {
    expect(await texts('a.txt', '# A\n\ntext\n\n## B\n\n- x\n')).toEqual([
      ['', 'text'],
      ['B', '– x'],
    ]);
    expect(
      await texts('a.txt', '<!DOCTYPE html><html><body><h1>T</h1><h2>A</h2><p>text</p></body></html>'),
    ).toEqual([['A', 'text']]);
  });

  it('joins sentences that wrap across an empty line', async () => {
    const text = [
      '1. Утвердить прилагаемый порядок выдачи книг, газет и журналов,',
      '',
      'а равно нот.',
      '2. Настоящий указ вступает в силу со дня его официального опуб-',
      '',
      'ликования в газете.',
      '',
      'Настоящий указ читают вслух во всех читальных залах республики',
      'по вторникам.',
    ].join('\n');
    expect((await prepareOne('a.txt', text)).text).toBe(
      '1. Утвердить прилагаемый порядок выдачи книг, газет и журналов, а равно нот.\n2. Настоящий указ вступает в силу со дня его официального опубликования в газете.\n\nНастоящий указ читают вслух во всех читальных залах республики по вторникам.',
    );
  });

  it('writes superscript provision numbers with a hyphen, and no others', async () => {
    const text =
      'Статья 6¹. Штраф\n\n2¹. По пункту 3² статьи 6¹ и § 7¹⁰ берут с 10 м² поля.\n\n9²-бап. Айып\n\nМәтін².';
    const document = await prepareOne('a.txt', text);
    expect(document.text).toBe(
      'Статья 6-1. Штраф\n\n2-1. По пункту 3-2 статьи 6-1 и § 7-10 берут с 10 м² поля.\n\n9-2-бап. Айып\n\nМәтін².',
    );
    expect(document.chunks.map((chunk) => chunk.number)).toEqual(['6-1', '9-2']);
  });

  it('is rejected if its bytes are arbitrary', async () => {
    const all = Uint8Array.from({ length: 2048 }, (_, n) => n % 256);
    expect(await refusal('a.txt', all)).toBe('not a text file');
    expect(await refusal('a.md', all.slice(100))).toBe('not a text file');
    expect((await prepareOne('a.txt', 'Поле\0\0и ещё одно\0\0\0поле.')).text).toBe('Полеи ещё однополе.');
  });

  it.each([
    ['a.txt', '', 'empty: zero bytes'],
    ['a.txt', ' \n\n', 'empty: it contains no text'],
    ['a.xyz', 'text', 'unsupported file type .xyz'],
    ['a.constructor', 'text', 'unsupported file type .constructor'],
    ['a.txt', '\u0001\u0002\u0003\u0004\u0005\u0006', 'not a text file'],
    ['a.rtf', 'text', 'broken: not a RTF text'],
  ])('%s with the content %j is rejected: %s', async (name, content, reason) => {
    expect(await refusal(name, content)).toBe(reason);
  });

  it('is not read from videos and old Office files, which are rejected by their first bytes', async () => {
    expect(await refusal('a.md', Uint8Array.of(0x47, 0x49, 0x46, 0x38, 1, 2, 3))).toBe(
      'not a document: a picture (GIF)',
    );
    const ole = (name: string) =>
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Buffer.from(name, 'utf16le')]);
    expect(await refusal('a.doc', ole('WordDocument'))).toBe(
      'unsupported: the old binary Word (.doc) format; save it as .docx, or install LibreOffice and set DOCENT_LIBREOFFICE=on',
    );
    expect(await refusal('a.docx', ole('EncryptedPackage'))).toBe('encrypted: it needs a password');
  });
});

describe('PDF', () => {
  const line = (y: number, text: string, size = 10, x = 50): Words => ({ x, y, size, text });
  const pdf = (pages: Words[][], trailer?: string) =>
    makePdf(
      pages.map((words) => ({ words })),
      trailer,
    );

  it('joins lines, words and pages, and drops headers and page numbers', async () => {
    const page = (n: number, lines: Words[]) => [
      line(780, `The Law of Water, edition ${n}`, 8),
      ...lines,
      line(20, `${n}`, 8, 300),
    ];
    const wide = 'This line of the law is long enough to reach the right edge of all the lines here';
    const file = pdf([
      page(1, [
        line(740, 'On Water', 18),
        line(700, wide),
        line(688, 'and so it goes on with the water sup-'),
        line(676, 'ply of the republic.'),
        line(650, 'Another paragraph stands here and is quite long, so that it is carried over to the next'),
      ]),
      page(2, [
        line(740, 'page of the law.'),
        line(700, 'Article 2. Land', 10),
        line(680, 'Land is common.'),
      ]),
    ]);
    const document = await prepareOne('a.pdf', file);
    expect(document.title).toBe('On Water');
    expect(document.text).toBe(
      `On Water\n\n${wide} and so it goes on with the water supply of the republic.\n\nAnother paragraph stands here and is quite long, so that it is carried over to the next page of the law.\n\nArticle 2. Land\n\nLand is common.`,
    );
    expect(document.chunks.map((chunk) => chunk.chunk_index)).toEqual(['001', '2']);
  });

  it('does not start a provision where a wrapped sentence mentions one', async () => {
    const file = pdf([
      [
        line(740, 'Article 59. On the court of accounts'),
        line(720, 'The procedure that concerns the court of accounts is laid down by the law, see'),
        line(708, 'Article 60.'),
        line(680, 'Article 60. On amendments to the constitution and on other laws of some rank'),
        line(668, 'Article 61. On publication'),
        line(648, 'Amendments are published in accordance with what is laid down elsewhere under'),
        line(636, 'Article 12 (2) of this Constitution.'),
      ],
    ]);
    const { chunks } = await prepareOne('a.pdf', file);
    expect(chunks.map((chunk) => chunk.chunk_index)).toEqual(['59', '60', '61']);
  });

  it('keeps the lines of code, which is fixed-pitch text among other text', async () => {
    const full =
      'Install the tool with the package manager of the system that the machine was set up with, thus:';
    const coded =
      (font: Words['font']) =>
      (y: number, text: string, x = 60) => ({ ...line(y, text, 9, x), font });
    const code = coded('code');
    const text = [
      line(740, full),
      line(
        640,
        'Then say what it is to do in a file, and be sure to give every field of it, as it is done here in',
      ),
      code(628, 'config.yaml', 50),
      line(616, 'and nowhere else.'),
    ];
    // Painted after all the text, as boxes are.
    const boxes = [
      code(720, 'apt-get install jq'),
      code(708, 'yum install epel-release -y'),
      code(696, 'yum install jq -y'),
      code(670, 'jq --version'),
      code(600, 'paths:'),
      code(588, '- name:', 60 + 2 * 5.418),
      code(588, 'logs', 60 + 12 * 5.418),
      code(576, '}'),
    ];
    const document = await prepareOne('a.pdf', pdf([[...text, ...boxes], [code(780, '}')]]));
    expect(document.text).toBe(
      [
        full,
        '\tapt-get install jq\n\tyum install epel-release -y\n\tyum install jq -y\n\t\n\tjq --version',
        `${text[1]?.text} config.yaml and nowhere else.`,
        '\tpaths:\n\t  - name:   logs\n\t}\n\t}',
      ].join('\n\n'),
    );

    const known = await prepareOne('a.pdf', pdf([[line(740, full), coded('courier')(720, 'jq .')]]));
    expect(known.text).toBe(`${full}\n\n\tjq .`);
  });

  it('reads a typewritten document as text', async () => {
    const typed = (y: number, text: string): Words => ({ ...line(y, text), font: 'courier' });
    const document = await prepareOne(
      'a.pdf',
      pdf([
        [
          line(760, 'Memo', 14),
          typed(740, 'The harbour is open to every vessel that has paid its'),
          typed(728, 'fee, and to those that are in need of shelter when'),
          typed(716, 'the wind is strong.'),
        ],
      ]),
    );
    expect(document.text).toContain(
      'that has paid its fee, and to those that are in need of shelter when the wind',
    );
  });

  it('indents nested list items by their position', async () => {
    const file = pdf([
      [
        line(700, 'To leave for a while and to come back in good order, everyone in the house has to:'),
        line(688, '1. Say so.', 10, 60),
        line(676, '1. By letter.', 10, 80),
        line(664, '2. By phone.', 10, 80),
        line(652, '2. Go.', 10, 60),
      ],
    ]);
    expect((await prepareOne('a.pdf', file)).text).toMatch(
      /:\n1\. Say so\.\n {2}1\. By letter\.\n {2}2\. By phone\.\n2\. Go\.$/,
    );
  });

  it('reads columns where gaps align, and spaces in justified text', async () => {
    const at = (y: number, ...words: [number, string][]) => words.map(([x, text]) => line(y, text, 10, x));
    const file = pdf([
      [
        ...at(700, [50, 'The'], [110, 'council'], [190, 'sits']),
        ...at(688, [50, 'in'], [98, 'May'], [170, 'only,'], [196, 'or']),
        ...at(676, [50, 'later.']),
        ...at(640, [50, 'Kind'], [130, 'Days'], [190, 'Fee']),
        ...at(628, [50, 'Quick service'], [130, '5'], [187, '40']),
        ...at(616, [50, 'Plain'], [130, '30'], [192, '4']),
        ...at(580, [50, '1.'], [80, 'One.']),
        ...at(568, [50, '2.'], [80, 'Two.']),
      ],
    ]);
    expect((await prepareOne('a.pdf', file)).text).toBe(
      'The council sits in May only, or later.\n\nKind | Days | Fee\nQuick service | 5 | 40\nPlain | 30 | 4\n\n1. One.\n2. Two.',
    );
  });

  it('is rejected with a reason', async () => {
    expect(await refusal('a.pdf', pdf([[], []]))).toBe('empty: its pages are blank');
    expect(await refusal('a.pdf', 'broken')).toBe('broken: not a PDF');
    expect(await refusal('a.pdf', '%PDF-1.4\n1 0 obj\n<< /Ty')).toBe('broken: not a readable PDF');
    const garbled = Array.from({ length: 12 }, (_, n) =>
      line(700 - n * 12, 'KlZlvy_ jZagh]h ih^ex iZeZl_ hlgZqZlby kh]eZkgh khx[m'),
    );
    expect(await refusal('a.pdf', pdf([garbled]))).toBe('the text layer has no mapping to Unicode');
    const locked =
      '/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <0000000000000000000000000000000000000000000000000000000000000000> /U <1111111111111111111111111111111111111111111111111111111111111111> >> /ID [<00> <00>]';
    expect(await refusal('a.pdf', pdf([[line(700, 'secret')]], locked))).toBe(
      'encrypted: it needs a password',
    );
    const loop = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>',
      '<< /Type /Pages /Kids [2 0 R] /Parent 2 0 R /Count 1 >>',
    ]);
    expect(await refusal('a.pdf', loop)).toBe('broken: no page can be read');
  });
});
