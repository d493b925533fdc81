/**
 * PDF → blocks, from the positions of its text: lines are put together from their pieces, running headers, footers
 * and page numbers dropped, hyphenated words joined, larger short lines taken for headings. A wide gap parts columns
 * where it stands below or above another at the same place; in justified text it is a blank.
 *
 * Code is what is set in a fixed-pitch font beside text that is not: its lines keep their ends and their indentation.
 * The font's name and flags often say nothing of its pitch, so that the widths of its pieces are compared.
 *
 * A text layer without a mapping to Unicode yields letters at random: it is recognised by control characters and
 * by words no language writes, and refused rather than indexed.
 */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { alphabet, anyOf, classOf, phrasesOfAll, wordsOfAll } from '../../text/languages/index.ts';
import {
  type Block,
  isContentsLine,
  joinWrapped,
  type ParsedDocument,
  Refusal,
  tidyLine,
  tidyLines,
  tidyText,
  vocabularyOf,
} from '../blocks.ts';
import { readPoint, readProvision, stopsWithinSentence } from '../provisions.ts';

const letter = classOf(alphabet);
/** A bullet or number apart from its text. */
const marker = new RegExp(`^(?:[•●▪◦○■□➢✓\\uf0a7\\uf0d8–—\\-·\\uf0b7]|\\d{1,3}[.)]|${letter}[.)])$`, 'iu');
const letteredItem = new RegExp(`^(?:[-–—]|\\(?${letter}\\))\\s`, 'u');
const pageWord = anyOf(...phrasesOfAll((pack) => pack.documents.page));
const pageNumber = new RegExp(
  `^(?:[-–—|]\\s*)?(?:${pageWord}\\s*)?#(?:\\s*(?:/|${anyOf(...wordsOfAll((pack) => pack.documents.pageOf))})\\s*#)?(?:\\s*(?:[-–—|]|${pageWord}))?$`,
  'u',
);

/** Bullets as fonts of symbols and of text give them. */
const bullet = /^[•●▪◦○■□➢✓\uf0a7\uf0b7\uf0d8]\s*/;

/** Words of a line up to a gap that may part columns. */
interface Segment {
  text: string;
  x: number;
  right: number;
}

interface Line {
  text: string;
  segments: Segment[];
  /** The text by columns; one where there are none. */
  cells: string[];
  /** The font all of it is set in; null where there are several. */
  font: string | null;
  page: number;
  x: number;
  right: number;
  /** Distance from the lower edge, in points. */
  y: number;
  size: number;
  /** Width of a letter where all of the line is set in fixed pitch. */
  pitch: number | null;
}

/** A piece of text with one font, as the reader gives it; `text` may be blank. */
interface Piece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Height of the letters, in points. */
  size: number;
  font: string;
  endsLine: boolean;
}

/** What of a page's text content is looked at. */
interface TextContent {
  items: (
    | { str: string; transform: number[]; width: number; height: number; fontName: string; hasEOL: boolean }
    | { type: string }
  )[];
  styles: Record<string, { fontFamily: string }>;
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  let pdf: Pdf;
  try {
    // A copy: the reader takes the buffer over.
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new Refusal(
      name === 'PasswordException' ? 'encrypted: it needs a password' : 'broken: not a readable PDF',
    );
  }
  const pages = new Map<number, Piece[]>();
  const declared = new Set<string>();
  for (let page = 1; page <= pdf.numPages; page++) {
    // What can be read of a damaged file is.
    const pieces = await readPage(pdf, page, declared).catch(() => null);
    if (pieces !== null) pages.set(page, pieces);
  }
  if (pages.size === 0) throw new Refusal('broken: no page can be read');
  const pitches = codePitches([...pages.values()].flat(), declared);
  const lines = [...pages].flatMap(([page, pieces]) =>
    reorderCode(joinMarkers(withCells(linesOf(pieces, page, pitches)))),
  );
  const text = lines.map((line) => line.text).join('\n');
  if ((text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3)
    throw new Refusal(
      (await showsAnything(pdf))
        ? 'no text layer: pages are pictures; recognise their text (OCR) first'
        : 'empty: its pages are blank',
    );
  if (isGarbage(text)) throw new Refusal('the text layer has no mapping to Unicode');
  const kept = dropFurniture(lines, pdf.numPages);
  const info: unknown = (await pdf.getMetadata().catch(() => null))?.info;
  return { title: titleOf(info), blocks: toBlocks(kept), hints: {} };
}

/** Titles that writers fill in by themselves (a file's name) are no titles. */
function titleOf(info: unknown): string | null {
  if (typeof info !== 'object' || info === null || !('Title' in info) || typeof info.Title !== 'string')
    return null;
  const title = tidyLine(info.Title);
  return title.includes(' ') && !/\.\w{2,4}$|^microsoft word/i.test(title) ? title : null;
}

/** Pages looked at for pictures. */
const picturePages = 20;

/** Whether one of the first pages draws something: a picture, or shapes (letters as outlines). */
async function showsAnything(pdf: Pdf): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const draws: ReadonlySet<number> = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintFormXObjectBegin,
    OPS.constructPath,
    OPS.shadingFill,
  ]);
  for (let page = 1; page <= Math.min(pdf.numPages, picturePages); page++) {
    // What cannot be drawn is there all the same.
    const list = await (await pdf.getPage(page)).getOperatorList().catch(() => null);
    if (list === null || list.fnArray.some((operation: number) => draws.has(operation))) return true;
  }
  return false;
}

/** The pieces of a page; fonts that say they are of fixed pitch are added to `declared`. */
async function readPage(pdf: Pdf, number: number, declared: Set<string>): Promise<Piece[]> {
  const page = await pdf.getPage(number);
  const { items, styles }: TextContent = await page.getTextContent();
  for (const [font, { fontFamily }] of Object.entries(styles))
    if (fontFamily === 'monospace') declared.add(font);
  page.cleanup();
  return items.flatMap((item) =>
    'str' in item
      ? {
          text: item.str,
          x: Number(item.transform[4]),
          y: Number(item.transform[5]),
          width: item.width,
          size: item.height || Math.abs(Number(item.transform[3])) || 10,
          font: item.fontName,
          endsLine: item.hasEOL,
        }
      : [],
  );
}

/** Pieces by which a font is known for one of fixed pitch: so many different ones of the same width a letter. */
const piecesMeasured = 3;
/** How far widths of the same pitch differ, of a letter's. */
const pitchTolerance = 0.002;
/** Wider letters, of their height, are signs of Chinese or the like: they are all of a width, and no code. */
const pitchMax = 0.75;
/** Where more of the letters are of fixed pitch, the document is typewritten. */
const codeShareMax = 0.9;

/** Fonts that code is set in, each with the width of a letter of size 1. */
function codePitches(pieces: readonly Piece[], declared: ReadonlySet<string>): ReadonlyMap<string, number> {
  const widths = new Map<string, Map<string, number>>();
  let letters = 0;
  for (const { text, width, size, font } of pieces) {
    letters += text.trim().length;
    // Digits are of one width in most fonts.
    if (!/\p{L}.*\p{L}/u.test(text)) continue;
    const own = widths.get(font) ?? new Map();
    widths.set(font, own.set(text, width / text.length / size));
  }
  const pitches = new Map<string, number>();
  const uniform = new Map<string, { pitch: number; measured: number }>();
  for (const [font, of] of widths) {
    const [low, high] = [Math.min(...of.values()), Math.max(...of.values())];
    if (high - low <= high * pitchTolerance && high <= pitchMax)
      uniform.set(font, { pitch: high, measured: of.size });
  }
  for (const [font, { pitch, measured }] of uniform)
    if (declared.has(font) || measured >= piecesMeasured) pitches.set(font, pitch);
  // The bold cut of a font is as wide, and may come too seldom to be measured.
  for (const [font, { pitch }] of uniform)
    if ([...pitches.values()].some((known) => Math.abs(known - pitch) <= known * pitchTolerance))
      pitches.set(font, pitch);
  const coded = pieces.reduce((sum, { text, font }) => sum + (pitches.has(font) ? text.trim().length : 0), 0);
  return coded > letters * codeShareMax ? new Map() : pitches;
}

function linesOf(pieces: readonly Piece[], page: number, pitches: ReadonlyMap<string, number>): Line[] {
  const lines: Line[] = [];
  let line: Line | null = null;
  let gap = false;
  for (const { text, x, y, width, size, font, endsLine } of pieces) {
    if (text.trim() === '') {
      gap ||= text !== '';
      if (endsLine) line = null;
      continue;
    }
    if (line !== null && (Math.abs(line.y - y) > Math.max(2, size * 0.45) || x < line.right - size * 2))
      line = null;
    const pitch = pitches.has(font) ? (pitches.get(font) ?? 0) * size : null;
    const right = x + width;
    if (line === null) {
      line = { text, segments: [{ text, x, right }], cells: [], font, page, x, right, y, size, pitch };
      lines.push(line);
    } else {
      const space = x - line.right;
      const last = line.segments.at(-1)!;
      if (line.pitch !== null && pitch !== null)
        last.text += ' '.repeat(Math.max(0, Math.round(space / pitch))) + text;
      else if (space > size * gapMin) line.segments.push({ text, x, right });
      else last.text += (gap || space > size * 0.2 ? ' ' : '') + text;
      line.segments.at(-1)!.right = right;
      line.right = right;
      if (line.font !== font) line.font = null;
      line.size = Math.max(line.size, size);
      if (pitch === null) line.pitch = null;
    }
    gap = false;
    if (endsLine) line = null;
  }
  return lines;
}

/** Lines of a page with their columns. */
function withCells(lines: readonly Line[]): readonly Line[] {
  for (const [n, line] of lines.entries()) {
    const near = lines
      .slice(Math.max(0, n - linesNear), n + linesNear + 1)
      .filter((other) => other !== line && Math.abs(other.y - line.y) < line.size * linesNear * 2);
    line.cells = cellsOf(line, near);
    line.text = line.cells.join(' ');
  }
  return lines;
}

/** Gaps below this many times the size of the letters part words. */
const gapMin = 0.9;
/** From this on columns need not begin at the same place, but may have the same middle or end. */
const gapWide = 2;
/** Lines above and below among which a column has to go on. */
const linesNear = 4;

/** The segments of a line with those joined that no column parts. */
function cellsOf({ segments, size, x: left }: Line, near: readonly Line[]): string[] {
  const segmentsNear = near.flatMap((line) =>
    line.segments.filter((segment, n) => n > 0 || segment.x > left + size * gapWide),
  );
  const apart = segments.map((segment, n) => {
    // A bullet, or the number of a point, is no column of its own.
    if (n === 0 || (n === 1 && segments.length === 2 && marker.test(segments[0]!.text.trim()))) return false;
    const wide = segment.x - segments[n - 1]!.right > size * gapWide;
    const meets = (a: number, b: number) => Math.abs(a - b) < size * 0.15;
    return segmentsNear.some(
      (other) =>
        meets(other.x, segment.x) ||
        (wide && meets(other.x + other.right, segment.x + segment.right)) ||
        // In justified text every line ends where the others do; numbers below each other are a column.
        (wide && meets(other.right, segment.right) && /\d/.test(other.text) && /\d/.test(segment.text)),
    );
  });
  // Gaps between all words alike are those of justified text, unless each is a column's.
  const words = segments.every(({ text }) => !text.includes(' '));
  const columns = !words || apart.slice(1).every(Boolean);
  const cells: string[] = [];
  for (const [n, { text }] of segments.entries()) {
    if (n > 0 && !(columns && apart[n])) cells.push(`${cells.pop()} ${text}`);
    else cells.push(text);
  }
  return cells;
}

/** Bullets and numbers set apart from their text, wherever in the page's stream they come. */
function joinMarkers(lines: readonly Line[]): Line[] {
  const isMarker = (line: Line) => line.pitch === null && marker.test(line.text.trim());
  const out = lines.filter((line) => !isMarker(line));
  for (const line of lines) {
    if (!isMarker(line)) continue;
    const owner = out.find(
      (other) =>
        Math.abs(other.y - line.y) < Math.max(3, other.size * 0.4) &&
        other.x >= line.right - 2 &&
        other.x - line.right < 60,
    );
    if (!owner) continue;
    const mark = /[\p{L}\p{N}]/u.test(line.text) ? line.text.trim() : '•';
    owner.text = `${mark} ${owner.text}`;
    owner.cells[0] = `${mark} ${owner.cells[0]}`;
    owner.pitch = null;
  }
  return out;
}

/** Lines of a page with those of code where they are seen: many writers paint boxes after all the text around them. */
function reorderCode(lines: readonly Line[]): Line[] {
  const text = lines.filter(({ pitch }) => pitch === null);
  /** By the line of text that code stands below; null: above all. */
  const below = new Map<Line | null, Line[]>();
  for (const run of codeRuns(lines)) {
    const left = Math.min(...run.map(({ x }) => x));
    const right = Math.max(...run.map((line) => line.right));
    const column = text.filter((line) => line.x < right && left < line.right);
    for (const line of run) {
      let nearest: Line | null = null;
      for (const other of column)
        if (other.y > line.y && (nearest === null || other.y <= nearest.y)) nearest = other;
      const those = below.get(nearest);
      if (those === undefined) below.set(nearest, [line]);
      else those.push(line);
    }
  }
  return [null, ...text].flatMap((line) => [...(line === null ? [] : [line]), ...(below.get(line) ?? [])]);
}

/** Lines of code that follow each other in the stream of a page. */
function codeRuns(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  for (const [n, line] of lines.entries()) {
    if (line.pitch === null) continue;
    if (n > 0 && lines[n - 1]?.pitch !== null) runs.at(-1)?.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** Whether most words are of a kind no language has: control characters, signs or capitals inside words. */
function isGarbage(text: string): boolean {
  const signs = text.replace(/\s/g, '');
  const broken = signs.match(/[\p{Cc}\p{Co}\ufffd]/gu)?.length ?? 0;
  if (broken > signs.length * 0.05) return true;
  const words = tidyText(text)
    .split(/\s+/)
    .filter((word) => word.length >= 4 && /\p{L}/u.test(word));
  const odd = words.filter(
    (word) => /\p{L}[[\]\\^_`{}|~@<>=;]+\p{L}/u.test(word) || /\p{Ll}\p{Lu}\p{Ll}/u.test(word),
  ).length;
  return words.length >= 20 && odd > words.length * 0.4;
}

/** Without what repeats at the edges of pages, and without page numbers. Code may end on each page with a brace. */
function dropFurniture(lines: readonly Line[], pages: number): Line[] {
  const edges = new Map<Line, string>();
  const seen = new Map<string, Set<number>>();
  for (let page = 1; page <= pages; page++) {
    const own = lines.filter((line) => line.page === page).sort((a, b) => b.y - a.y);
    for (const line of new Set([...own.slice(0, 2), ...own.slice(-2)])) {
      if (line.pitch !== null) continue;
      const key = tidyLine(line.text).replace(/\d+/g, '#').toLowerCase();
      edges.set(line, key);
      seen.set(key, (seen.get(key) ?? new Set()).add(page));
    }
  }
  return lines.filter((line) => {
    const key = edges.get(line);
    if (key === undefined) return true;
    if (pageNumber.test(key)) return false;
    return pages < 2 || (seen.get(key)?.size ?? 0) < Math.max(2, Math.ceil(pages * 0.5));
  });
}

function toBlocks(lines: readonly Line[]): Block[] {
  const body = bodySize(lines.filter(({ pitch }) => pitch === null));
  const sizes = [
    ...new Set(lines.filter((line) => isLarge(line, body)).map((line) => Math.round(line.size))),
  ].sort((a, b) => b - a);
  const vocabulary = vocabularyOf(lines.map((line) => line.text));
  const blocks: Block[] = [];
  const rights = new Map<number, number>();
  for (const line of lines) rights.set(line.page, Math.max(rights.get(line.page) ?? 0, line.right));
  const font = commonest(lines, (line) => line.font);
  const lists = new ListDepths();
  let paragraph: Paragraph | null = null;
  let code: Line[] = [];
  const flush = () => {
    if (code.length > 0) blocks.push({ kind: 'code', text: codeText(code) });
    code = [];
    if (paragraph) {
      const { first } = paragraph;
      const level = isLarge(first, body) ? Math.min(6, sizes.indexOf(Math.round(first.size)) + 1) : null;
      push(blocks, paragraph, level, first.font !== null && first.font !== font, lists.of(first));
    }
    paragraph = null;
  };
  for (const line of lines) {
    if (line.pitch !== null && (paragraph === null || !runsOn(line, paragraph, rights))) {
      if (paragraph !== null) flush();
      code.push(line);
      continue;
    }
    if (code.length > 0) flush();
    if (paragraph !== null && begins(line, paragraph, body, rights.get(paragraph.last.page) ?? 0)) flush();
    if (paragraph === null) paragraph = { text: line.text.trim(), first: line, last: line };
    else {
      paragraph.text = joinWrapped(paragraph.text, line.text.trim(), vocabulary);
      paragraph.last = line;
    }
  }
  flush();
  return blocks;
}

/** The size most letters are set in. */
function bodySize(lines: readonly Line[]): number {
  return commonest(lines, (line) => Math.round(line.size)) ?? 10;
}

/** What most letters have of something. */
function commonest<Fact>(lines: readonly Line[], pick: (line: Line) => Fact | null): Fact | null {
  const letters = new Map<Fact, number>();
  for (const line of lines) {
    const fact = pick(line);
    if (fact !== null) letters.set(fact, (letters.get(fact) ?? 0) + line.text.length);
  }
  return [...letters].reduce<[Fact | null, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    [null, 0],
  )[0];
}

function isLarge(line: Line, body: number): boolean {
  return line.size >= body * 1.12 && line.text.length < 200;
}

interface Paragraph {
  text: string;
  first: Line;
  last: Line;
}

/** Whether a line ends well before the others do, so that it was not wrapped. */
function endsEarly(line: Line, first: Line, edge: number): boolean {
  return line.right < edge - Math.max(line.size * 8, (edge - first.x) * 0.2);
}

/** Whether a line begins a new paragraph after the one so far. `edge`: how far lines of the page reach. */
function begins(line: Line, { first, last, text }: Paragraph, body: number, edge: number): boolean {
  if (Math.round(line.size) !== Math.round(last.size) && (isLarge(line, body) || isLarge(last, body)))
    return true;
  const start = line.text.trim();
  if (bullet.test(start) || line.cells.length > 1 || last.cells.length > 1) return true;
  const early = endsEarly(last, first, edge);
  if (readProvision(start) !== null && (early || line.font !== last.font || !stopsWithinSentence(text)))
    return true;
  const closed = /[.;:!?»")]$/.test(text);
  if (closed && line.font !== null && last.font !== null && line.font !== last.font) return true;
  // Behind a bullet's text, what is set in less than it is no more of it.
  if (closed && bullet.test(text) && line.x < first.x - line.size) return true;
  if ((closed || early) && (readPoint(start) !== null || letteredItem.test(start))) return true;
  if (line.page !== last.page) return closed || !/^[\p{Ll}\d(«"]/u.test(start) || isLarge(line, body);
  if (isLarge(line, body) && isLarge(last, body)) return last.y - line.y > line.size * 1.9 || last.y < line.y;
  const gap = last.y - line.y;
  if (gap < 0 || gap > line.size * 1.75) return true;
  if (line.x > last.x + line.size && Math.abs(last.x - first.x) < line.size * 3 && closed) return true;
  return early && (closed || /^[\p{Lu}«"]/u.test(start));
}

/** Whether a line of fixed pitch is only a piece of a sentence that fills the line before. */
function runsOn(line: Line, { first, last, text }: Paragraph, rights: ReadonlyMap<number, number>): boolean {
  const gap = last.y - line.y;
  return (
    line.page === last.page &&
    gap > 0 &&
    gap <= last.size * 1.75 &&
    Math.abs(line.x - last.x) < line.size * 0.2 &&
    !/[.:;?!]$/.test(text) &&
    !endsEarly(last, first, rights.get(last.page) ?? 0)
  );
}

/** Lines of code as they stand on the page; one left blank is a blank line. */
function codeText(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ x }) => x));
  const texts = lines.map((line, n) => {
    const { x, y, page, size, pitch, text } = line;
    const before = lines[n - 1];
    const apart = before !== undefined && (before.page !== page ? false : before.y - y > size * 2.2);
    return `${apart ? '\n' : ''}${' '.repeat(Math.round((x - left) / (pitch ?? size)))}${text}`;
  });
  return tidyLines(texts.join('\n'));
}

/** How deep items stand in lists, by where their lines begin. */
class ListDepths {
  private edges: number[] = [];
  private before: Line | null = null;

  /** The depth of the item a line begins; null where it begins none. Asked for the lines of a document in order. */
  of(line: Line): number | null {
    const { edges, before } = this;
    const { x, size } = line;
    this.before = line;
    const start = line.text.trim();
    const isItem = bullet.test(start) || letteredItem.test(start) || readPoint(start) !== null;
    const slack = size * 0.8;
    const above = before !== null && before.page === line.page && before.y < line.y;
    // Another column begins, or text that is set in no further than the list.
    if (above || (!isItem && edges.length > 0 && x < edges[0]! + slack)) this.edges = [];
    if (!isItem) return null;
    while (this.edges.length > 0 && x < this.edges.at(-1)! - slack) this.edges.pop();
    if (this.edges.length === 0 || x > this.edges.at(-1)! + slack) this.edges.push(x);
    return this.edges.length - 1;
  }
}

/** `setOff`: in another font than the text; `depth`: of the item it is, null for none. */
function push(
  blocks: Block[],
  { text, first }: Paragraph,
  level: number | null,
  setOff: boolean,
  depth: number | null,
): void {
  const tidy = (words: string) => tidyLine(words.replace(/\u00ad\s*/g, ''));
  const line = tidy(text);
  if (!/[\p{L}\p{N}]/u.test(line) || isContentsLine(line)) return;
  if (level !== null) blocks.push({ kind: 'heading', level: Math.max(1, level), text: line });
  else if (bullet.test(line))
    blocks.push({ kind: 'item', marker: '–', depth: depth ?? 0, text: line.replace(bullet, '') });
  else if (first.cells.length > 1)
    blocks.push({ kind: 'table', rows: [first.cells.map((cell) => ({ text: tidy(cell) }))], header: null });
  else
    blocks.push({
      kind: 'paragraph',
      text: line,
      ...(setOff && { lead: line }),
      ...(depth !== null && { depth }),
    });
}
