/**
 * Processes tables from any format: builds their grids, finds the header rows, and writes the rows as text.
 *
 * If the format does not mark the header, it is detected. Title lines and remarks above the header have only one or a
 * few cells; the header row has short words without values in (nearly) every column. A header may have several lines:
 * merged cells, or blank cells that continue the cell to their left, show that the next line also contains column
 * names.
 */
import { wordsOfAll } from '../language/index.ts';
import { type Block, type MarkedText, Refusal, type Table } from './blocks.ts';
import { joinMarked } from './inline-marks.ts';

const nothing: MarkedText = { text: '' };
/** Maximum number of columns per cell, and of cells per table. */
const spanMax = 1000;
const cellsMax = 2_000_000;

/** A grid filled row by row, with merged cells in every position that they cover. */
export class Grid {
  readonly #rows: MarkedText[][] = [];
  /** By column: cells that span the next rows, and the number of those rows. */
  readonly #reaching: ({ cell: MarkedText; rows: number } | undefined)[] = [];
  readonly #hidden = new Set<number>();
  #cells = 0;

  /**
   * Begins a row. `blank` is the number of columns omitted at its start. Merged cells also extend through a hidden row.
   */
  row({ blank = 0, hidden = false }: { blank?: number; hidden?: boolean } = {}): void {
    this.#takeReaching(this.#reaching.length);
    if (hidden) this.#hidden.add(this.#rows.length);
    this.#rows.push([]);
    for (let n = 0; n < Math.min(blank, spanMax); n++) this.#put(nothing);
  }

  /** Adds the next cell of the row; null if the cell above continues. */
  add(cell: MarkedText | null, columns = 1, rows = 1): void {
    this.#takeReaching(0);
    const row = this.#rows.at(-1)!;
    const above = this.#rows.at(-2);
    for (let n = 0; n < Math.min(columns, spanMax); n++) {
      const shown = cell ?? above?.[row.length] ?? nothing;
      if (rows > 1) this.#reaching[row.length] = { cell: shown, rows: rows - 1 };
      this.#put(shown);
    }
  }

  /** Inserts spanning cells into the row, up to the first free column at or after `until`. */
  #takeReaching(until: number): void {
    const row = this.#rows.at(-1);
    if (!row) return;
    for (
      let held = this.#reaching[row.length];
      held || row.length < until;
      held = this.#reaching[row.length]
    ) {
      if (held) {
        if (--held.rows === 0) this.#reaching[row.length] = undefined;
        this.#put(held.cell);
      } else if (this.#reaching.slice(row.length).some((one) => one !== undefined)) this.#put(nothing);
      else return;
    }
  }

  #put(cell: MarkedText): void {
    if (++this.#cells > cellsMax) throw new Refusal(`a table has more than ${cellsMax} cells`);
    this.#rows.at(-1)!.push(cell);
  }

  /** See tableBlocks. */
  blocks(header: number | null, more: TableFacts = {}): Block[] {
    this.#takeReaching(this.#reaching.length);
    return tableBlocks(
      this.#rows.filter((_, n) => !this.#hidden.has(n)),
      header,
      more,
    );
  }
}

export type TableFacts = Pick<Table, 'records' | 'caption'>;

/**
 * Builds a table from rows of any length, with the lines above it (titles, remarks) as paragraphs. `header` is the
 * number of rows marked by the format; null or 0 if there are none. Empty if there is no text.
 */
export function tableBlocks(
  given: readonly (readonly MarkedText[])[],
  header: number | null,
  more: TableFacts = {},
): Block[] {
  let width = 0;
  for (const row of given) width = Math.max(width, row.findLastIndex(isFilled) + 1);
  const rows: MarkedText[][] = [];
  let heads = header ?? 0;
  for (const [n, row] of given.entries()) {
    if (row.some(isFilled)) rows.push(Array.from({ length: width }, (_, column) => row[column] ?? nothing));
    else if (n < (header ?? 0)) heads--;
  }
  if (rows.length === 0) return [];
  const columns = usedColumns(rows);
  let above = 0;
  while (above < rows.length && isLine(rows[above]!, columns)) above++;
  const lines = rows.splice(0, above).map((row): Block => ({ kind: 'paragraph', ...asLine(row) }));
  heads = Math.max(0, heads - above);
  if (rows.length === 0) return lines;
  const table: Table = {
    kind: 'table',
    rows,
    header: heads > 0 && heads < rows.length ? heads : null,
    ...more,
  };
  return [...lines, table];
}

const isFilled = ({ text }: MarkedText): boolean => text !== '';

export interface ReadTable {
  /** The lines above the header: titles and remarks. */
  above: MarkedText[];
  /** The column names, with "" for an unnamed column; null if there is no header. */
  names: string[] | null;
  rows: MarkedText[][];
}

/** Number of rows at the top that are searched for the header. */
const topRows = 20;
/** Maximum length of a column name. */
const longestName = 80;
/** Minimum proportion of the used columns that a header must name. */
const named = 0.6;
const headerMax = 4;

/** Separates the parts of a table. */
export function readTable({ rows, header, records }: Table): ReadTable {
  const columns = usedColumns(rows);
  let from = 0;
  let heads = header;
  if (heads === null) {
    from = findHeader(rows, columns, records === true);
    if (from < 0) {
      const first = rows.findIndex((row) => !isLine(row, columns));
      from = Math.max(0, first);
      heads = 0;
    } else heads = headerHeight(rows, from);
  }
  const above = rows.slice(0, from).map(asLine);
  const body = rows.slice(from + heads);
  if (heads === 0 || body.length === 0) return { above, names: null, rows: rows.slice(from) };
  return { above, names: namesOf(rows.slice(from, from + heads)), rows: body };
}

/** The number of columns used by most rows. */
function usedColumns(rows: readonly MarkedText[][]): number {
  const counts = new Array<number>(rows[0]?.length ?? 0).fill(0);
  for (const row of rows) for (const [n, cell] of row.entries()) if (isFilled(cell)) counts[n]!++;
  return Math.max(1, counts.filter((count) => count >= rows.length / 4).length);
}

/** A title or remark: a single cell, possibly merged, in a table with several columns. */
function isLine(row: readonly MarkedText[], columns: number): boolean {
  return columns > 1 && distinct(row).length < 2;
}

/** The filled cells of a row, counting merged ones only once. */
function distinct(row: readonly MarkedText[]): MarkedText[] {
  return row.filter((cell, n) => isFilled(cell) && row[n - 1] !== cell);
}

/** A row as a line of text. */
export function asLine(row: readonly MarkedText[]): MarkedText {
  return joinMarked(distinct(row).flatMap((cell, n) => (n === 0 ? [cell] : [' ', cell])));
}

/** The index of the header row; -1 if there is none. `strict`: names must be unique, as in a sheet. */
function findHeader(rows: readonly MarkedText[][], columns: number, strict: boolean): number {
  for (let n = 0; n < Math.min(rows.length - 1, topRows); n++) {
    const row = rows[n]!;
    if (isLine(row, columns)) continue;
    const filled = row.filter(isFilled);
    // The first of several header lines may name only a few columns.
    const isFirst = filled.length > 1 && n + 2 < rows.length && isNames(row) && goesOn(rows, n);
    if (filled.length < Math.max(2, columns * named) && !isFirst) continue;
    if (!isNames(row)) return -1;
    const names = distinct(row).map(({ text }) => text);
    if (strict && headerHeight(rows, n) === 1 && new Set(names).size < names.length) return -1;
    return n;
  }
  return -1;
}

const isYear = /^(?:1[89]|20)\d\d$/;

/** Whether a row contains column names, which are short words. Years are allowed if the other names are words. */
function isNames(row: readonly MarkedText[]): boolean {
  const texts = row.filter(isFilled).map(({ text }) => text);
  return (
    texts.some((text) => /\p{L}/u.test(text)) &&
    texts.every(
      (text) =>
        text.length <= longestName && (/\p{L}/u.test(text) || isYear.test(text) || /^(?:№|#|%)$/.test(text)),
    )
  );
}

/** The number of header rows, counted from the first one. */
function headerHeight(rows: readonly MarkedText[][], from: number): number {
  let height = 1;
  while (height < headerMax && from + height < rows.length - 1 && goesOn(rows, from + height - 1)) height++;
  return height;
}

/** Whether the row below a header row also contains column names. Another row must follow it. */
function goesOn(rows: readonly MarkedText[][], n: number): boolean {
  const row = rows[n]!;
  const below = rows[n + 1]!;
  const behind = rows[n + 2]!;
  // A cell that spans further down groups rows and is not a column name.
  if (below.some((cell, column) => isFilled(cell) && cell === behind[column] && cell !== row[column]))
    return false;
  const reaches = (column: number) => isFilled(row[column]!) && row[column] === below[column];
  const across = (column: number) =>
    isFilled(row[column]!) && (row[column] === row[column + 1] || row[column] === row[column - 1]);
  const isMerged = row.some((_, column) => across(column));
  if (isMerged) {
    // Below a merged name, each column has its own name, or one name covers both lines.
    const fits = row.every(
      (_, column) =>
        reaches(column) || (across(column) ? isFilled(below[column]!) : !isFilled(below[column]!)),
    );
    return fits && (row.some((_, column) => reaches(column)) || isNames(below));
  }
  // "Weekdays, , Weekend, " above "Morning, Evening, Morning, Evening": a blank repeats the name to its left.
  const reached = spread(row, below);
  const gaps = below.filter((cell, column) => isFilled(cell) && !isFilled(row[column]!));
  const spanned = below.filter((cell, column) => isFilled(cell) && reached[column] !== '');
  return (
    gaps.length > 0 &&
    spanned.length * 2 >= below.filter(isFilled).length &&
    isNames(below) &&
    below.every(({ text }) => !/\d/.test(text)) &&
    behind.some(({ text }, column) => /\d/.test(text) && isFilled(below[column]!))
  );
}

/**
 * The text of a header line by column. Each text extends to the right over the names below it, up to the next text. A
 * cell with nothing below it names only its own column.
 */
function spread(row: readonly MarkedText[], below: readonly MarkedText[]): string[] {
  let before = '';
  return row.map(({ text }, column) => {
    const hasOwn = isFilled(below[column]!);
    if (text !== '') before = hasOwn ? text : '';
    return text === '' && hasOwn ? before : text;
  });
}

/** The column names from all lines of a header. */
function namesOf(heads: readonly MarkedText[][]): string[] {
  const width = heads[0]!.length;
  const lines = heads.map((row, n) =>
    n === heads.length - 1 ? row.map(({ text }) => text) : spread(row, heads[n + 1]!),
  );
  return Array.from({ length: width }, (_, column) =>
    [...new Set(lines.map((line) => line[column]!).filter((text) => text !== ''))].join(', '),
  );
}

const questionNames = wordsOfAll('documents.questionColumn');
const answerNames = wordsOfAll('documents.answerColumn');

/** The question and answer columns, identified by their names in any language; null if there are none. */
export function pairColumns(names: readonly string[] | null): { question: number; answer: number } | null {
  const find = (words: ReadonlySet<string>) =>
    names?.findIndex((name) => words.has(name.toLowerCase())) ?? -1;
  const question = find(questionNames);
  const answer = find(answerNames);
  return question >= 0 && answer >= 0 ? { question, answer } : null;
}

/** A self-contained row: "Column: value; Column: value". */
export function asRecord(names: readonly string[], row: readonly MarkedText[]): MarkedText {
  const parts: (string | MarkedText)[] = [];
  for (const [n, cell] of row.entries()) {
    const isSaid = cell === row[n - 1] && names[n] === names[n - 1];
    if (!isFilled(cell) || isSaid) continue;
    if (parts.length > 0) parts.push('; ');
    if (names[n]) parts.push(`${names[n]}: `);
    parts.push(cell);
  }
  return joinMarked(parts);
}

/**
 * Whether a row is a single cell that names the rows below or comments on them. In a two-column table, a blank second
 * cell may simply be a missing value.
 */
export function isGroup(row: readonly MarkedText[]): boolean {
  return distinct(row).length === 1 && (row.length > 2 || (row.length === 2 && row[0] === row[1]));
}

/** A row as a line of cells, "a | b". An empty first cell is kept so that the others stay in position. */
export function asCells(row: readonly MarkedText[]): MarkedText {
  const last = row.findLastIndex(isFilled);
  const parts: (string | MarkedText)[] = [];
  for (const [n, cell] of row.slice(0, last + 1).entries()) {
    if (n > 0) parts.push(' | ');
    parts.push(n === 0 && last > 0 && !isFilled(cell) ? '—' : cell);
  }
  return joinMarked(parts);
}

/** The number of rows at the top of a row-based file: the header and everything above it. */
export function headRows(rows: readonly (readonly MarkedText[])[]): number {
  const found = firstTable(rows);
  return found === null ? 0 : found.body[0]!;
}

/** The first table in rows if it has column names, with the indexes of its body in the rows; otherwise null. */
function firstTable(
  rows: readonly (readonly MarkedText[])[],
): { rows: MarkedText[][]; read: ReadTable; filled: number[]; body: number[] } | null {
  const table = tableBlocks(rows, null, { records: true }).find((block) => block.kind === 'table');
  const read = table && readTable(table);
  if (!read || read.names === null) return null;
  // Rows without text are in neither part.
  const filled = rows.flatMap((row, n) => (row.some(isFilled) ? [n] : []));
  return { rows: table.rows, read, filled, body: filled.slice(filled.length - read.rows.length) };
}

/**
 * The blocks of a sheet or row-based file: its tables, without empty columns. If there are several tables, the text
 * directly above each header becomes a heading ("January to June 2022").
 */
export function recordBlocks(rows: readonly (readonly MarkedText[])[]): Block[] {
  const tables = tablesOf(rows);
  return tables.flatMap((own) => {
    const used: boolean[] = [];
    for (const row of own) for (const [n, cell] of row.entries()) if (isFilled(cell)) used[n] = true;
    const columns = used.flatMap((isUsed, n) => (isUsed ? [n] : []));
    const kept = own.map((row) => columns.map((n) => row[n] ?? nothing));
    const blocks = tableBlocks(kept, null, { records: true });
    return tables.length > 1 ? blocks.flatMap(headed) : blocks;
  });
}

/** Heading level for one of several tables in a sheet; the sheet name has level 2. */
const tableLevel = 3;

function headed(block: Block, n: number, blocks: readonly Block[]): Block[] {
  const next = blocks[n + 1];
  if (block.kind === 'paragraph' && next?.kind === 'table' && readTable(next).above.length === 0)
    return [{ ...block, kind: 'heading', level: tableLevel }];
  if (block.kind !== 'table') return [block];
  const { above } = readTable(block);
  if (above.length === 0) return [block];
  const heading: Block = {
    kind: 'heading',
    level: tableLevel,
    ...joinMarked(above.flatMap((line, i) => (i === 0 ? [line] : [', ', line]))),
  };
  return [heading, { ...block, rows: block.rows.slice(above.length) }];
}

/** A longer sheet is a single data table, not a page. */
const partedRows = 20_000;

/** Splits rows where another table begins: at a repeated header or after a blank row. */
function tablesOf(rows: readonly (readonly MarkedText[])[]): (readonly MarkedText[])[][] {
  if (rows.length > partedRows) return [[...rows]];
  const tables: (readonly MarkedText[])[][] = [];
  const begin = againAt(rows);
  let isBlank = true;
  for (const [n, row] of rows.entries()) {
    const last = tables.at(-1);
    const isNew =
      begin.has(n) ||
      (isBlank && last?.some((one) => distinct(one).length > 1) === true && beginsTable(rows, n));
    if (last === undefined || isNew) tables.push([row]);
    else last.push(row);
    isBlank = !row.some(isFilled);
  }
  return tables;
}

/** Row indexes at which the header is repeated, including the same number of rows above it as at the first header. */
function againAt(rows: readonly (readonly MarkedText[])[]): ReadonlySet<number> {
  const found = new Set<number>();
  const table = firstTable(rows);
  if (table === null) return found;
  const { read, filled, body } = table;
  const height = table.rows.length - read.above.length - body.length;
  const key = (row: readonly MarkedText[]) =>
    row
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n');
  const names = table.rows[read.above.length + height - 1]!;
  const wanted = key(names);
  for (const [i, n] of filled.entries())
    if (n >= body[0]! && key(rows[n]!) === wanted) {
      const from = i - (height - 1) - read.above.length;
      // If the rows above are as full as a table row, they belong to the previous table.
      const isSparse = filled
        .slice(from, i - height + 1)
        .every((at) => distinct(rows[at]!).length < distinct(names).length);
      found.add(filled[isSparse ? from : i - height + 1]!);
    }
  return found;
}

/** Whether a table begins at a row, possibly with lines above its header. */
function beginsTable(rows: readonly (readonly MarkedText[])[], at: number): boolean {
  let n = at;
  while (n < rows.length && n < at + topRows && distinct(rows[n]!).length === 1) n++;
  const names = rows[n];
  const values = rows[n + 1];
  if (!names || !values || distinct(names).length < 2 || !isNames(names)) return false;
  return values.some(
    ({ text }, column) =>
      /\d/.test(text) && isFilled(names[column] ?? nothing) && !/\d/.test(names[column]!.text),
  );
}
