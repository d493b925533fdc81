/**
 * Detects tables from the positions of their cells: cells below each other form a column. Cells may arrive in any order
 * and wrap over several lines. Rows are separated by spacing or by the start of a cell.
 */
import { isContentsLine, joinWrapped, type MarkedText, tidyLine } from '../formats/blocks.ts';
import { unmarked } from '../formats/inline-marks.ts';
import type { Line, Segment } from './lines.ts';

export interface PageTable {
  kind: 'table';
  rows: MarkedText[][];
  lines: Line[];
}

/** Maximum number of lines in a cell that has another cell to its right. */
const cellLines = 8;
/** Minimum number of rows in a table whose type is larger than the text; fewer rows are a title. */
const largeRows = 3;
/** Maximum distance between the lines of a cell, in font sizes. */
const leadingMax = 1.6;
/** Maximum indentation of a list item, in font sizes. */
const indentMax = 6;
/**
 * Number of extra lines examined for tables, beyond the lines of the document. When no table starts at a line, the
 * search moves on to the next line.
 */
const triesMin = 100_000;
const columnsMax = 100;
/** Maximum distance between a table and its next line, in font sizes. */
const gapMax = 6;
/** The same for a line with a single cell that does not begin a row. */
const singleGapMax = 3;
/** Minimum ratio of row spacing to the line spacing within a cell. */
const rowGap = 1.15;

/** A cell across several columns belongs to the header only while a column has fewer cells than this. */
const headCells = 3;

interface Span {
  x: number;
  right: number;
}

interface Column extends Span {
  /** Number of cells in this column. */
  cells: number;
}

/** Returns the lines, with each table in place of its lines. `apart`: lines that are not cells. */
export function withTables(
  lines: readonly Line[],
  apart: (line: Line) => boolean,
  vocabulary: ReadonlySet<string>,
): (Line | PageTable)[] {
  const out: (Line | PageTable)[] = [];
  let tries = triesMin + lines.length;
  for (let n = 0; n < lines.length; n++) {
    const grid = tries > 0 && begins(lines, n) ? tableAt(lines, n, apart, vocabulary, () => tries--) : null;
    out.push(grid ?? lines[n]!);
    if (grid !== null) n += grid.lines.length - 1;
  }
  return out;
}

/** Whether a line has several cells, or belongs to a cell with another one beside it. */
function begins(lines: readonly Line[], start: number): boolean {
  const first = lines[start]!;
  if (first.pitch !== null || isContentsLine(first.text)) return false;
  if (first.cells.length > 1) return true;
  let right = first.right;
  for (let n = start + 1; n < Math.min(lines.length, start + 1 + cellLines); n++) {
    const [before, line] = [lines[n - 1]!, lines[n]!];
    if (line.area !== first.area || line.pitch !== null) return false;
    if (line.x > right + line.size * 0.9)
      return line.y > before.y - line.size * 0.3 && line.y < first.y + line.size * cellLines;
    const down = before.y - line.y;
    if (line.cells.length > 1 || down <= 0 || down > line.size * leadingMax || line.x > right) return false;
    right = Math.max(right, line.right);
  }
  return false;
}

function tableAt(
  lines: readonly Line[],
  start: number,
  apart: (line: Line) => boolean,
  vocabulary: ReadonlySet<string>,
  looked: () => void,
): PageTable | null {
  const run = new Run(lines[start]!);
  const large = apart(lines[start]!);
  let end = start + 1;
  while (end < lines.length && apart(lines[end]!) === large && run.take(lines, end)) {
    end++;
    looked();
  }
  // A few large lines are a title.
  if (large && end - start < largeRows) return null;
  const { columns, rows } = gridOf(
    lines.slice(start, end),
    run.columns.toSorted((a, b) => a.x - b.x),
  );
  if (columns.length < 2) return null;
  // Final rows that fill only the first column may be the text after the table.
  while (rows.length > 0 && filled(rows.at(-1)!).length < 2) rows.pop();
  const own = new Set(
    rows.flatMap(({ levels, repeats }) =>
      [...levels, ...repeats].flatMap(({ line, beside }) => [line, ...beside]),
    ),
  );
  const taken = lines.slice(start, end).filter((line) => own.has(line));
  const isWhole = taken.every((line, n) => line === lines[start + n]);
  const fullRows = rows.filter((row) => filled(row).length > 1).length;
  if (!isWhole || fullRows === 0 || (fullRows < 2 && taken.every(({ cells }) => cells.length < 2)))
    return null;
  const cells = rows.map((row) => cellsOf(row, columns, vocabulary));
  const said = cells.filter((row) => row.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
  return { kind: 'table', rows: said, lines: taken };
}

/**
 * Builds rows and columns. Columns that are never both filled in the same row are merged, because items are indented
 * below their group.
 */
function gridOf(
  lines: readonly Line[],
  columns: readonly Column[],
): { columns: readonly Column[]; rows: TableRow[] } {
  const rows = rowsOf(levelsOf(lines, columns), columns);
  const { size } = lines[0]!;
  const n = columns.findIndex((column, at) => {
    const next = columns[at + 1];
    if (next === undefined || next.x - column.x > size * indentMax) return false;
    return !rows.some((row) => {
      const own = filled(row);
      return own.includes(at) && own.includes(at + 1);
    });
  });
  if (n < 0) return { columns, rows };
  const [one, other] = [columns[n]!, columns[n + 1]!];
  const both = { x: one.x, right: Math.max(one.right, other.right), cells: one.cells + other.cells };
  return gridOf(lines, [...columns.slice(0, n), both, ...columns.slice(n + 2)]);
}

/** The lines of a table found so far, and its columns. */
class Run {
  columns: Column[] = [];
  private last: Line;
  private low: number;
  private high: number;

  constructor(first: Line) {
    this.last = first;
    this.low = this.high = first.y;
    for (const { x, right } of first.cells) this.columns.push({ x, right, cells: 1 });
  }

  /** Adds another line if it belongs to the table. */
  take(lines: readonly Line[], n: number): boolean {
    const { last } = this;
    const line = lines[n]!;
    if (this.columns.length + line.cells.length > columnsMax) return false;
    if (line.pitch !== null || isContentsLine(line.text)) return false;
    const { size } = line;
    const sameArea = line.area === last.area;
    if (!sameArea && (line.page !== last.page + 1 || this.columns.length < 2)) return false;
    const single = line.cells.length < 2;
    if (sameArea) {
      const away = line.y < this.low ? this.low - line.y : line.y > this.high ? line.y - this.high : 0;
      if (away > size * gapMax) return false;
      // A vertically centred cell is far from the row above.
      if (single && away > size * singleGapMax && !begins(lines, n)) return false;
    }
    const met = line.cells.map((cell) => this.columns.filter((column) => overlap(cell, column) > size * 0.1));
    if (single) {
      const [cell] = line.cells as [Segment];
      const [of] = met as [Column[]];
      if (of.length > 1) return false;
      if (of.length === 0) {
        // A cell beside the first one, or between those above.
        const right = Math.max(...this.columns.map((column) => column.right));
        const up = line.y - last.y;
        const isNext = up > -size * 0.3 && (this.columns.length === 1 || up < size * 0.3);
        const beside = cell.x > right + size * 0.9 && isNext;
        const inside = cell.x > Math.min(...this.columns.map(({ x }) => x)) && cell.right < right;
        if (!beside && !inside) return false;
        this.columns.push({ x: cell.x, right: cell.right, cells: 1 });
      } else {
        const [column] = of as [Column];
        if (cell.x < column.x - size * 1.5 && !isCentred(cell, column, size)) return false;
        grow(column, cell);
      }
    } else {
      const aligned = line.cells.some((cell, n) => met[n]!.some((column) => isAligned(cell, column, size)));
      if (!aligned) return false;
      const parted = this.columns.filter(
        (column) =>
          column.cells < headCells && met.filter((of) => of.length === 1 && of[0] === column).length > 1,
      );
      // A header cell covers several columns.
      this.columns = this.columns.filter((column) => !parted.includes(column));
      for (const [n, cell] of line.cells.entries()) {
        const of = met[n]!.filter((column) => !parted.includes(column));
        if (of.length === 0) this.columns.push({ x: cell.x, right: cell.right, cells: 1 });
        else if (of.length === 1) grow(of[0]!, cell);
      }
    }
    if (!sameArea) this.low = this.high = line.y;
    this.low = Math.min(this.low, line.y);
    this.high = Math.max(this.high, line.y);
    this.last = line;
    return true;
  }
}

function overlap(a: Span, b: Span): number {
  return Math.min(a.right, b.right) - Math.max(a.x, b.x);
}

function grow(column: Column, { x, right }: Span): void {
  column.cells++;
  column.x = Math.min(column.x, x);
  column.right = Math.max(column.right, right);
}

function isCentred(a: Span, b: Span, size: number): boolean {
  return Math.abs(a.x + a.right - b.x - b.right) < size;
}

function isAligned(a: Span, b: Span, size: number): boolean {
  return (
    Math.abs(a.x - b.x) < size * 0.5 || Math.abs(a.right - b.right) < size * 0.5 || isCentred(a, b, size)
  );
}

/** The table cells at one height, keyed by column. A wide cell is in each column it covers. */
interface Level {
  line: Line;
  /** Further lines at the same height. */
  beside: Line[];
  cells: (Segment | undefined)[];
}

interface TableRow {
  levels: Level[];
  /** Repetitions on later pages. */
  repeats: Level[];
}

function isSame(a: Level, b: Level | undefined): boolean {
  return a.cells.every((cell, n) => cell?.text === b?.cells[n]?.text);
}

function levelsOf(lines: readonly Line[], columns: readonly Column[]): Level[] {
  return lines.map((line) => {
    const cells: (Segment | undefined)[] = columns.map(() => undefined);
    for (const cell of line.cells) {
      const covered = columns.flatMap((column, n) => (overlap(cell, column) > line.size * 0.1 ? [n] : []));
      for (const n of covered.length > 0 ? covered : [nearest(cell, columns)]) cells[n] ??= cell;
    }
    return { line, beside: [], cells };
  });
}

function nearest(cell: Span, columns: readonly Column[]): number {
  const away = columns.map((column) => -overlap(cell, column));
  return away.indexOf(Math.min(...away));
}

function filled({ levels }: TableRow): number[] {
  const [first] = levels as [Level];
  return first.cells.flatMap((_, n) => (levels.some(({ cells }) => cells[n] !== undefined) ? [n] : []));
}

function rowsOf(levels: readonly Level[], columns: readonly Column[]): TableRow[] {
  const rows: TableRow[] = [];
  for (const area of byArea(levels)) {
    const leading = leadingOf(area);
    const high = inLevels(inHeight(area));
    const head = rows[0]?.levels ?? [];
    // The header is repeated on every page.
    if (head.length > 0 && head.every((level, n) => isSame(level, high[n])))
      rows[0]!.repeats.push(...high.splice(0, head.length));
    for (const [n, level] of high.entries()) {
      const row = rows.at(-1);
      if (row !== undefined && belongs(level, row, n === 0 ? 'page' : leading, columns))
        row.levels.push(level);
      else rows.push({ levels: [level], repeats: [] });
    }
  }
  return rows;
}

function byArea(levels: readonly Level[]): Level[][] {
  const areas: Level[][] = [];
  for (const level of levels)
    if (areas.at(-1)?.[0]?.line.area === level.line.area) areas.at(-1)!.push(level);
    else areas.push([level]);
  return areas;
}

/** Sorts from top to bottom, or in reverse if the entire table is drawn from the bottom. */
function inHeight(levels: readonly Level[]): Level[] {
  const steps = levels.slice(1).map(({ line }, n) => line.y - levels[n]!.line.y);
  const up = steps.length > 0 && steps.every((step) => step > 0);
  return up ? [...levels] : levels.toSorted((a, b) => b.line.y - a.line.y);
}

/** Merges lines at the same height if they fill different columns. */
function inLevels(high: readonly Level[]): Level[] {
  const levels: Level[] = [];
  for (const level of high) {
    const before = levels.at(-1);
    const isBeside =
      before !== undefined &&
      Math.abs(before.line.y - level.line.y) < level.line.size * 0.3 &&
      level.cells.every((cell, n) => cell === undefined || before.cells[n] === undefined);
    if (!isBeside) levels.push({ ...level, beside: [...level.beside], cells: [...level.cells] });
    else {
      before.beside.push(level.line, ...level.beside);
      for (const [n, cell] of level.cells.entries()) before.cells[n] ??= cell;
    }
  }
  return levels;
}

/** The line spacing within cells, if it is clearly smaller than the row spacing; null if it is not. */
function leadingOf(levels: readonly Level[]): number | null {
  const { size } = levels[0]!.line;
  const high = inHeight(levels);
  const steps = (of: readonly Level[]) =>
    of
      .slice(1)
      .map(({ line }, n) => Math.abs(of[n]!.line.y - line.y))
      .filter((step) => step > size * 0.2);
  const inCells = high[0]!.cells.flatMap((_, n) => steps(high.filter(({ cells }) => cells[n] !== undefined)));
  const least = Math.min(...inCells.filter((step) => step > size * 0.8));
  if (!(least <= size * leadingMax)) return null;
  return steps(high).some((step) => step > least * rowGap) ? least : null;
}

/**
 * Whether a level continues a row. `leading` is the result of leadingOf, or `page` for the first level on the next
 * page.
 */
function belongs(
  level: Level,
  row: TableRow,
  leading: number | null | 'page',
  columns: readonly Column[],
): boolean {
  const before = row.levels.at(-1)!;
  const own = level.cells.flatMap((cell, n) => (cell === undefined ? [] : [n]));
  const above = (n: number) => row.levels.findLast(({ cells }) => cells[n] !== undefined)?.cells[n];
  const goesOn = (n: number) => {
    const cell = above(n);
    return (
      cell !== undefined && continues(cell, level.cells[n]!, columns[n]!, columns[n + 1], level.line.size)
    );
  };
  if (leading === 'page') return level.cells[0] === undefined && own.every(goesOn);
  const step = Math.abs(before.line.y - level.line.y);
  const { size } = level.line;
  if (step < size * 0.3) return own.every((n) => before.cells[n] === undefined);
  // A number never continues the number above it.
  const isNumber = (cell: Segment | undefined) =>
    cell !== undefined && /\d/.test(cell.text) && !hasWords(cell);
  const counts = own.some((n) => isNumber(above(n)) && isNumber(level.cells[n]));
  const anew = counts || (own.includes(0) && above(0) !== undefined && !goesOn(0));
  if (leading !== null) return step <= leading * rowGap && !anew;
  return step <= size * leadingMax && !(own.includes(0) && own.length > 1 && anew) && own.every(goesOn);
}

function hasWords({ text }: Segment): boolean {
  return /\p{L}/u.test(unmarked(text));
}

/** Whether a line continues the text of the line above it in a cell. */
function continues(
  before: Segment,
  after: Segment,
  column: Column,
  next: Column | undefined,
  size: number,
): boolean {
  const [text, more] = [unmarked(before.text).trim(), unmarked(after.text).trim()];
  if (!/\p{L}/u.test(text) || !/\p{L}/u.test(more)) return false;
  if (/^\p{Ll}/u.test(more)) return true;
  if (!/\s/.test(text) && !/\s/.test(more)) return false;
  // A word that would have fitted on the line above starts a new text.
  const word = /^\S+/.exec(more)![0].length;
  const limit = next === undefined ? column.right : next.x - size * 0.5;
  return before.right + size * 0.3 + ((after.right - after.x) * word) / more.length > limit;
}

/** The cells of a row. A cell that covers several columns is the same object in each of them. */
function cellsOf(
  { levels }: TableRow,
  columns: readonly Column[],
  vocabulary: ReadonlySet<string>,
): MarkedText[] {
  const made = new Map<string, MarkedText>();
  return columns.map((_, n) => {
    const segments = levels.flatMap(({ cells }) => cells[n] ?? []);
    const text = tidyLine(
      segments.reduce(
        (sum, segment, k) =>
          k === 0 ? segment.text.trim() : joinWrapped(sum, segment.text.trim(), vocabulary),
        '',
      ),
    );
    const wide = levels.find(({ cells }) => cells[n] !== undefined && cells[n] === cells[n - 1]);
    const known = wide === undefined ? undefined : made.get(text);
    const cell = known ?? { text };
    made.set(text, cell);
    return cell;
  });
}
