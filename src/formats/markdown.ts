/**
 * Converts Markdown (GFM) to blocks. Tables and lists in raw HTML are parsed; from any other HTML only the text is
 * used, and comments are dropped. Site directives are resolved first. AsciiDoc tables, which some documentation sites
 * accept in Markdown, are also supported.
 */

import MarkdownIt, { type StateBlock, type StateInline, type Token } from 'markdown-it';
import { alphabet, classOf } from '../language/index.ts';
import {
  type Block,
  type ParsedDocument,
  textOfBlock,
  tidyLine,
  tidyLines,
  tidyParagraph,
} from './blocks.ts';
import { cutEnd, resolveDirectives } from './directives.ts';
import { cutFrontMatter } from './front-matter.ts';
import { parseHtml } from './html.ts';
import { readPoint, readProvision } from './provisions.ts';
import { type Look, OpenDocument, type Paragraph, Runs } from './runs.ts';
import { tableBlocks } from './tables.ts';

const parser = new MarkdownIt({ html: true }).use(footnotes).use(codeOfLines).use(cellTables);

/** `base` is the document's address for relative links, used if its front matter does not state one. */
export function parseMarkdown(text: string, base: string | null = null): ParsedDocument {
  const { hints, body } = cutFrontMatter(text);
  const source = joinTables(resolveDirectives(body.replace(/<!--[\s\S]*?(?:-->|$)/g, '')));
  const address = hints.url ?? hints.source_url ?? base;
  const reader = new TokenReader(parser.parse(source, {}), source.split('\n'), address);
  reader.readBlocks(0);
  return { ...reader.document.finish(null), hints };
}

/** Reads the parser's tokens sequentially. Content is enclosed by opening and closing tokens. */
class TokenReader {
  readonly document = new OpenDocument();
  readonly #tokens: readonly Token[];
  readonly #lines: readonly string[];
  #at = 0;
  readonly #base: string | null;

  /** `lines` are the source lines; `base` is the same as in parseMarkdown. */
  constructor(tokens: readonly Token[], lines: readonly string[], base: string | null) {
    this.#tokens = tokens;
    this.#lines = lines;
    this.#base = base;
  }

  /** Reads until the current container closes. `depth` is the number of enclosing lists. */
  readBlocks(depth: number): void {
    for (let token = this.#next(); token !== null && token.nesting >= 0; token = this.#next()) {
      if (token.type === 'heading_open') {
        const text = tidyLine(this.#inline().text).replace(/ ?\{#[\w-]+\}$/, '');
        this.#push({ kind: 'heading', level: Number(token.tag.slice(1)), text });
      } else if (token.type === 'paragraph_open' && token.meta?.note)
        this.document.blocks.push({ kind: 'note', mark: token.meta.note, text: this.#inline().text });
      else if (token.type === 'paragraph_open') this.#paragraph(this.#inline());
      else if (token.type === 'fence' || token.type === 'code_block')
        this.#push({ kind: 'code', text: tidyLines(token.content) });
      else if (token.type === 'html_block') this.#html(token.content);
      else if (token.type === 'bullet_list_open') this.#list(null, depth);
      else if (token.type === 'ordered_list_open') this.#list(Number(token.attrGet('start') ?? 1), depth);
      else if (token.type === 'table_open') this.#table();
      else if (token.type === 'cell_table') this.#cellTable(token.meta);
      else if (token.nesting > 0) this.readBlocks(depth);
    }
  }

  #html(content: string): void {
    const hidden = hiddenTag.exec(content.trimStart())?.[1];
    if (hidden !== undefined && !endOf(hidden).test(content)) this.#skip(hidden);
    else if (
      /<(?:table|ul|ol|dl|del|s|strike|a)\b|<[a-z][^>]*\s(?:hidden|style|aria-hidden)\b/i.test(content)
    ) {
      const { blocks, left = [] } = parseHtml(content, this.#base);
      this.document.blocks.push(...blocks);
      this.document.left.push(...left);
    } else this.#push({ kind: 'paragraph', text: tidyParagraph(stripTags(content)) });
  }

  /** Skips to the end of a hidden element. */
  #skip(name: string): void {
    let text = '';
    for (let token = this.#next(); token !== null; token = this.#next()) {
      if (token.type === 'html_block' && endOf(name).test(token.content)) break;
      text += ` ${token.content}`;
    }
    this.document.leaveOut(text);
  }

  #next(): Token | null {
    return this.#tokens[this.#at++] ?? null;
  }

  /** Reads the text of a heading, paragraph or cell, and its bold opening words. Includes its closing token. */
  #inline(): Paragraph {
    const runs = new Runs(this.#base);
    for (let token = this.#next(); token !== null && token.nesting >= 0; token = this.#next())
      readInline(token.children ?? [], runs);
    this.document.leaveOut(runs.hidden);
    return runs.take();
  }

  #paragraph(read: Paragraph): void {
    const end = cutEnd.exec(read.text);
    if (end) this.document.blocks.push({ kind: 'end', level: Number(end[1]) });
    else this.#push({ kind: 'paragraph', ...read });
  }

  /** `start` is the number of the first item; null for bullets. */
  #list(start: number | null, depth: number): void {
    let n = start;
    for (let item = this.#next(); item !== null && item.nesting > 0; item = this.#next()) {
      const marker = n === null ? '–' : `${n++}${item.markup}`;
      if (this.#tokens[this.#at]?.type === 'paragraph_open') {
        this.#at++;
        const read = this.#inline();
        this.#push({ kind: 'item', marker, depth, ...read, text: read.text.replace(/^\[[ x]\]\s+/i, '') });
      }
      this.readBlocks(depth + 1);
    }
  }

  #table(): void {
    const rows: string[][] = [];
    let line = '';
    for (let token = this.#next(); token !== null && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') {
        line = this.#lines[token.map?.[0] ?? -1] ?? '';
        rows.push([]);
      } else if (token.type === 'tr_close') rows.at(-1)!.push(...cellsBeyond(line, rows, this.#base));
      else if (token.type === 'th_open' || token.type === 'td_open')
        rows.at(-1)!.push(tidyLine(this.#inline().text));
    }
    // A GFM table always has a header row. If it is blank, the columns have no names.
    const cells = rows.map((row) => row.map((text) => ({ text })));
    this.document.blocks.push(...tableBlocks(cells, cells[0]?.some(({ text }) => text !== '') ? 1 : null));
  }

  #cellTable({ cells, columns, header }: CellTable): void {
    const texts = cells.map((cell) => {
      const reader = new TokenReader(parser.parse(cell, {}), cell.split('\n'), this.#base);
      reader.readBlocks(0);
      return tidyLine(
        reader.document.blocks
          .map((block) => (block.kind === 'item' ? textOfBlock(block) : 'text' in block ? block.text : ''))
          .join(' '),
      );
    });
    const rows = Array.from({ length: Math.ceil(texts.length / columns) }, (_, n) =>
      texts.slice(n * columns, (n + 1) * columns).map((text) => ({ text })),
    );
    this.document.blocks.push(...tableBlocks(rows, header ? 1 : null));
  }

  #push(block: Extract<Block, { text: string }>): void {
    if (block.text !== '') this.document.blocks.push(block);
  }
}

/** Reads cells beyond the last column. A browser would not show them, but they contain text. */
function cellsBeyond(line: string, rows: readonly string[][], base: string | null): string[] {
  const columns = rows[0]!.length;
  if (rows.length < 2) return [];
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells.slice(columns).map((cell) => {
    const runs = new Runs(base);
    readInline(parser.parseInline(cell, {})[0]?.children ?? [], runs);
    return tidyLine(runs.text);
  });
}

interface Inline {
  look: Partial<Look>;
  address: string | null;
}

/** The formatting inside a raw HTML element; null if the element does not change it. */
function inlineOf(tag: string, { look, address }: Inline): Inline | null {
  if (/^<(?:del|s|strike)\b/i.test(tag)) return { look: { ...look, struck: true }, address };
  if (hiddenTag.test(tag)) return { look: { ...look, hidden: true }, address };
  const found = /^<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
  return found && { look, address: found[1] ?? found[2]! };
}

/** The end tag of a raw HTML element. */
const endOf = (name: string): RegExp => new RegExp(`</${name}\\s*>`, 'i');

/** A permanently hidden element. */
const hiddenTag =
  /^<(\w+)\b[^>]*?\s(?:hidden\b(?!\s*=\s*["']?until-found)|aria-hidden\s*=\s*["']?true|style\s*=\s*["'][^"'>]*(?:display\s*:\s*none|visibility\s*:\s*hidden))/i;

/** Adds the text of a paragraph to its runs. */
function readInline(tokens: readonly Token[], runs: Runs): void {
  let strong = 0;
  /** The open links and similar elements, from the outside in; the first entry is the paragraph. */
  const open: (Inline & { tag: string })[] = [{ tag: '', look: {}, address: null }];
  const begin = (tag: string, inside: Inline) => open.push({ ...inside, tag });
  const end = () => open.length > 1 && open.pop();
  for (const [n, token] of tokens.entries()) {
    const { type, content } = token;
    const around = open.at(-1)!;
    if (type === 'strong_open') strong++;
    else if (type === 'strong_close') strong--;
    else if (type === 's_open') begin('s', { ...around, look: { ...around.look, struck: true } });
    else if (type === 'link_open') begin('link', { ...around, address: token.attrGet('href') });
    else if (type === 's_close' || type === 'link_close') end();
    else if (type === 'html_inline') {
      const inside = inlineOf(content, around);
      const tag = /^<\/?(\w+)/.exec(content)?.[1]?.toLowerCase() ?? '';
      if (inside) begin(tag, inside);
      else if (content.startsWith('</') && around.tag === tag) end();
    }
    const piece =
      type === 'text' || type === 'text_special' || type === 'code_inline'
        ? content
        : type === 'hardbreak' || (type === 'softbreak' && isLineEnd(runs.text, tokens[n + 1]))
          ? '\n'
          : type === 'softbreak'
            ? ' '
            : type === 'html_inline'
              ? stripTags(content)
              : '';
    const { look, address } = open.at(-1)!;
    runs.add(piece, { ...look, bold: strong > 0 }, address);
  }
}

/**
 * Whether to keep a line break that Markdown would turn into a space: after a colon, and before multi-line code or a point
 * or provision number.
 */
function isLineEnd(before: string, after: Token | undefined): boolean {
  if (before.endsWith(':') || (after?.type === 'code_inline' && after.content.includes('\n'))) return true;
  const line = after?.type === 'text' ? after.content.trimStart() : '';
  return readPoint(line) !== null || readProvision(line) !== null || letteredPoint.test(line);
}

const letteredPoint = new RegExp(`^\\(?${classOf(alphabet)}\\)\\s`, 'u');

/**
 * Puts each raw HTML table on one line, because an empty line would end the table and indented lines would become code.
 */
function joinTables(markdown: string): string {
  if (!/<table\b/i.test(markdown)) return markdown;
  const out: string[] = [];
  let table: string[] | null = null;
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (table === null && /^\s*(?:`{3}|~{3})/.test(line)) fenced = !fenced;
    if (table === null && !fenced && /^\s*<table\b/i.test(line)) table = [];
    if (table === null) {
      out.push(line);
      continue;
    }
    table.push(line.trim());
    if (!/<\/table\s*>/i.test(line)) continue;
    out.push('', table.join(' '), '');
    table = null;
  }
  // An unclosed table is left unchanged.
  return [...out, ...(table ?? [])].join('\n');
}

const footnoteMark = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*/;

/** Processes GFM footnotes: notes stay in place, and references become "[label]". */
function footnotes(markdown: MarkdownIt): void {
  const lineAt = ({ src, bMarks, eMarks }: StateBlock, line: number) => src.slice(bMarks[line], eMarks[line]);
  const block = (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
    const first = lineAt(state, start);
    const mark =
      state.parentType === 'root' || state.parentType === 'blockquote' ? footnoteMark.exec(first) : null;
    if (mark === null) return false;
    if (silent) return true;
    const lines = [first.slice(mark[0].length)];
    let line = start + 1;
    // Subsequent lines of the note are indented or continue its first paragraph.
    for (; line < end; line++) {
      const text = lineAt(state, line);
      const indented =
        /^(?: {4}|\t)/.test(text) || (text.trim() === '' && /^(?: {4}|\t)/.test(lineAt(state, line + 1)));
      const goesOn = lineAt(state, line - 1).trim() !== '' && text.trim() !== '' && !footnoteMark.test(text);
      if (!indented && !goesOn) break;
      lines.push(text.trim());
    }
    state.line = line;
    state.env.footnotes ??= new Set<string>();
    state.env.footnotes.add(mark[1]);
    const open = state.push('paragraph_open', 'p', 1);
    open.map = [start, line];
    open.meta = { note: mark[1] };
    const inline = state.push('inline', '', 0);
    inline.content = lines.join(' ').trim();
    inline.children = [];
    state.push('paragraph_close', 'p', -1);
    return true;
  };
  const reference = (state: StateInline, silent: boolean): boolean => {
    const label = /^\[\^([^\]\s]+)\]/.exec(state.src.slice(state.pos, state.pos + 100))?.[1];
    if (label === undefined || !state.env.footnotes?.has(label)) return false;
    if (!silent) state.push('text', '', 0).content = ` [${label}]`;
    state.pos += label.length + 3;
    return true;
  };
  markdown.block.ruler.before('reference', 'footnote', block, { alt: ['paragraph', 'reference'] });
  markdown.inline.ruler.before('link', 'footnote_reference', reference);
}

interface CellTable {
  /** The Markdown of each cell. */
  cells: string[];
  columns: number;
  /** Whether the first row contains the column names. */
  header: boolean;
}

const tableEdge = /^\|={3,}\s*$/;

/** Parses AsciiDoc tables: between two "|===" lines, each bar starts a cell. */
function cellTables(markdown: MarkdownIt): void {
  markdown.block.ruler.before(
    'fence',
    'cell_table',
    (state, start, end, silent) => {
      const lineAt = (line: number) =>
        state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      const options = /^\[.*\]\s*$/.test(lineAt(start)) ? lineAt(start) : '';
      const open = options === '' ? start : start + 1;
      if (open >= end || !tableEdge.test(lineAt(open))) return false;
      let close = open + 1;
      while (close < end && !tableEdge.test(lineAt(close))) close++;
      if (close >= end) return false;
      if (silent) return true;
      const lines = Array.from({ length: close - open - 1 }, (_, n) => lineAt(open + 1 + n));
      const cellsOf = (text: string) => text.split(/(?<![^\s])\|/).slice(1);
      const named = /cols="?([^\]"]*)/.exec(options)?.[1];
      const times = Number(/^(\d{1,2})\*/.exec(named ?? '')?.[1] ?? 0);
      const first = lines.find((line) => line.trim() !== '') ?? '';
      const columns = times || named?.split(',').length || Math.max(1, cellsOf(first).length);
      const header =
        /header/.test(options) || (options === '' && lines[lines.indexOf(first) + 1]?.trim() === '');
      const table: CellTable = { cells: cellsOf(lines.join('\n')), columns, header };
      state.line = close + 1;
      const token = state.push('cell_table', '', 0);
      token.map = [start, state.line];
      token.meta = table;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}

/** Preserves line breaks in a code span that covers several lines, because an over-indented fence is parsed as one. */
function codeOfLines(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('backticks', 'code_of_lines', (state, silent) => {
    const { src, pos, posMax } = state;
    if (src.charCodeAt(pos) !== 96) return false;
    let start = pos;
    while (src.charCodeAt(start) === 96) start++;
    const fence = src.slice(pos, start);
    let end = src.indexOf(fence, start);
    // A longer run of backticks does not end the span.
    while (end >= 0 && src.charCodeAt(end + fence.length) === 96) {
      while (src.charCodeAt(end) === 96) end++;
      end = src.indexOf(fence, end);
    }
    if (end < 0 || end + fence.length > posMax) return false;
    const content = src.slice(start, end);
    if (!content.includes('\n')) return false;
    if (!silent) state.push('code_inline', 'code', 0).content = content.replace(/^ (.*) $/s, '$1');
    state.pos = end + fence.length;
    return true;
  });
}

/** The text in a piece of raw HTML, without scripts, styles or comments. */
function stripTags(html: string): string {
  const shown = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<br\s*\/?>/gi, '\n');
  // No tag ends after the last ">"; searching for one from every "<" would take quadratic time.
  const end = shown.lastIndexOf('>') + 1;
  return (shown.slice(0, end).replace(/<\/?[a-z][^>]*>/gi, '') + shown.slice(end))
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}
