/**
 * Parses DOCX directly from its XML, because general converters lose the labels of automatically numbered paragraphs,
 * which may be article or point numbers. This parser computes them as a word processor does, from numbering.xml (start,
 * format, level text, restarts).
 */

import { anyOf, wordsOfAll } from '../language/index.ts';
import {
  type Archive,
  childOf,
  childrenOf,
  descendants,
  isElement,
  openArchive,
  parseXml,
  relationsOf,
  textOf,
  type XmlElement,
} from './archive.ts';
import {
  type Block,
  LeadingRun,
  type LeftOut,
  type ParsedDocument,
  Refusal,
  superscript,
  tidyLine,
  tidyParagraph,
} from './blocks.ts';
import { officeMath } from './formulas.ts';
import { Counters, formatCounter, isBullet } from './labels.ts';
import { linked, struck } from './marks.ts';
import { coreTitle, diagramTexts } from './office.ts';
import { Grid } from './tables.ts';

const headingStyle = new RegExp(`^${anyOf(...wordsOfAll('documents.headingStyle'))}\\s*([1-9])$`, 'i');

interface Level {
  start: number;
  format: string;
  text: string;
  /**
   * When the counter restarts: after any item at this level (counted from 1) or above. 0: never; null: after any item
   * at a higher level.
   */
  restart: number | null;
  /** The style whose paragraphs are on this level. */
  style: string | null;
  /** Whether every number in the label is written in digits. */
  legal: boolean;
}
interface Style {
  basedOn: string | null;
  name: string;
  outline: number | null;
  bold: boolean | null;
  hidden: boolean | null;
  struck: boolean | null;
  /** If `level` is null, the level linked to the style applies. */
  num: { id: string | null; level: number | null } | null;
}
/** A numbering instance that paragraphs refer to. */
interface Numbering {
  /** The definition that owns the counters. */
  abstract: string;
  levels: Map<number, Level>;
  /** Start numbers of this instance by level, applied on first use. */
  starts: Map<number, number>;
}
/** Text formatting in a paragraph. */
interface Look {
  bold: boolean;
  hidden: boolean;
  struck: boolean;
}

export function parseDocx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels|word\/diagrams\/[^/]+\.xml|docProps\/core\.xml)$/.test(
      name,
    ),
  );
  const main = archive.names.find((name) => /^word\/document\d*\.xml$/.test(name));
  const source = main ? archive.bytes(main) : null;
  if (!main || source === null) throw new Refusal('broken: no document inside');
  const body = descendants(parseXml(source), 'w:body')[0];
  if (!body) throw new Refusal('broken: the document has no body');
  const reader = new DocxReader(archive, main);
  reader.readBlocks(body);
  return {
    title: coreTitle(archive),
    blocks: reader.blocks,
    hints: {},
    ...(reader.left.length > 0 && { left: reader.left }),
  };
}

class DocxReader {
  readonly blocks: Block[] = [];
  readonly left: LeftOut[] = [];
  private readonly archive: Archive;
  private readonly relations: ReturnType<typeof relationsOf>;
  private readonly styles = new Map<string, Style>();
  private readonly numberings = new Map<string, Numbering>();
  private readonly counters = new Map<string, Counters>();
  /** Numbering instances used so far. */
  private readonly begun = new Set<string>();
  private readonly notes = new Map<string, { element: XmlElement; mark: number | null }>();
  private marks = 0;
  /** Notes referenced by the current block. */
  private readonly referred: string[] = [];
  private defaults: Look = { bold: false, hidden: false, struck: false };

  constructor(archive: Archive, main: string) {
    this.archive = archive;
    this.relations = relationsOf(archive, main);
    this.readStyles(archive.text('word/styles.xml'));
    this.readNumbering(archive.text('word/numbering.xml'));
    this.collectNotes('footnote', archive.text('word/footnotes.xml'));
    this.collectNotes('endnote', archive.text('word/endnotes.xml'));
  }

  private readStyles(source: string | null): void {
    if (!source) return;
    const root = parseXml(source);
    const usual = descendants(root, 'w:rPrDefault')[0];
    const properties = usual && childOf(usual, 'w:rPr');
    this.defaults = {
      bold: boldness(properties) ?? false,
      hidden: toggle(properties, 'w:vanish') ?? false,
      struck: strikes(properties) ?? false,
    };
    for (const style of descendants(root, 'w:style')) {
      const properties = childOf(style, 'w:pPr');
      const runs = childOf(style, 'w:rPr');
      const numbering = childOf(properties, 'w:numPr');
      this.styles.set(style.attributes['w:styleId'] ?? '', {
        basedOn: value(childOf(style, 'w:basedOn')),
        name: value(childOf(style, 'w:name')) ?? '',
        outline: integer(value(childOf(properties, 'w:outlineLvl'))),
        bold: boldness(runs),
        hidden: toggle(runs, 'w:vanish'),
        struck: strikes(runs),
        num: numbering
          ? {
              id: value(childOf(numbering, 'w:numId')),
              level: integer(value(childOf(numbering, 'w:ilvl'))),
            }
          : null,
      });
    }
  }

  private readNumbering(source: string | null): void {
    if (!source) return;
    const root = parseXml(source);
    const abstracts = new Map<string, { levels: Map<number, Level>; style: string | null }>();
    for (const abstract of descendants(root, 'w:abstractNum')) {
      const levels = new Map<number, Level>();
      for (const level of childrenOf(abstract, 'w:lvl'))
        levels.set(integer(level.attributes['w:ilvl'] ?? null) ?? 0, readLevel(level));
      const style = value(childOf(abstract, 'w:numStyleLink'));
      abstracts.set(abstract.attributes['w:abstractNumId'] ?? '', { levels, style });
    }
    const nums = descendants(root, 'w:num');
    const abstractOf = new Map(
      nums.map((num) => [num.attributes['w:numId'] ?? '', value(childOf(num, 'w:abstractNumId')) ?? '']),
    );
    for (const num of nums) {
      const id = num.attributes['w:numId'] ?? '';
      let abstract = abstractOf.get(id) ?? '';
      // A definition may only refer to the style that defines the levels.
      const style = abstracts.get(abstract)?.style;
      if (style) abstract = abstractOf.get(this.styles.get(style)?.num?.id ?? '') ?? abstract;
      const levels = new Map(abstracts.get(abstract)?.levels);
      const starts = new Map<number, number>();
      for (const change of childrenOf(num, 'w:lvlOverride')) {
        const n = integer(change.attributes['w:ilvl'] ?? null) ?? 0;
        const level = childOf(change, 'w:lvl');
        if (level) levels.set(n, readLevel(level));
        const start = integer(value(childOf(change, 'w:startOverride')));
        if (start !== null) starts.set(n, start);
      }
      this.numberings.set(id, { abstract, levels, starts });
    }
  }

  private collectNotes(kind: 'footnote' | 'endnote', source: string | null): void {
    if (!source) return;
    for (const note of descendants(parseXml(source), `w:${kind}`))
      if (note.attributes['w:type'] === undefined)
        this.notes.set(`${kind} ${note.attributes['w:id']}`, { element: note, mark: null });
  }

  /** Notes are placed after the block that references them. */
  private pushNotes(): void {
    for (const id of this.referred.splice(0)) {
      const { element, mark } = this.notes.get(id)!;
      const text = tidyLine(
        descendants(element, 'w:p')
          .map((paragraph) => this.textOfRuns(paragraph))
          .join(' '),
      );
      if (text !== '') this.blocks.push({ kind: 'note', mark: String(mark), text });
    }
  }

  readBlocks(parent: XmlElement): void {
    for (const child of childrenOf(parent)) {
      if (child.name === 'w:p') this.readParagraph(child);
      else if (child.name === 'w:tbl') this.readTable(child);
      else if (
        /^(?:w:sdt|w:sdtContent|w:ins|w:smartTag|w:customXml|mc:AlternateContent|mc:Choice)$/.test(child.name)
      )
        this.readBlocks(child);
    }
  }

  private readParagraph(paragraph: XmlElement): void {
    const properties = childOf(paragraph, 'w:pPr');
    const style = value(childOf(properties, 'w:pStyle'));
    const run = new LeadingRun();
    const text = tidyParagraph(this.textOfRuns(paragraph, run));
    const lead = run.take();
    // Table-of-contents entries repeat the headings.
    if (text !== '' && !/^toc \d$/i.test(this.styles.get(style ?? '')?.name ?? '')) {
      const label = this.labelOf(properties, style);
      const outline = integer(value(childOf(properties, 'w:outlineLvl'))) ?? this.outlineOf(style);
      if (outline !== null && outline < 9)
        this.blocks.push({
          kind: 'heading',
          level: outline + 1,
          text: tidyLine(label && !isBullet(label.text) ? `${label.text} ${text}` : text),
        });
      else if (label)
        this.blocks.push({
          kind: 'item',
          marker: isBullet(label.text) ? '–' : label.text,
          depth: label.level,
          text,
          ...lead,
        });
      else this.blocks.push({ kind: 'paragraph', text, ...lead });
    }
    this.pushNotes();
    for (const below of anchored(paragraph))
      if (below.name === 'w:txbxContent') this.readBlocks(below);
      else
        for (const text of diagramTexts(this.archive, this.relations, below))
          this.blocks.push({ kind: 'item', marker: '–', depth: 0, text });
  }

  /** The automatic label. The counter advances even if the label is not shown. */
  private labelOf(
    properties: XmlElement | undefined,
    style: string | null,
  ): { text: string; level: number } | null {
    const direct = childOf(properties, 'w:numPr');
    const id = value(childOf(direct, 'w:numId')) ?? this.inherited(style, (s) => s.num?.id ?? null);
    if (id === null || id === '0') return null;
    const numbering = this.numberings.get(id);
    if (!numbering) return null;
    const { abstract, levels, starts } = numbering;
    const level =
      integer(value(childOf(direct, 'w:ilvl'))) ??
      this.linkedLevel(style, levels) ??
      this.inherited(style, (s) => s.num?.level ?? null) ??
      0;
    const own = levels.get(level);
    if (!own) return null;
    const counters = this.counters.get(abstract) ?? new Counters();
    this.counters.set(abstract, counters);
    const keeps = (deeper: number) => {
      const restart = levels.get(deeper)?.restart ?? null;
      return restart !== null && level >= restart;
    };
    const startOf = (n: number) => starts.get(n) ?? levels.get(n)?.start ?? 1;
    // An instance with its own start number begins there once; other instances of the definition continue from it.
    const start = starts.get(level);
    const begins = `${id} ${level}`;
    if (start !== undefined && !this.begun.has(begins)) counters.set(level, start, keeps);
    else counters.next(level, startOf(level), keeps);
    this.begun.add(begins);
    if (own.format === 'bullet') return { text: '–', level };
    const text = own.text.replace(/%(\d)/g, (_, digit) => {
      const n = Number(digit) - 1;
      const format = levels.get(n)?.format ?? 'decimal';
      return formatCounter(counters.value(n, startOf(n)), own.legal ? 'decimal' : format);
    });
    return text.trim() === '' ? null : { text: text.trim(), level };
  }

  /** The level linked to a paragraph's style or one of its base styles. */
  private linkedLevel(style: string | null, levels: ReadonlyMap<number, Level>): number | null {
    for (const id of this.lineage(style)) for (const [n, level] of levels) if (level.style === id) return n;
    return null;
  }

  private outlineOf(style: string | null): number | null {
    return this.inherited(style, (s) => {
      if (s.outline !== null) return s.outline;
      const named = headingStyle.exec(s.name);
      if (named) return Number(named[1]) - 1;
      return /^title$/i.test(s.name) ? 0 : null;
    });
  }

  private inherited<T>(style: string | null, pick: (style: Style) => T | null): T | null {
    for (const id of this.lineage(style)) {
      const picked = pick(this.styles.get(id)!);
      if (picked !== null) return picked;
    }
    return null;
  }

  /** A style followed by its base styles. */
  private *lineage(style: string | null): Generator<string> {
    let id = style;
    for (let steps = 0; id !== null && steps < 20; steps++) {
      const found = this.styles.get(id);
      if (!found) return;
      yield id;
      id = found.basedOn;
    }
  }

  private readTable(table: XmlElement): void {
    const rows = rowsOf(table);
    const isHidden = (row: XmlElement) => toggle(childOf(row, 'w:trPr'), 'w:hidden') === true;
    for (const row of rows.filter(isHidden))
      this.left.push({ where: '', text: tidyLine(descendants(row, 'w:t').map(textOf).join(' ')) });
    const shown = rows.filter((row) => !isHidden(row));
    if (shown.every((row) => cellsOf(row).length <= 1)) {
      // A one-column table is just a frame around text.
      for (const row of shown) for (const cell of cellsOf(row)) this.readBlocks(cell);
      return;
    }
    const grid = new Grid();
    let header = 0;
    for (const [n, row] of rows.entries()) {
      const properties = childOf(row, 'w:trPr');
      if (header === n && toggle(properties, 'w:tblHeader')) header++;
      const blank = integer(value(childOf(properties, 'w:gridBefore'))) ?? 0;
      grid.row({ blank, hidden: isHidden(row) });
      for (const cell of cellsOf(row)) {
        const properties = childOf(cell, 'w:tcPr');
        const merge = childOf(properties, 'w:vMerge');
        const columns = integer(value(childOf(properties, 'w:gridSpan'))) ?? 1;
        const continues = merge !== undefined && merge.attributes['w:val'] !== 'restart';
        grid.add(continues ? null : { text: this.cellText(cell) }, columns);
      }
    }
    this.blocks.push(...grid.blocks(header));
    this.pushNotes();
  }

  private cellText(cell: XmlElement): string {
    return tidyLine(
      [...paragraphsIn(cell)]
        .map((paragraph) => {
          const properties = childOf(paragraph, 'w:pPr');
          const text = this.textOfRuns(paragraph);
          const label =
            text.trim() === '' ? null : this.labelOf(properties, value(childOf(properties, 'w:pStyle')));
          return label && !isBullet(label.text) ? `${label.text} ${text}` : text;
        })
        .join(' '),
    );
  }

  /** The text of a paragraph; `lead` collects its bold opening words. */
  private textOfRuns(paragraph: XmlElement, lead?: LeadingRun): string {
    const style = value(childOf(childOf(paragraph, 'w:pPr'), 'w:pStyle'));
    const usual: Look = {
      bold: this.inherited(style, (s) => s.bold) ?? this.defaults.bold,
      hidden: this.inherited(style, (s) => s.hidden) ?? this.defaults.hidden,
      struck: this.inherited(style, (s) => s.struck) ?? this.defaults.struck,
    };
    const fields = new Fields();
    let out = '';
    let hidden = '';
    const add = (look: Look, piece: string) => {
      if (look.hidden) {
        hidden += piece;
        return;
      }
      const address = fields.address();
      const shown = look.struck ? struck(piece) : piece;
      out += address === null ? shown : linked(shown, address);
      lead?.add(piece, look.bold);
    };
    const walk = (element: XmlElement, look: Look): void => {
      for (const child of element.children) {
        if (!isElement(child)) continue;
        const name = child.name;
        if (name === 'w:t') add(look, raised(element) ? superscript(out, textOf(child)) : textOf(child));
        else if (name === 'w:tab' || name === 'w:ptab') add(look, '\t');
        else if (name === 'w:br' || name === 'w:cr') add(look, '\n');
        else if (name === 'w:noBreakHyphen') add(look, '-');
        else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
          if (!look.hidden) add(look, this.noteMark(name.slice(2, -9), child));
        } else if (name === 'm:oMath') add(look, officeMath(child));
        else if (name === 'w:fldChar') fields.mark(child.attributes['w:fldCharType']);
        else if (name === 'w:instrText') fields.instruct(textOf(child));
        else if (name === 'w:fldSimple') {
          fields.mark('begin');
          fields.instruct(child.attributes['w:instr'] ?? '');
          fields.mark('separate');
          walk(child, look);
          fields.mark('end');
        } else if (name === 'w:hyperlink') {
          const relation = this.relations.get(child.attributes['r:id'] ?? '');
          fields.open(relation?.external ? relation.target : null);
          walk(child, look);
          fields.mark('end');
        } else if (name === 'w:r') walk(child, this.lookOf(child, look));
        else if (!notText.test(name)) walk(child, look);
      }
    };
    walk(paragraph, usual);
    if (hidden.trim() !== '') this.left.push({ where: '', text: tidyLine(hidden) });
    return out;
  }

  /** The formatting of a run, given the formatting of its paragraph. */
  private lookOf(run: XmlElement, usual: Look): Look {
    const properties = childOf(run, 'w:rPr');
    if (!properties) return usual;
    const style = value(childOf(properties, 'w:rStyle'));
    return {
      bold: boldness(properties) ?? this.inherited(style, (s) => s.bold) ?? usual.bold,
      hidden: toggle(properties, 'w:vanish') ?? this.inherited(style, (s) => s.hidden) ?? usual.hidden,
      struck: strikes(properties) ?? this.inherited(style, (s) => s.struck) ?? usual.struck,
    };
  }

  private noteMark(kind: string, reference: XmlElement): string {
    const id = `${kind} ${reference.attributes['w:id']}`;
    const note = this.notes.get(id);
    if (!note) return '';
    if (note.mark === null) {
      note.mark = ++this.marks;
      this.referred.push(id);
    }
    return ` [${note.mark}]`;
  }
}

/** Paragraph elements that are not part of its text. */
const notText =
  /^(?:w:pPr|w:rPr|w:del|w:moveFrom|w:txbxContent|mc:Fallback|w:drawing|w:pict|w:object|w:delText)$/;

/** The fields open at a position in a paragraph, and the targets of those that are links. */
class Fields {
  readonly #open: { code: string; shows: boolean; address: string | null }[] = [];

  mark(type: string | undefined): void {
    const last = this.#open.at(-1);
    if (type === 'begin') this.#open.push({ code: '', shows: false, address: null });
    else if (type === 'separate' && last) {
      last.shows = true;
      last.address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(last.code)?.[1] ?? null;
    } else if (type === 'end') this.#open.pop();
  }

  instruct(code: string): void {
    const last = this.#open.at(-1);
    if (last && !last.shows) last.code += code;
  }

  open(address: string | null): void {
    this.#open.push({ code: '', shows: true, address });
  }

  address(): string | null {
    return this.#open.findLast(({ address }) => address !== null)?.address ?? null;
  }
}

function readLevel(level: XmlElement): Level {
  return {
    start: integer(value(childOf(level, 'w:start'))) ?? 1,
    format: value(childOf(level, 'w:numFmt')) ?? 'decimal',
    text: value(childOf(level, 'w:lvlText')) ?? '',
    restart: integer(value(childOf(level, 'w:lvlRestart'))),
    style: value(childOf(level, 'w:pStyle')),
    legal: toggle(level, 'w:isLgl') ?? false,
  };
}

/**
 * Text boxes and diagrams anchored in a paragraph. If the file contains two versions of one, the newer version is used.
 */
function anchored(paragraph: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const walk = (element: XmlElement) => {
    for (const child of childrenOf(element)) {
      if (child.name === 'w:txbxContent' || child.name === 'dgm:relIds') found.push(child);
      else if (child.name !== 'mc:Fallback') walk(child);
    }
  };
  walk(paragraph);
  return found;
}

/** The paragraphs in a cell, including those in nested tables and text boxes. */
function* paragraphsIn(parent: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(parent)) {
    if (child.name === 'w:p') {
      yield child;
      for (const box of anchored(child)) yield* paragraphsIn(box);
    } else if (child.name !== 'mc:Fallback') yield* paragraphsIn(child);
  }
}

function rowsOf(table: XmlElement): XmlElement[] {
  return childrenOf(table).flatMap((child) =>
    child.name === 'w:tr' ? [child] : /^w:(?:sdt|sdtContent|ins)$/.test(child.name) ? rowsOf(child) : [],
  );
}

function cellsOf(row: XmlElement): XmlElement[] {
  return childrenOf(row).flatMap((child) =>
    child.name === 'w:tc' ? [child] : /^w:(?:sdt|sdtContent)$/.test(child.name) ? cellsOf(child) : [],
  );
}

function raised(run: XmlElement): boolean {
  return value(childOf(childOf(run, 'w:rPr'), 'w:vertAlign')) === 'superscript';
}

/** The value of an on/off property; null if it is not set. */
function toggle(properties: XmlElement | undefined, name: string): boolean | null {
  const property = childOf(properties, name);
  return property ? !/^(?:0|false|off|none)$/.test(property.attributes['w:val'] ?? '') : null;
}

const boldness = (properties: XmlElement | undefined): boolean | null => toggle(properties, 'w:b');

const strikes = (properties: XmlElement | undefined): boolean | null =>
  either(toggle(properties, 'w:strike'), toggle(properties, 'w:dstrike'));

/** Whether either of two properties is on; null if neither is set. */
const either = (one: boolean | null, other: boolean | null): boolean | null =>
  one === null || other === null ? (one ?? other) : one || other;

function value(element: XmlElement | undefined): string | null {
  return element?.attributes['w:val'] ?? null;
}

function integer(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
