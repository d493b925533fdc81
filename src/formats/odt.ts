/** Parses ODT (OpenDocument text) from content.xml, using its list styles to keep list numbers. */

import {
  type Archive,
  childOf,
  childrenOf,
  descendants,
  isElement,
  nearest,
  openArchive,
  parseXml,
  textOf,
  type XmlElement,
} from './archive.ts';
import { type ParsedDocument, Refusal, superscript, tidyLine } from './blocks.ts';
import { mathMl } from './formulas.ts';
import { Counters, formatCounter } from './labels.ts';
import { titleIn } from './office.ts';
import { type Look, lookWithin, OpenDocument, type Paragraph, Runs, Styles } from './runs.ts';
import { Grid } from './tables.ts';

interface Level {
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  shown: number;
}
interface Style {
  parent: string | null;
  look: Look;
}
interface List {
  style: string;
  counters: Counters;
  depth: number;
}

export function parseOdt(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:(?:content|styles|meta|META-INF\/manifest)\.xml|[^/]+\/content\.xml)$/.test(name),
  );
  if (archive.text('META-INF/manifest.xml')?.includes('encryption-data'))
    throw new Refusal('encrypted: it needs a password');
  const source = archive.bytes('content.xml');
  const content = source === null ? undefined : parseXml(source);
  const body = content && descendants(content, 'office:text')[0];
  if (!body) throw new Refusal('broken: no text document inside');
  const reader = new OdtReader(archive);
  const styles = archive.text('styles.xml');
  if (styles) reader.readStyles(parseXml(styles));
  reader.readStyles(content);
  reader.readBlocks(body, null);
  return reader.document.finish(titleIn(archive, 'meta.xml'));
}

class OdtReader {
  readonly document = new OpenDocument();
  private readonly archive: Archive;
  private readonly lists = new Map<string, Map<number, Level>>();
  private readonly byList = new Map<string, Counters>();
  private readonly raisedStyles = new Set<string>();
  private readonly styles = new Styles<Style>();
  /** Styles of hidden sections, tables, rows and columns. */
  private readonly hiddenStyles = new Set<string>();
  private readonly outline = new Map<number, Level>();
  private readonly outlineCounters = new Counters();

  constructor(archive: Archive) {
    this.archive = archive;
  }

  readStyles(root: XmlElement): void {
    for (const style of descendants(root, 'text:list-style')) {
      const levels = new Map<number, Level>();
      for (const level of childrenOf(style, 'text:list-level-style-number')) readLevel(level, levels);
      this.lists.set(style.attributes['style:name'] ?? '', levels);
    }
    for (const style of descendants(root, 'text:outline-style')) {
      for (const level of childrenOf(style, 'text:outline-level-style')) readLevel(level, this.outline);
    }
    for (const style of descendants(root, 'style:style')) {
      const name = style.attributes['style:name'] ?? '';
      const { attributes = {} } = childOf(style, 'style:text-properties') ?? {};
      if (/^(?:super|[1-9])/.test(attributes['style:text-position'] ?? '')) this.raisedStyles.add(name);
      const weight = attributes['fo:font-weight'];
      const display = attributes['text:display'];
      const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
      this.styles.set(name, {
        parent: style.attributes['style:parent-style-name'] ?? null,
        look: {
          bold: weight === undefined ? null : /^(?:bold|[6-9]00)$/.test(weight),
          hidden: display === undefined ? null : display === 'none',
          struck: line === undefined ? null : line !== 'none',
        },
      });
      if (childOf(style, 'style:table-properties')?.attributes['table:display'] === 'false')
        this.hiddenStyles.add(name);
    }
  }

  readBlocks(parent: XmlElement, list: List | null): void {
    for (const child of childrenOf(parent)) {
      const name = child.name;
      if (this.isHidden(child)) this.document.leaveOut(textOf(child));
      else if (name === 'text:h') this.readHeading(child);
      else if (name === 'text:p') this.push({ kind: 'paragraph' }, child);
      else if (name === 'text:list') this.readList(child, list);
      else if (name === 'table:table') this.readTable(child);
      else if (
        /^(?:text:section|text:index-body|draw:text-box|draw:frame|text:list-item|text:list-header)$/.test(
          name,
        )
      )
        this.readBlocks(child, list);
    }
  }

  private readHeading(heading: XmlElement): void {
    const level = Number(heading.attributes['text:outline-level'] ?? 1) || 1;
    const text = tidyLine(this.read(heading).text);
    if (text === '') return;
    let label = '';
    if (this.outline.get(level) && heading.attributes['text:is-list-header'] !== 'true') {
      this.outlineCounters.next(level - 1, this.outline.get(level)!.start);
      label = labelOf(this.outline, this.outlineCounters, level);
    }
    this.document.blocks.push({ kind: 'heading', level, text: label ? `${label} ${text}` : text });
    for (const box of boxesIn(heading)) this.readBlocks(box, null);
  }

  private isHidden({ name, attributes }: XmlElement): boolean {
    return (
      (name === 'text:section' &&
        (attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true')) ||
      (name === 'table:table' && this.hiddenStyles.has(attributes['table:style-name'] ?? ''))
    );
  }

  private readList(element: XmlElement, outer: List | null): void {
    const style = element.attributes['text:style-name'] ?? outer?.style ?? '';
    const id = element.attributes['xml:id'] ?? '';
    const continues = element.attributes['text:continue-list'];
    const depth = outer ? outer.depth + 1 : 0;
    let counters = outer?.counters ?? new Counters();
    if (!outer) {
      const earlier = continues
        ? this.byList.get(continues)
        : element.attributes['text:continue-numbering'] === 'true'
          ? this.byList.get(`style ${style}`)
          : undefined;
      counters = earlier ?? counters;
      if (id) this.byList.set(id, counters);
      this.byList.set(`style ${style}`, counters);
    }
    const list: List = { style, counters, depth };
    for (const item of childrenOf(element)) {
      if (item.name === 'text:list-item') this.readItem(item, list);
      else this.readBlocks(item, list);
    }
  }

  private readItem(item: XmlElement, list: List): void {
    const levels = this.lists.get(list.style);
    const level = levels?.get(list.depth + 1);
    let marker = '–';
    if (levels && level) {
      const given = Number(item.attributes['text:start-value']);
      if (given > 0) list.counters.set(list.depth, given);
      else list.counters.next(list.depth, level.start);
      marker = labelOf(levels, list.counters, list.depth + 1) || '–';
    }
    let first = true;
    for (const child of childrenOf(item)) {
      if (first && (child.name === 'text:p' || child.name === 'text:h')) {
        this.push({ kind: 'item', marker, depth: list.depth }, child);
        first = false;
      } else if (child.name === 'text:list') this.readList(child, list);
      else this.readBlocks({ ...item, children: [child] }, list);
    }
  }

  private readTable(table: XmlElement): void {
    const rows = tableRows(table, false);
    const isHidden = (row: XmlElement) =>
      /^(?:collapse|filter)$/.test(row.attributes['table:visibility'] ?? '');
    for (const { row } of rows) if (isHidden(row)) this.document.leaveOut(cellsOf(row).map(textOf).join(' '));
    const shown = rows.filter(({ row }) => !isHidden(row));
    if (shown.every(({ row }) => cellsOf(row).length <= 1)) {
      for (const { row } of shown) for (const cell of cellsOf(row)) this.readBlocks(cell, null);
      return;
    }
    const collapsed = hiddenColumns(table);
    const grid = new Grid();
    let header = 0;
    for (const { row, header: isHeader } of rows) {
      if (isHeader && !isHidden(row)) header++;
      const cells = childrenOf(row).filter(({ name }) => /^table:(?:covered-)?table-cell$/.test(name));
      const last = cells.findLastIndex(
        (cell) => textOf(cell).trim() !== '' || cell.name !== 'table:table-cell',
      );
      // Repeated rows are either blank rows that fill the sheet or identical consecutive rows.
      const times = last < 0 ? 1 : repeated(row.attributes['table:number-rows-repeated']);
      for (let n = 0; n < times; n++) {
        grid.row({ hidden: isHidden(row) });
        let column = 0;
        for (const cell of cells.slice(0, last + 1)) {
          const text = cell.name === 'table:table-cell' ? this.cellText(cell) : '';
          const spans = (name: string) => Number(cell.attributes[name]) || 1;
          const again = repeated(cell.attributes['table:number-columns-repeated']);
          for (let m = 0; m < again; m++, column++) {
            // A covered cell takes its content from the cell that covers it.
            if (cell.name !== 'table:table-cell') continue;
            if (collapsed.has(column)) this.document.leaveOut(text);
            grid.add(
              { text: collapsed.has(column) ? '' : text },
              spans('table:number-columns-spanned'),
              spans('table:number-rows-spanned'),
            );
          }
        }
      }
    }
    this.document.blocks.push(...grid.blocks(header));
  }

  /** The paragraphs in a cell in order, excluding notes, comments and hidden sections. */
  private *paragraphsIn(parent: XmlElement): Generator<XmlElement> {
    for (const child of childrenOf(parent)) {
      if (this.isHidden(child)) this.document.leaveOut(textOf(child));
      else if (/^text:[ph]$/.test(child.name)) yield child;
      else if (!/^(?:text:note|office:annotation)$/.test(child.name)) yield* this.paragraphsIn(child);
    }
  }

  private cellText(cell: XmlElement): string {
    return tidyLine([...this.paragraphsIn(cell)].map((paragraph) => this.read(paragraph).text).join(' '));
  }

  private push(
    block: { kind: 'paragraph' } | { kind: 'item'; marker: string; depth: number },
    element: XmlElement,
  ): void {
    const read = this.read(element);
    if (read.text !== '') this.document.blocks.push({ ...block, ...read });
    for (const box of boxesIn(element)) this.readBlocks(box, null);
  }

  /** The text of a paragraph and its bold opening words. */
  private read(element: XmlElement): Paragraph {
    const runs = new Runs();
    const walk = (node: XmlElement, raised: boolean, look: Look, address: string | null) => {
      const add = (piece: string) => runs.add(piece, look, address);
      for (const child of node.children) {
        if (!isElement(child)) {
          // White space in the source is layout; significant spaces are separate elements.
          const text = child.replace(/\s+/g, ' ');
          add(raised ? superscript(runs.text, text) : text);
        } else if (child.name === 'text:s')
          add(' '.repeat(Math.min(100, Number(child.attributes['text:c'] ?? 1) || 1)));
        else if (child.name === 'text:tab') add('\t');
        else if (child.name === 'text:line-break') add('\n');
        else if (child.name === 'text:note') {
          const body = childOf(child, 'text:note-body');
          const text = body
            ? paragraphsOf(body)
                .map((paragraph) => this.read(paragraph).text)
                .join(' ')
            : '';
          if (look.hidden) this.document.leaveOut(text);
          else {
            const note = this.document.note();
            note.text = text;
            add(` [${note.mark}]`);
          }
        } else if (/^text:(?:hidden-text|hidden-paragraph)$/.test(child.name)) {
          if (child.attributes['text:is-hidden'] !== 'false')
            runs.hidden += ` ${child.attributes['text:string-value'] ?? textOf(child)}`;
          else walk(child, raised, look, address);
        } else if (child.name === 'draw:frame') add(this.formulaOf(child));
        else if (!/^(?:draw:|office:annotation|text:tracked-changes|text:bookmark)/.test(child.name)) {
          const style = child.attributes['text:style-name'];
          const href = child.name === 'text:a' ? child.attributes['xlink:href'] : undefined;
          walk(
            child,
            raised || this.raisedStyles.has(style ?? ''),
            lookWithin(look, this.styles.look(style)),
            href ?? address,
          );
        }
      }
    };
    const isHidden = childrenOf(element, 'text:hidden-paragraph').some(
      (one) => one.attributes['text:is-hidden'] === 'true',
    );
    const look = this.styles.look(element.attributes['text:style-name']);
    walk(element, false, isHidden ? { ...look, hidden: true } : look, null);
    this.document.leaveOut(runs.hidden);
    return runs.take();
  }

  /** A formula is a separate object in a folder of the archive. */
  private formulaOf(frame: XmlElement): string {
    const path = childOf(frame, 'draw:object')?.attributes['xlink:href']?.replace(/^\.\//, '');
    const source = path ? this.archive.text(`${path}/content.xml`) : null;
    const math = source?.includes('Math') ? descendants(parseXml(source), 'math:math')[0] : undefined;
    return math ? mathMl(math) : '';
  }
}

/** Maximum number of repetitions of a row or cell. */
const repeatedMax = 1000;

function repeated(times: string | undefined): number {
  return Math.min(repeatedMax, Math.max(1, Number(times) || 1));
}

/** The text boxes anchored in a paragraph, excluding nested ones. */
const boxesIn = (element: XmlElement): XmlElement[] => nearest(element, /^draw:text-box$/, /^/);

function cellsOf(row: XmlElement): XmlElement[] {
  return childrenOf(row, 'table:table-cell');
}

/** The hidden columns of a table. */
function hiddenColumns(table: XmlElement): ReadonlySet<number> {
  const found = new Set<number>();
  let at = 0;
  for (const column of descendants(table, 'table:table-column')) {
    const times = repeated(column.attributes['table:number-columns-repeated']);
    if (/^(?:collapse|filter)$/.test(column.attributes['table:visibility'] ?? ''))
      for (let n = 0; n < times; n++) found.add(at + n);
    at += times;
  }
  return found;
}

function readLevel(level: XmlElement, into: Map<number, Level>): void {
  const format = level.attributes['style:num-format'] ?? '';
  const n = Number(level.attributes['text:level']) || 1;
  if (format === '') {
    into.delete(n);
    return;
  }
  into.set(n, {
    format,
    prefix: level.attributes['style:num-prefix'] ?? '',
    suffix: level.attributes['style:num-suffix'] ?? '',
    start: Number(level.attributes['text:start-value'] ?? 1) || 1,
    shown: Number(level.attributes['text:display-levels'] ?? 1) || 1,
  });
}

/** The label of the most recently counted item at a level (counted from 1). */
function labelOf(levels: Map<number, Level>, counters: Counters, level: number): string {
  const own = levels.get(level);
  if (!own) return '';
  const numbers: string[] = [];
  for (let n = Math.max(1, level - own.shown + 1); n <= level; n++) {
    const at = levels.get(n);
    if (at) numbers.push(formatCounter(counters.value(n - 1, at.start), at.format));
  }
  return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
}

function tableRows(parent: XmlElement, header: boolean): { row: XmlElement; header: boolean }[] {
  return childrenOf(parent).flatMap((child) => {
    if (child.name === 'table:table-header-rows') return tableRows(child, true);
    if (child.name === 'table:table-rows' || child.name === 'table:table-row-group')
      return tableRows(child, header);
    return child.name === 'table:table-row' ? [{ row: child, header }] : [];
  });
}

function paragraphsOf(cell: XmlElement): XmlElement[] {
  return [...descendants(cell, 'text:p'), ...descendants(cell, 'text:h')];
}
