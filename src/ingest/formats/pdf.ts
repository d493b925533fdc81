/**
 * PDF → blocks, from the positions of its text: lines are put together from their pieces, running headers, footers
 * and page numbers dropped, hyphenated words joined, larger or bold short lines taken for headings.
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
  tidyText,
  vocabularyOf,
} from '../blocks.ts';
import { readPoint, readProvision } from '../provisions.ts';

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

interface Line {
  text: string;
  page: number;
  x: number;
  right: number;
  /** Distance from the lower edge, in points. */
  y: number;
  size: number;
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  let pdf: Pdf;
  try {
    // A copy: the reader takes the buffer over.
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new Refusal(
      name === 'PasswordException' ? 'encrypted: it needs a password' : 'broken: not a readable PDF',
    );
  }
  const lines: Line[] = [];
  let damaged = 0;
  for (let page = 1; page <= pdf.numPages; page++) {
    try {
      lines.push(...(await readPage(pdf, page)));
    } catch {
      damaged++;
    }
  }
  if (damaged === pdf.numPages) throw new Refusal('broken: no page can be read');
  const text = lines.map((line) => line.text).join('\n');
  if ((text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3)
    throw new Refusal(
      (await showsAnything(pdf)) ? 'no text layer: pages are pictures' : 'empty: its pages are blank',
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

async function readPage(pdf: Pdf, number: number): Promise<Line[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const lines: Line[] = [];
  let line: Line | null = null;
  let gap = false;
  for (const item of items) {
    if (!('str' in item)) continue;
    const [x, y] = [Number(item.transform[4]), Number(item.transform[5])];
    const size = item.height || Math.abs(Number(item.transform[3])) || 10;
    if (item.str.trim() === '') {
      gap ||= item.str !== '';
      if (item.hasEOL) line = null;
      continue;
    }
    if (line !== null && (Math.abs(line.y - y) > Math.max(2, size * 0.45) || x < line.right - size * 2))
      line = null;
    if (line === null) {
      line = { text: item.str, page: number, x, right: x + item.width, y, size };
      lines.push(line);
    } else {
      const space = x - line.right;
      line.text +=
        space > size * 2
          ? ` | ${item.str}`
          : space > size * 0.2 || (gap && space > size * 0.1) || gap
            ? ` ${item.str}`
            : item.str;
      line.right = x + item.width;
      line.size = Math.max(line.size, size);
    }
    gap = false;
    if (item.hasEOL) line = null;
  }
  page.cleanup();
  return joinMarkers(lines);
}

/** Bullets and numbers set apart from their text, wherever in the page's stream they come. */
function joinMarkers(lines: readonly Line[]): Line[] {
  const out = lines.filter((line) => !marker.test(line.text.trim()));
  for (const line of lines) {
    if (!marker.test(line.text.trim())) continue;
    const owner = out.find(
      (other) =>
        Math.abs(other.y - line.y) < Math.max(3, other.size * 0.4) &&
        other.x >= line.right - 2 &&
        other.x - line.right < 60,
    );
    if (!owner) continue;
    owner.text = `${/[\p{L}\p{N}]/u.test(line.text) ? line.text.trim() : '•'} ${owner.text}`;
  }
  return out;
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

/** Without what repeats at the edges of pages, and without page numbers. */
function dropFurniture(lines: readonly Line[], pages: number): Line[] {
  const edges = new Map<Line, string>();
  const seen = new Map<string, Set<number>>();
  for (let page = 1; page <= pages; page++) {
    const own = lines.filter((line) => line.page === page).sort((a, b) => b.y - a.y);
    for (const line of new Set([...own.slice(0, 2), ...own.slice(-2)])) {
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
  const body = bodySize(lines);
  const sizes = [
    ...new Set(lines.filter((line) => isLarge(line, body)).map((line) => Math.round(line.size))),
  ].sort((a, b) => b - a);
  const vocabulary = vocabularyOf(lines.map((line) => line.text));
  const blocks: Block[] = [];
  const rights = new Map<number, number>();
  for (const line of lines) rights.set(line.page, Math.max(rights.get(line.page) ?? 0, line.right));
  let paragraph: Paragraph | null = null;
  const flush = () => {
    if (paragraph)
      push(
        blocks,
        paragraph.text,
        isLarge(paragraph.first, body)
          ? Math.min(6, sizes.indexOf(Math.round(paragraph.first.size)) + 1)
          : null,
      );
    paragraph = null;
  };
  for (const line of lines) {
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
  const letters = new Map<number, number>();
  for (const line of lines)
    letters.set(Math.round(line.size), (letters.get(Math.round(line.size)) ?? 0) + line.text.length);
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [10, 0])[0];
}

function isLarge(line: Line, body: number): boolean {
  return line.size >= body * 1.12 && line.text.length < 200;
}

interface Paragraph {
  text: string;
  first: Line;
  last: Line;
}

/** Whether a line begins a new paragraph after the one so far. `edge`: how far lines of the page reach. */
function begins(line: Line, { first, last, text }: Paragraph, body: number, edge: number): boolean {
  if (Math.round(line.size) !== Math.round(last.size) && (isLarge(line, body) || isLarge(last, body)))
    return true;
  const start = line.text.trim();
  if (
    bullet.test(start) ||
    readProvision(start) !== null ||
    start.includes(' | ') ||
    last.text.includes(' | ')
  )
    return true;
  const closed = /[.;:!?»")]$/.test(text);
  // A line that ends well before the others do was not wrapped.
  const early = last.right < edge - Math.max(line.size * 8, (edge - first.x) * 0.2);
  if ((closed || early) && (readPoint(start) !== null || letteredItem.test(start))) return true;
  if (line.page !== last.page) return closed || !/^[\p{Ll}\d(«"]/u.test(start) || isLarge(line, body);
  if (isLarge(line, body) && isLarge(last, body)) return last.y - line.y > line.size * 1.9 || last.y < line.y;
  const gap = last.y - line.y;
  if (gap < 0 || gap > line.size * 1.75) return true;
  if (line.x > last.x + line.size && Math.abs(last.x - first.x) < line.size * 3 && closed) return true;
  return early && (closed || /^[\p{Lu}«"]/u.test(start));
}

function push(blocks: Block[], text: string, level: number | null): void {
  const line = tidyLine(text.replace(/\u00ad\s*/g, ''));
  if (!/[\p{L}\p{N}]/u.test(line) || isContentsLine(line)) return;
  if (level !== null) blocks.push({ kind: 'heading', level: Math.max(1, level), text: line });
  else if (bullet.test(line))
    blocks.push({ kind: 'item', marker: '–', depth: 0, text: line.replace(bullet, '') });
  else if (line.includes(' | ')) blocks.push({ kind: 'row', cells: line.split(' | '), header: false });
  else blocks.push({ kind: 'paragraph', text: line });
}
