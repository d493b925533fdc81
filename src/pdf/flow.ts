/**
 * Converts lines to blocks: wrapped lines are joined into paragraphs, hyphenated words are rejoined, and short lines in
 * larger type become headings. A page footer in the middle of a sentence does not split it.
 */

import { type Block, isContentsLine, joinWrapped, tidyLine, vocabularyOf } from '../formats/blocks.ts';
import { readPoint, readProvision, stopsWithinSentence } from '../formats/provisions.ts';
import { alphabet, classOf } from '../language/index.ts';
import { codeText } from './code.ts';
import type { Line } from './lines.ts';
import type { Footnote } from './notes.ts';
import { withTables } from './tables.ts';

const letteredItem = new RegExp(`^(?:[-–—]|\\(?${classOf(alphabet)}\\))\\s`, 'u');
/** Bullets in symbol fonts and text fonts. */
const bullet = /^[•●▪◦○■□➢✓\uf0a7\uf0b7\uf0d8]\s*/;

/** `notes`: the footnotes of each page, placed after the paragraph that contains the last line of the page. */
export function toBlocks(lines: readonly Line[], notes: ReadonlyMap<number, readonly Footnote[]>): Block[] {
  const body = bodySize(lines);
  const sizes = [
    ...new Set(lines.filter((line) => isLarge(line, body)).map((line) => Math.round(line.size))),
  ].sort((a, b) => b - a);
  const vocabulary = vocabularyOf(lines.map((line) => line.text));
  const blocks: Block[] = [];
  const rights = new Map<Area, number>();
  for (const line of lines) rights.set(line.area, Math.max(rights.get(line.area) ?? 0, line.right));
  const font = commonest(lines, (line) => line.font);
  const lists = new ListDepths();
  const waiting = [...notes];
  /** Footnotes of the pages before a given page. */
  const footnotes = (page: number) => {
    while (waiting.length > 0 && waiting[0]![0] < page)
      for (const note of waiting.shift()![1]) blocks.push(toNote(note, vocabulary));
  };
  let paragraph: Paragraph | null = null;
  let code: Line[] = [];
  const flush = (page: number) => {
    if (code.length > 0)
      blocks.push({ kind: 'code', text: codeText(code), page: code[0]!.page, ...confidenceOf(code) });
    code = [];
    if (paragraph) {
      const first = firstOf(paragraph);
      const level = isLarge(first, body) ? Math.min(6, sizes.indexOf(Math.round(first.size)) + 1) : null;
      push(blocks, paragraph, level, first.font !== null && first.font !== font, lists.of(first));
    }
    paragraph = null;
    footnotes(page);
  };
  const last = lines.at(-1)?.page ?? 0;
  for (const item of withTables(lines, (line) => isLarge(line, body), vocabulary)) {
    if ('kind' in item) {
      const { page } = item.lines[0]!;
      flush(page);
      blocks.push({ kind: 'table', rows: item.rows, header: null, page, ...confidenceOf(item.lines) });
      continue;
    }
    if (item.pitch !== null && (paragraph === null || !runsOn(item, paragraph, rights))) {
      if (paragraph !== null) flush(item.page);
      code.push(item);
      continue;
    }
    if (code.length > 0) flush(item.page);
    if (paragraph !== null && begins(item, paragraph, body, rights.get(lastOf(paragraph).area) ?? 0))
      flush(item.page);
    if (paragraph === null) paragraph = { text: item.text.trim(), words: wordsOf(item), lines: [item] };
    else {
      paragraph.text = joinWrapped(paragraph.text, item.text.trim(), vocabulary);
      paragraph.words = joinWrapped(paragraph.words, wordsOf(item), vocabulary);
      paragraph.lines.push(item);
    }
  }
  flush(last + 1);
  footnotes(Number.POSITIVE_INFINITY);
  return blocks;
}

type Area = Line['area'];

/** The text of a line, including mark characters. */
function wordsOf({ cells }: Line): string {
  return cells
    .map(({ text }) => text)
    .join(' ')
    .trim();
}

function toNote({ mark, lines }: Footnote, vocabulary: ReadonlySet<string>): Block {
  const words = lines.map(({ segments }) =>
    segments
      .map(({ text }) => text)
      .join(' ')
      .trim(),
  );
  const text = tidyLine(words.reduce((before, after) => joinWrapped(before, after, vocabulary)));
  return { kind: 'note', mark, text, page: lines[0]!.page, ...confidenceOf(lines) };
}

/** Average confidence of recognised lines, or an empty object if the text was not recognised from an image. */
function confidenceOf(lines: readonly Line[]): { confidence?: number } {
  const read = lines.filter(({ confidence }) => confidence !== undefined);
  if (read.length === 0) return {};
  const signs = read.reduce((sum, { text }) => sum + text.length, 0);
  const sum = read.reduce((all, { text, confidence }) => all + text.length * confidence!, 0);
  return { confidence: Math.round((sum / Math.max(1, signs)) * 100) / 100 };
}

/** The most frequent font size, weighted by letters. */
export function bodySize(lines: readonly Line[]): number {
  const text = lines.filter(({ pitch }) => pitch === null);
  return commonest(text, (line) => Math.round(line.size)) ?? 10;
}

/** The most frequent value of a property, weighted by letters. */
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
  /** The text with mark characters. */
  words: string;
  lines: Line[];
}

function firstOf({ lines }: Paragraph): Line {
  return lines[0]!;
}

function lastOf({ lines }: Paragraph): Line {
  return lines.at(-1)!;
}

/** Whether a line ends well before its neighbours, which means that it was not wrapped. */
function endsEarly(line: Line, first: Line, edge: number): boolean {
  return line.right < edge - Math.max(line.size * 8, (edge - first.x) * 0.2);
}

/** Whether a line begins a new paragraph. `edge` is the right end of the lines near the previous one. */
function begins(line: Line, paragraph: Paragraph, body: number, edge: number): boolean {
  const { text } = paragraph;
  const [first, last] = [firstOf(paragraph), lastOf(paragraph)];
  if (Math.round(line.size) !== Math.round(last.size) && (isLarge(line, body) || isLarge(last, body)))
    return true;
  const start = line.text.trim();
  if (bullet.test(start) || line.cells.length > 1 || last.cells.length > 1) return true;
  const early = endsEarly(last, first, edge);
  if (readProvision(start) !== null && (early || line.font !== last.font || !stopsWithinSentence(text)))
    return true;
  const closed = /[.;:!?»")\]]$/.test(text);
  if (closed && line.font !== null && last.font !== null && line.font !== last.font) return true;
  // Text indented less than a bullet's text does not belong to the bullet.
  if (closed && bullet.test(text) && line.x < first.x - line.size) return true;
  if ((closed || early) && (readPoint(start) !== null || letteredItem.test(start))) return true;
  if (line.area !== last.area) {
    if (closed || isLarge(line, body)) return true;
    return !/^[\p{Ll}\d(«"]/u.test(start) && (early || !stopsWithinSentence(text));
  }
  if (isLarge(line, body) && isLarge(last, body)) return last.y - line.y > line.size * 1.9 || last.y < line.y;
  const gap = last.y - line.y;
  // The next column, on pages that draw one column after the other.
  if (gap < -line.size * 3 && line.x > last.right)
    return closed || !stopsWithinSentence(text) || !/^\p{Ll}/u.test(start);
  if (gap < 0 || gap > line.size * 1.75) return true;
  if (line.x > last.x + line.size && Math.abs(last.x - first.x) < line.size * 3 && closed) return true;
  return early && (closed || /^[\p{Lu}«"]/u.test(start));
}

/** Whether a fixed-pitch line is only the remainder of a sentence that fills the previous line. */
function runsOn(line: Line, paragraph: Paragraph, rights: ReadonlyMap<Area, number>): boolean {
  const last = lastOf(paragraph);
  const gap = last.y - line.y;
  return (
    line.area === last.area &&
    gap > 0 &&
    gap <= last.size * 1.75 &&
    Math.abs(line.x - last.x) < line.size * 0.2 &&
    !/[.:;?!]$/.test(paragraph.text) &&
    !endsEarly(last, firstOf(paragraph), rights.get(last.area) ?? 0)
  );
}

/** Determines the list depth of items from their left edges. */
class ListDepths {
  private edges: number[] = [];
  private before: Line | null = null;

  /**
   * The depth of the item that a line begins, or null if it does not begin an item. Call this for the lines of a
   * document in order.
   */
  of(line: Line): number | null {
    const { edges, before } = this;
    const { x, size } = line;
    this.before = line;
    const start = line.text.trim();
    const isItem = bullet.test(start) || letteredItem.test(start) || readPoint(start) !== null;
    const slack = size * 0.8;
    const above = before !== null && before.area === line.area && before.y < line.y;
    // The line begins another column, or is text indented no further than the list.
    if (above || (!isItem && edges.length > 0 && x < edges[0]! + slack)) this.edges = [];
    if (!isItem) return null;
    while (this.edges.length > 0 && x < this.edges.at(-1)! - slack) this.edges.pop();
    if (this.edges.length === 0 || x > this.edges.at(-1)! + slack) this.edges.push(x);
    return this.edges.length - 1;
  }
}

/** `setOff`: the text is in a different font from the body. `depth`: depth of its item; null if it is not an item. */
function push(
  blocks: Block[],
  paragraph: Paragraph,
  level: number | null,
  setOff: boolean,
  depth: number | null,
): void {
  const tidy = (words: string) => tidyLine(words.replace(/\u00ad\s*/g, ''));
  const line = tidy(paragraph.text);
  if (!/[\p{L}\p{N}]/u.test(line) || isContentsLine(line)) return;
  const words = tidy(paragraph.words);
  const facts = { page: firstOf(paragraph).page, ...confidenceOf(paragraph.lines) };
  if (level !== null) blocks.push({ kind: 'heading', level: Math.max(1, level), text: words, ...facts });
  else if (bullet.test(line)) {
    // A mark character before a bullet is removed with the bullet.
    const text = bullet.test(words) ? words.replace(bullet, '') : line.replace(bullet, '');
    blocks.push({ kind: 'item', marker: '–', depth: depth ?? 0, text, ...facts });
  } else
    blocks.push({
      kind: 'paragraph',
      text: words,
      ...(setOff && { lead: words }),
      ...(depth !== null && { depth }),
      ...facts,
    });
}
