/** XLSX: every visible sheet with its rows; shared and inline strings, cached results of formulas, dates. */
import { all, classOf } from '../../text/languages/index.ts';
import { type Block, type ParsedDocument, Refusal, tidyLine } from '../blocks.ts';
import {
  childOf,
  childrenOf,
  descendants,
  openArchive,
  parseXml,
  textOf,
  type XmlElement,
} from './archive.ts';
import { tableBlocks } from './table.ts';

const dateCode = new RegExp(classOf(all.map(({ pack }) => pack.documents.dateCodes).join('')), 'i');

export function parseXlsx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml|xl\/_rels\/workbook\.xml\.rels|docProps\/core\.xml)$/.test(
      name,
    ),
  );
  const workbook = archive.text('xl/workbook.xml');
  if (workbook === null) throw new Refusal('broken: no workbook inside');
  const targets = new Map<string, string>();
  for (const relation of descendants(
    parseXml(archive.text('xl/_rels/workbook.xml.rels') ?? ''),
    'Relationship',
  )) {
    targets.set(relation.attributes.Id ?? '', relation.attributes.Target ?? '');
  }
  const strings = childrenOf(parseXml(archive.text('xl/sharedStrings.xml') ?? ''), 'sst').flatMap((sst) =>
    childrenOf(sst, 'si').map(richText),
  );
  const dates = dateStyles(archive.text('xl/styles.xml'));
  const book = parseXml(workbook);
  const from1904 = /^(?:1|true)$/.test(descendants(book, 'workbookPr')[0]?.attributes.date1904 ?? '');
  const sheets = descendants(book, 'sheet').filter(
    (sheet) => (sheet.attributes.state ?? 'visible') === 'visible',
  );
  const blocks: Block[] = [];
  for (const sheet of sheets) {
    const target = targets.get(sheet.attributes['r:id'] ?? '') ?? '';
    const source = archive.text(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    if (source === null) continue;
    const rows = descendants(parseXml(source), 'row').map((row) => rowCells(row, strings, dates, from1904));
    const table = tableBlocks(dropEmptyColumns(rows));
    if (table.length === 0) continue;
    blocks.push(
      { kind: 'heading', level: 2, text: tidyLine(sheet.attributes.name ?? '') || 'Sheet' },
      ...table,
    );
  }
  const core = archive.text('docProps/core.xml');
  const title = core ? descendants(parseXml(core), 'dc:title')[0] : undefined;
  return { title: title ? tidyLine(textOf(title)) || null : null, blocks, hints: {} };
}

/** Excel's limit; a cell further right is a slip of the file. */
const maxColumns = 16_384;

function rowCells(
  row: XmlElement,
  strings: readonly string[],
  dates: ReadonlySet<number>,
  from1904: boolean,
): string[] {
  const cells: string[] = [];
  let column = 0;
  for (const cell of childrenOf(row, 'c')) {
    column = columnOf(cell.attributes.r) ?? column;
    if (column >= maxColumns) break;
    while (cells.length < column) cells.push('');
    cells[column] = cellText(cell, strings, dates, from1904);
    column++;
  }
  return cells;
}

function cellText(
  cell: XmlElement,
  strings: readonly string[],
  dates: ReadonlySet<number>,
  from1904: boolean,
): string {
  const type = cell.attributes.t ?? 'n';
  if (type === 'inlineStr') return richText(childOf(cell, 'is') ?? cell);
  const raw = textOf(childOf(cell, 'v') ?? { name: '', attributes: {}, children: [] });
  if (raw === '') return '';
  if (type === 's') return strings[Number(raw)] ?? '';
  if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return raw;
  const n = Number(raw);
  if (!Number.isFinite(n)) return raw;
  if (dates.has(Number(cell.attributes.s ?? -1)) && n >= 1 && n < 2_958_466) return dateText(n, from1904);
  // 0.1 + 0.2 is kept as 0.30000000000000004 in the file and shown as 0.3.
  return String(Number(n.toPrecision(12)));
}

/** A serial number as an ISO date, with the time where it has one. */
function dateText(serial: number, from1904: boolean): string {
  const days = serial + (from1904 ? 1462 : 0) - 25_569;
  const iso = new Date(Math.round(days * 86_400) * 1000).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

/** Indices of the cell formats that show a date. */
function dateStyles(source: string | null): Set<number> {
  const found = new Set<number>();
  if (source === null) return found;
  const root = parseXml(source);
  const own = new Map(
    descendants(root, 'numFmt').map((format) => [
      Number(format.attributes.numFmtId),
      format.attributes.formatCode ?? '',
    ]),
  );
  const formats = descendants(root, 'cellXfs')[0];
  for (const [n, xf] of (formats ? childrenOf(formats, 'xf') : []).entries()) {
    const id = Number(xf.attributes.numFmtId ?? 0);
    const code = (own.get(id) ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
    if ((id >= 14 && id <= 17) || id === 22 || dateCode.test(code)) found.add(n);
  }
  return found;
}

/** "BC12" → 54. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  let n = 0;
  for (const letter of letters) n = n * 26 + letter.charCodeAt(0) - 64;
  return n - 1;
}

/** Text of a string item without its phonetic reading. */
function richText(item: XmlElement): string {
  return childrenOf(item)
    .map((child) =>
      child.name === 't'
        ? textOf(child)
        : child.name === 'r'
          ? textOf(childOf(child, 't') ?? { name: '', attributes: {}, children: [] })
          : '',
    )
    .join('');
}

function dropEmptyColumns(rows: string[][]): string[][] {
  const used = new Set<number>();
  for (const row of rows) for (const [n, cell] of row.entries()) if (cell.trim() !== '') used.add(n);
  const columns = [...used].sort((a, b) => a - b);
  return rows.map((row) => columns.map((n) => row[n] ?? ''));
}
