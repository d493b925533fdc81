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
  nearest,
  openArchive,
  parseXml,
  relationsOf,
  textOf,
  type XmlElement,
} from './archive.ts';
import { type ParsedDocument, Refusal, superscript, tidyLine } from './blocks.ts';
import { officeMath } from './formulas.ts';
import { Counters, formatCounter, isBullet } from './labels.ts';
import { diagramTexts, titleIn } from './office.ts';
import { type Look, lookWithin, OpenDocument, type Paragraph, Runs, Styles } from './runs.ts';
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
  parent: string | null;
  name: string;
  outline: number | null;
  look: Look;
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
  reader.readNotes();
  return reader.document.finish(titleIn(archive));
}

class DocxReader {
  readonly document = new OpenDocument();
  private readonly archive: Archive;
  private readonly relations: ReturnType<typeof relationsOf>;
  private readonly styles = new Styles<Style>();
  private readonly numberings = new Map<string, Numbering>();
  private readonly counters = new Map<string, Counters>();
  /** Numbering instances used so far. */
  private readonly begun = new Set<string>();
  /** The reference is null for a note that no text has referred to yet. */
  private readonly notes = new Map<string, { element: XmlElement; reference: string | null }>();
  /** The notes that were referred to, in order. */
  private readonly referred: { note: { text: string }; element: XmlElement }[] = [];
  private defaults: Look = lookIn(undefined);

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
    this.defaults = lookIn(childOf(usual, 'w:rPr'));
    for (const style of descendants(root, 'w:style')) {
      const properties = childOf(style, 'w:pPr');
      const numbering = childOf(properties, 'w:numPr');
      this.styles.set(style.attributes['w:styleId'] ?? '', {
        parent: value(childOf(style, 'w:basedOn')),
        name: value(childOf(style, 'w:name')) ?? '',
        outline: integer(value(childOf(properties, 'w:outlineLvl'))),
        look: lookIn(childOf(style, 'w:rPr')),
        num: numbering
          ? { id: value(childOf(numbering, 'w:numId')), level: integer(value(childOf(numbering, 'w:ilvl'))) }
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
        this.notes.set(`${kind} ${note.attributes['w:id']}`, { element: note, reference: null });
  }

  /** Reads the notes that were referred to, including those that only other notes refer to. */
  readNotes(): void {
    for (const { note, element } of this.referred)
      note.text = descendants(element, 'w:p')
        .map((paragraph) => this.read(paragraph).text)
        .join(' ');
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
    const { text, ...lead } = this.read(paragraph);
    // Table-of-contents entries repeat the headings.
    if (text !== '' && !/^toc \d$/i.test(this.styles.get(style ?? '')?.name ?? '')) {
      const label = this.labelOf(properties, style);
      const outline = integer(value(childOf(properties, 'w:outlineLvl'))) ?? this.outlineOf(style);
      if (outline !== null && outline < 9)
        this.document.blocks.push({
          kind: 'heading',
          level: outline + 1,
          text: tidyLine(label && !isBullet(label.text) ? `${label.text} ${text}` : text),
        });
      else if (label)
        this.document.blocks.push({
          kind: 'item',
          marker: isBullet(label.text) ? '–' : label.text,
          depth: label.level,
          text,
          ...lead,
        });
      else this.document.blocks.push({ kind: 'paragraph', text, ...lead });
    }
    for (const below of anchored(paragraph))
      if (below.name === 'w:txbxContent') this.readBlocks(below);
      else
        for (const text of diagramTexts(this.archive, this.relations, below))
          this.document.blocks.push({ kind: 'item', marker: '–', depth: 0, text });
  }

  /** The automatic label. The counter advances even if the label is not shown. */
  private labelOf(
    properties: XmlElement | undefined,
    style: string | null,
  ): { text: string; level: number } | null {
    const direct = childOf(properties, 'w:numPr');
    const id = value(childOf(direct, 'w:numId')) ?? this.styles.inherited(style, (s) => s.num?.id ?? null);
    if (id === null || id === '0') return null;
    const numbering = this.numberings.get(id);
    if (!numbering) return null;
    const { abstract, levels, starts } = numbering;
    const level =
      integer(value(childOf(direct, 'w:ilvl'))) ??
      this.linkedLevel(style, levels) ??
      this.styles.inherited(style, (s) => s.num?.level ?? null) ??
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
    return this.styles.inherited(style, (_, name) => {
      const [n = null] = [...levels].find(([, level]) => level.style === name) ?? [];
      return n;
    });
  }

  private outlineOf(style: string | null): number | null {
    return this.styles.inherited(style, (s) => {
      if (s.outline !== null) return s.outline;
      const named = headingStyle.exec(s.name);
      if (named) return Number(named[1]) - 1;
      return /^title$/i.test(s.name) ? 0 : null;
    });
  }

  private readTable(table: XmlElement): void {
    const rows = rowsOf(table);
    const isHidden = (row: XmlElement) => toggle(childOf(row, 'w:trPr'), 'w:hidden') === true;
    for (const row of rows.filter(isHidden))
      this.document.leaveOut(descendants(row, 'w:t').map(textOf).join(' '));
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
    this.document.blocks.push(...grid.blocks(header));
  }

  private cellText(cell: XmlElement): string {
    return tidyLine(
      [...paragraphsIn(cell)]
        .map((paragraph) => {
          const properties = childOf(paragraph, 'w:pPr');
          const { text } = this.read(paragraph);
          const label = text === '' ? null : this.labelOf(properties, value(childOf(properties, 'w:pStyle')));
          return label && !isBullet(label.text) ? `${label.text} ${text}` : text;
        })
        .join(' '),
    );
  }

  /** The text of a paragraph and its bold opening words. */
  private read(paragraph: XmlElement): Paragraph {
    const style = value(childOf(childOf(paragraph, 'w:pPr'), 'w:pStyle'));
    const fields = new Fields();
    const runs = new Runs();
    const add = (look: Look, piece: string) => runs.add(piece, look, fields.address());
    const walk = (element: XmlElement, look: Look): void => {
      for (const child of element.children) {
        if (!isElement(child)) continue;
        const name = child.name;
        if (name === 'w:t')
          add(look, raised(element) ? superscript(runs.text, textOf(child)) : textOf(child));
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
    walk(paragraph, lookWithin(this.defaults, this.styles.look(style)));
    this.document.leaveOut(runs.hidden);
    return runs.take();
  }

  /** The formatting of a run, given the formatting of its paragraph. */
  private lookOf(run: XmlElement, usual: Look): Look {
    const properties = childOf(run, 'w:rPr');
    if (!properties) return usual;
    const styled = lookWithin(usual, this.styles.look(value(childOf(properties, 'w:rStyle'))));
    return lookWithin(styled, lookIn(properties));
  }

  private noteMark(kind: string, reference: XmlElement): string {
    const id = `${kind} ${reference.attributes['w:id']}`;
    const note = this.notes.get(id);
    if (!note) return '';
    if (note.reference === null) {
      const numbered = this.document.note();
      note.reference = ` [${numbered.mark}]`;
      this.referred.push({ note: numbered, element: note.element });
    }
    return note.reference;
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
const anchored = (paragraph: XmlElement): XmlElement[] =>
  nearest(paragraph, /^(?:w:txbxContent|dgm:relIds)$/, /^(?!mc:Fallback$)/);

/** The paragraphs in a cell, including those in nested tables and text boxes. */
function* paragraphsIn(parent: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(parent)) {
    if (child.name === 'w:p') {
      yield child;
      for (const box of anchored(child)) yield* paragraphsIn(box);
    } else if (child.name !== 'mc:Fallback') yield* paragraphsIn(child);
  }
}

const rowsOf = (table: XmlElement): XmlElement[] => nearest(table, /^w:tr$/, /^w:(?:sdt|sdtContent|ins)$/);

const cellsOf = (row: XmlElement): XmlElement[] => nearest(row, /^w:tc$/, /^w:(?:sdt|sdtContent)$/);

function raised(run: XmlElement): boolean {
  return value(childOf(childOf(run, 'w:rPr'), 'w:vertAlign')) === 'superscript';
}

/** The value of an on/off property; null if it is not set. */
function toggle(properties: XmlElement | undefined, name: string): boolean | null {
  const property = childOf(properties, name);
  return property ? !/^(?:0|false|off|none)$/.test(property.attributes['w:val'] ?? '') : null;
}

/** The formatting that the properties of a run or a style state. */
function lookIn(properties: XmlElement | undefined): Look {
  return {
    bold: toggle(properties, 'w:b'),
    hidden: toggle(properties, 'w:vanish'),
    struck: either(toggle(properties, 'w:strike'), toggle(properties, 'w:dstrike')),
  };
}

/** Whether either of two properties is on; null if neither is set. */
const either = (one: boolean | null, other: boolean | null): boolean | null =>
  one === null || other === null ? (one ?? other) : one || other;

function value(element: XmlElement | undefined): string | null {
  return element?.attributes['w:val'] ?? null;
}

function integer(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
