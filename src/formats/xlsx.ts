/**
 * Parses XLSX: the displayed content of every visible sheet. Sheets are streamed, because the tree of a large one would
 * not fit into memory. Values are written as displayed, dates as ISO dates. Numbers without a unit in their format keep
 * all their digits without grouping, because the meaning of a comma depends on the reader's locale.
 */
import {
  format,
  getFormatDateInfo,
  getFormatFromId,
  getFormatInfo,
  isDateFormat,
  isPercentFormat,
} from 'numfmt';
import { classOf, lettersOfAll } from '../language/index.ts';
import {
  type Archive,
  childrenOf,
  descendants,
  openArchive,
  parseXml,
  relationsOf,
  scanXml,
} from './archive.ts';
import { type MarkedText, type ParsedDocument, Refusal, tidyLine } from './blocks.ts';
import { linked, struck } from './inline-marks.ts';
import { titleIn } from './office.ts';
import { OpenDocument } from './runs.ts';
import { recordBlocks } from './tables.ts';

export function parseXlsx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml|xl\/(?:worksheets\/)?_rels\/[^/]+\.rels|docProps\/core\.xml)$/i.test(
      name,
    ),
  );
  const workbook = archive.text('xl/workbook.xml');
  if (workbook === null) throw new Refusal('broken: no workbook inside');
  const relations = relationsOf(archive, 'xl/workbook.xml');
  const book = parseXml(workbook);
  const values = new Values(
    sharedStrings(archive.bytes('xl/sharedStrings.xml')),
    archive.text('xl/styles.xml'),
    /^(?:1|true)$/.test(descendants(book, 'workbookPr')[0]?.attributes.date1904 ?? ''),
  );
  const document = new OpenDocument();
  for (const sheet of descendants(book, 'sheet')) {
    const path = relations.get(sheet.attributes['r:id'] ?? '')?.target ?? '';
    const source = archive.bytes(path);
    if (source === null) continue;
    const name = tidyLine(sheet.attributes.name ?? '') || 'Sheet';
    const { rows, hidden } = readSheet(source, values, archive, path);
    if ((sheet.attributes.state ?? 'visible') !== 'visible') {
      const texts = [...rows.flatMap((row) => row.map((cell) => cell?.text ?? '')), ...hidden];
      document.leaveOut(texts.join(' '), `sheet ${name}`);
      continue;
    }
    for (const text of hidden) document.leaveOut(text, `sheet ${name}`);
    const table = recordBlocks(rows);
    if (table.length > 0) document.blocks.push({ kind: 'heading', level: 2, text: name }, ...table);
  }
  return document.finish(titleIn(archive));
}

/** Excel's limit; a cell further to the right is an error in the file. */
const maxColumns = 16_384;
/** Maximum number of cells per sheet, to stay within the memory limit for a file. */
const maxCells = 4_000_000;

/** A cell while it is being read. */
interface OpenCell {
  column: number;
  type: string;
  style: number;
  value: string;
  formula: string;
  inline: string;
}

/** The rows of a sheet, with blank cells filled in, and the text of hidden rows and columns. */
function readSheet(
  source: Uint8Array,
  values: Values,
  archive: Archive,
  path: string,
): { rows: MarkedText[][]; hidden: string[] } {
  const rows: MarkedText[][] = [];
  const hidden: string[] = [];
  const hiddenColumns = new Set<number>();
  const merges: string[] = [];
  const links = new Map<string, string>();
  const hiddenRows = new Set<MarkedText[]>();
  /** The row numbers in the sheet. */
  const numbers: number[] = [];
  let relations: ReturnType<typeof relationsOf> | null = null;
  let number = 0;
  let column = 0;
  let cells = 0;
  let row: MarkedText[] | null = null;
  let isHidden = false;
  let cell: OpenCell | null = null;
  let text: 'value' | 'formula' | null = null;
  const rich = new RichText();
  scanXml(source, {
    open(name, attributes) {
      if (name === 'c') {
        column = columnOf(attributes.r) ?? column;
        cell = {
          column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          value: '',
          formula: '',
          inline: '',
        };
        column++;
      } else if (cell !== null) {
        if (name === 'v') text = 'value';
        else if (name === 'f') text = 'formula';
        else rich.open(name, attributes);
      } else if (name === 'row') {
        number = Number(attributes.r) || number + 1;
        column = 0;
        isHidden = /^(?:1|true)$/.test(attributes.hidden ?? '');
        row = [];
      } else if (name === 'col' && /^(?:1|true)$/.test(attributes.hidden ?? '')) {
        const last = Math.min(Number(attributes.max) || 0, maxColumns);
        for (let n = Number(attributes.min) || 1; n <= last; n++) hiddenColumns.add(n - 1);
      } else if (name === 'mergeCell' && attributes.ref) merges.push(attributes.ref);
      else if (name === 'hyperlink' && attributes.ref) {
        relations ??= relationsOf(archive, path);
        const relation = relations.get(attributes['r:id'] ?? '');
        if (relation?.external) links.set(attributes.ref.split(':')[0]!, relation.target);
      }
    },
    close(name) {
      rich.close(name);
      if (name === 'v' || name === 'f') text = null;
      else if (name === 'c' && cell !== null && row !== null) {
        cell.inline = rich.take();
        const shown = values.text(cell);
        if (shown !== '' && cell.column < maxColumns) {
          if (++cells > maxCells) throw new Refusal(`a sheet has more than ${maxCells} cells`);
          if (isHidden || hiddenColumns.has(cell.column)) hidden.push(tidyLine(shown));
          while (row.length < cell.column) row.push(blank);
          row[cell.column] = { text: tidyLine(shown) };
        }
        cell = null;
      } else if (name === 'row' && row !== null) {
        if (row.length > 0) {
          // Blank rows separate tables.
          const before = numbers.at(-1);
          if (before !== undefined && number > before + 1) {
            numbers.push(number - 1);
            rows.push([]);
          }
          if (isHidden) hiddenRows.add(row);
          numbers.push(number);
          rows.push(row);
        }
        row = null;
      }
    },
    text(piece) {
      if (cell === null) return;
      if (text === null) rich.add(piece);
      else cell[text] += piece;
    },
  });
  const places = new Map(numbers.map((number, place) => [number, place]));
  const at = (reference: string): { row: number; column: number } | null => {
    const column = columnOf(reference);
    const place = places.get(rowOf(reference));
    return column === null || place === undefined ? null : { row: place, column };
  };
  for (const [reference, address] of links) {
    const place = at(reference);
    const found = place && rows[place.row]![place.column];
    if (place && found) rows[place.row]![place.column] = { text: linked(found.text, address) };
  }
  let width = 0;
  for (const row of rows) width = Math.max(width, row.length);
  for (const reference of merges) {
    const [first = '', last = first] = reference.split(':');
    const from = at(first);
    const shown = from && rows[from.row]![from.column];
    // A title is often merged across otherwise unused columns.
    const lastColumn = Math.min(columnOf(last) ?? -1, width - 1);
    if (!from || !shown?.text) continue;
    for (let n = from.row; n < rows.length && numbers[n]! <= rowOf(last); n++) {
      const row = rows[n]!;
      while (row.length < from.column) row.push(blank);
      for (let m = from.column; m <= lastColumn; m++) row[m] = shown;
    }
  }
  if (hiddenColumns.size > 0)
    for (const row of rows) for (const n of row.keys()) if (hiddenColumns.has(n)) row[n] = blank;
  return { rows: hiddenRows.size === 0 ? rows : rows.filter((row) => !hiddenRows.has(row)), hidden };
}

const blank: MarkedText = { text: '' };

const rowOf = (reference: string): number => Number(/\d+/.exec(reference)?.[0]);

/** "BC12" → 54. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  let n = 0;
  for (const letter of letters) n = n * 26 + letter.charCodeAt(0) - 64;
  return n - 1;
}

/** Assembles a text from its runs, without phonetic readings. Struck-out runs are marked. */
class RichText {
  #text = '';
  #reads = false;
  #phonetic = 0;
  #isStruck = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'rPh') this.#phonetic++;
    else if (name === 'r') this.#isStruck = false;
    else if (name === 'strike') this.#isStruck = !/^(?:0|false)$/.test(attributes.val ?? '');
    else if (name === 't') this.#reads = this.#phonetic === 0;
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic--;
    else if (name === 't') this.#reads = false;
    else if (name === 'r') this.#isStruck = false;
  }

  add(piece: string): void {
    if (this.#reads) this.#text += this.#isStruck ? struck(piece) : piece;
  }

  /** Returns the text so far and starts the next one. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Shared strings, which cells reference by number. */
function sharedStrings(source: Uint8Array | null): string[] {
  const strings: string[] = [];
  const rich = new RichText();
  scanXml(source ?? '', {
    open: (name, attributes) => rich.open(name, attributes),
    close(name) {
      rich.close(name);
      if (name === 'si') strings.push(rich.take());
    },
    text: (piece) => rich.add(piece),
  });
  return strings;
}

interface CellStyle {
  /** The number format. */
  code: string;
  struck: boolean;
}

/** Converts cell values to their displayed text. */
class Values {
  readonly #strings: readonly string[];
  readonly #styles: readonly CellStyle[];
  readonly #from1904: boolean;

  constructor(strings: readonly string[], styles: string | null, from1904: boolean) {
    this.#strings = strings;
    this.#styles = cellStyles(styles);
    this.#from1904 = from1904;
  }

  text(cell: Pick<OpenCell, 'type' | 'style' | 'value' | 'formula' | 'inline'>): string {
    const text = this.#plain(cell);
    const address = /^HYPERLINK\("([^"]+)"/i.exec(cell.formula.trim())?.[1];
    return linked(this.#styles[cell.style]?.struck ? struck(text) : text, address);
  }

  #plain({ type, style, value, inline }: Pick<OpenCell, 'type' | 'style' | 'value' | 'inline'>): string {
    if (type === 'inlineStr') return inline;
    if (value === '') return inline;
    if (type === 's') return this.#strings[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
    const n = Number(value);
    if (type !== 'n' || !Number.isFinite(n)) return value;
    return numberText(n, this.#styles[style]?.code ?? 'General', this.#from1904);
  }
}

/** The largest serial number of a date: 31 December 9999. */
const lastDay = 2_958_465;

/** A number as displayed in its format. */
function numberText(n: number, code: string, from1904: boolean): string {
  // The file stores 0.1 + 0.2 as 0.30000000000000004, but it is displayed as 0.3.
  const plain = String(Number(n.toPrecision(12)));
  if (code === 'General') return plain;
  try {
    if (isDateFormat(code)) {
      const { year, month, day, seconds } = getFormatDateInfo(code);
      // The minutes in "mm:ss" are reported as a month.
      const showsDay = year || day || (month && !seconds);
      const serial = n + (from1904 ? 1462 : 0);
      if (showsDay && n >= 1 && serial <= lastDay)
        return format('yyyy-mm-dd hh:mm', serial).replace(/ 00:00$/, '');
      return format(code, n).trim();
    }
    const { type } = getFormatInfo(code);
    const says = isPercentFormat(code) || type === 'currency' || type === 'fraction' || type === 'scientific';
    const shown = format(code.replace(/#,(?=[#0])/g, ''), n).trim();
    return says || /[^\d\s.,()+-]/.test(shown) ? shown : plain;
  } catch {
    // Numbers in an unsupported format are displayed without formatting.
    return plain;
  }
}

/** Keyed by the style number used in cells. */
function cellStyles(source: string | null): CellStyle[] {
  if (source === null) return [];
  const root = parseXml(source);
  const own = new Map(
    descendants(root, 'numFmt').map(({ attributes }) => [
      Number(attributes.numFmtId),
      inEnglish(attributes.formatCode ?? 'General'),
    ]),
  );
  const fonts = descendants(root, 'fonts')[0];
  const strikes = (fonts ? childrenOf(fonts, 'font') : []).map((font) =>
    childrenOf(font, 'strike').some(({ attributes }) => !/^(?:0|false)$/.test(attributes.val ?? '')),
  );
  const formats = descendants(root, 'cellXfs')[0];
  return (formats ? childrenOf(formats, 'xf') : []).map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? 0);
    return {
      code: own.get(id) ?? (getFormatFromId(id) || 'General'),
      struck: strikes[Number(attributes.fontId ?? -1)] ?? false,
    };
  });
}

const letters = lettersOfAll('documents.dateCodes');
const foreign = new RegExp(classOf(letters.keys()), 'giu');

/** Converts a localised date format such as "ДД.ММ.ГГГГ" to the English letters used by Office. */
function inEnglish(code: string): string {
  const own = code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').replace(foreign, '');
  return /\p{L}/u.test(own) ? code : code.replace(foreign, (letter) => letters.get(letter.toLowerCase())!);
}
