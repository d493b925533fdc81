/** ODT (OpenDocument text): content.xml with its list styles, so that list numbers stay. */
import {
  type Block,
  LeadingRun,
  type ParsedDocument,
  Refusal,
  superscript,
  tidyLine,
  tidyParagraph,
} from '../blocks.ts';
import {
  childOf,
  childrenOf,
  descendants,
  isElement,
  openArchive,
  parseXml,
  textOf,
  type XmlElement,
} from './archive.ts';
import { Counters, formatCounter } from './labels.ts';

interface Level {
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  shown: number;
}
interface List {
  style: string;
  counters: Counters;
  depth: number;
}

export function parseOdt(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:content|styles|meta|META-INF\/manifest)\.xml$/.test(name),
  );
  if (archive.text('META-INF/manifest.xml')?.includes('encryption-data'))
    throw new Refusal('encrypted: it needs a password');
  const source = archive.text('content.xml');
  const content = source === null ? undefined : parseXml(source);
  const body = content && descendants(content, 'office:text')[0];
  if (!body) throw new Refusal('broken: no text document inside');
  const reader = new OdtReader();
  const styles = archive.text('styles.xml');
  if (styles) reader.readStyles(parseXml(styles));
  reader.readStyles(content);
  reader.readBlocks(body, null);
  const meta = archive.text('meta.xml');
  const title = meta ? descendants(parseXml(meta), 'dc:title')[0] : undefined;
  return {
    title: title ? tidyLine(textOf(title)) || null : null,
    blocks: [...reader.blocks, ...reader.notes],
    hints: {},
  };
}

class OdtReader {
  readonly blocks: Block[] = [];
  readonly notes: Block[] = [];
  private readonly lists = new Map<string, Map<number, Level>>();
  private readonly byList = new Map<string, Counters>();
  private readonly raisedStyles = new Set<string>();
  private readonly weights = new Map<string, { bold: boolean | null; parent: string | null }>();
  private readonly outline = new Map<number, Level>();
  private readonly outlineCounters = new Counters();

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
      this.weights.set(name, {
        bold: weight === undefined ? null : /^(?:bold|[6-9]00)$/.test(weight),
        parent: style.attributes['style:parent-style-name'] ?? null,
      });
    }
  }

  readBlocks(parent: XmlElement, list: List | null): void {
    for (const child of childrenOf(parent)) {
      const name = child.name;
      if (name === 'text:h') this.readHeading(child);
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
    const text = tidyLine(this.textOf(heading));
    if (text === '') return;
    let label = '';
    if (this.outline.get(level) && heading.attributes['text:is-list-header'] !== 'true') {
      this.outlineCounters.next(level - 1, this.outline.get(level)!.start);
      label = labelOf(this.outline, this.outlineCounters, level);
    }
    this.blocks.push({ kind: 'heading', level, text: label ? `${label} ${text}` : text });
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
    const single = rows.every((row) => row.cells.length <= 1);
    for (const [n, row] of rows.entries()) {
      if (single) {
        for (const cell of row.cells) this.readBlocks(cell, null);
        continue;
      }
      const cells = row.cells.map((cell) =>
        tidyLine(
          paragraphsOf(cell)
            .map((p) => this.textOf(p))
            .join(' '),
        ),
      );
      if (cells.some((text) => text !== ''))
        this.blocks.push({ kind: 'row', cells, header: row.header || (n === 0 && rows.length > 1) });
    }
  }

  private push(
    block: { kind: 'paragraph' } | { kind: 'item'; marker: string; depth: number },
    element: XmlElement,
  ): void {
    const lead = new LeadingRun();
    const text = tidyParagraph(this.textOf(element, lead));
    if (text !== '') this.blocks.push({ ...block, text, ...lead.take() });
    for (const box of descendants(element, 'draw:text-box')) this.readBlocks(box, null);
  }

  /** Whether a style is bold; null where neither it nor its parents say. */
  private isBold(style: string | undefined): boolean | null {
    let name = style ?? null;
    for (let steps = 0; name !== null && steps < 20; steps++) {
      const found = this.weights.get(name);
      if (!found) return null;
      if (found.bold !== null) return found.bold;
      name = found.parent;
    }
    return null;
  }

  /** `lead` is told what is bold. */
  private textOf(element: XmlElement, lead?: LeadingRun): string {
    let out = '';
    const walk = (node: XmlElement, raised: boolean, bold: boolean) => {
      const add = (piece: string) => {
        out += piece;
        lead?.add(piece, bold);
      };
      for (const child of node.children) {
        if (!isElement(child)) {
          // White space in the source is layout; spaces that count are elements of their own.
          const text = child.replace(/\s+/g, ' ');
          add(raised ? superscript(out, text) : text);
        } else if (child.name === 'text:s')
          add(' '.repeat(Math.min(100, Number(child.attributes['text:c'] ?? 1) || 1)));
        else if (child.name === 'text:tab') add('\t');
        else if (child.name === 'text:line-break') add('\n');
        else if (child.name === 'text:note') {
          const body = childOf(child, 'text:note-body');
          this.notes.push({
            kind: 'paragraph',
            text: `[${this.notes.length + 1}] ${body ? tidyLine(textOf(body)) : ''}`,
          });
          add(` [${this.notes.length}]`);
        } else if (!/^(?:draw:|office:annotation|text:tracked-changes|text:bookmark)/.test(child.name)) {
          const style = child.attributes['text:style-name'];
          walk(child, raised || this.raisedStyles.has(style ?? ''), this.isBold(style) ?? bold);
        }
      }
    };
    walk(element, false, this.isBold(element.attributes['text:style-name']) ?? false);
    return out;
  }
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

/** Label of the item just counted at a level (from 1). */
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

function tableRows(parent: XmlElement, header: boolean): { cells: XmlElement[]; header: boolean }[] {
  return childrenOf(parent).flatMap((child) => {
    if (child.name === 'table:table-header-rows') return tableRows(child, true);
    if (child.name === 'table:table-rows' || child.name === 'table:table-row-group')
      return tableRows(child, header);
    if (child.name !== 'table:table-row') return [];
    return [{ cells: childrenOf(child, 'table:table-cell'), header }];
  });
}

function paragraphsOf(cell: XmlElement): XmlElement[] {
  return [...descendants(cell, 'text:p'), ...descendants(cell, 'text:h')];
}
