/**
 * DOCX by its own XML. General converters lose the labels of automatically numbered paragraphs, and those are the
 * numbers of articles and points here: they are counted as the word processor does (numbering.xml: start, format,
 * level text, restarts).
 */

import { anyOf, wordsOfAll } from '../../text/languages/index.ts';
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
  type Archive,
  childOf,
  childrenOf,
  descendants,
  isElement,
  openArchive,
  parseXml,
  textOf,
  type XmlElement,
} from './archive.ts';
import { Counters, formatCounter, isBullet } from './labels.ts';

const headingStyle = new RegExp(
  `^${anyOf(...wordsOfAll((pack) => pack.documents.headingStyle))}\\s*([1-9])$`,
  'i',
);

interface Level {
  start: number;
  format: string;
  text: string;
}
interface Style {
  basedOn: string | null;
  name: string;
  outline: number | null;
  bold: boolean | null;
  num: { id: string; level: number } | null;
}

export function parseDocx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:word\/(?:document\d*|styles|numbering|footnotes|endnotes)|docProps\/core)\.xml$/.test(name),
  );
  const main = archive.names.find((name) => /^word\/document\d*\.xml$/.test(name));
  const source = main ? archive.text(main) : null;
  if (source === null) throw new Refusal('broken: no document inside');
  const body = descendants(parseXml(source), 'w:body')[0];
  if (!body) throw new Refusal('broken: the document has no body');
  const reader = new DocxReader(archive);
  reader.readBlocks(body);
  return { title: titleOf(archive), blocks: [...reader.blocks, ...reader.notes()], hints: {} };
}

function titleOf(archive: Archive): string | null {
  const core = archive.text('docProps/core.xml');
  const title = core ? descendants(parseXml(core), 'dc:title')[0] : undefined;
  return title ? tidyLine(textOf(title)) || null : null;
}

class DocxReader {
  readonly blocks: Block[] = [];
  private readonly styles = new Map<string, Style>();
  private readonly levels = new Map<string, Map<number, Level>>();
  private readonly abstractOf = new Map<string, string>();
  private readonly counters = new Map<string, Counters>();
  private readonly noteTexts = new Map<string, string>();
  private readonly usedNotes: string[] = [];

  constructor(archive: Archive) {
    this.readStyles(archive.text('word/styles.xml'));
    this.readNumbering(archive.text('word/numbering.xml'));
    this.readNotes('footnote', archive.text('word/footnotes.xml'));
    this.readNotes('endnote', archive.text('word/endnotes.xml'));
  }

  private readStyles(source: string | null): void {
    if (!source) return;
    for (const style of descendants(parseXml(source), 'w:style')) {
      const properties = childOf(style, 'w:pPr');
      const numbering = childOf(properties, 'w:numPr');
      const id = value(childOf(numbering, 'w:numId'));
      this.styles.set(style.attributes['w:styleId'] ?? '', {
        basedOn: value(childOf(style, 'w:basedOn')),
        name: value(childOf(style, 'w:name')) ?? '',
        outline: integer(value(childOf(properties, 'w:outlineLvl'))),
        bold: boldness(childOf(style, 'w:rPr')),
        num: id === null ? null : { id, level: integer(value(childOf(numbering, 'w:ilvl'))) ?? 0 },
      });
    }
  }

  private readNumbering(source: string | null): void {
    if (!source) return;
    const root = parseXml(source);
    const abstracts = new Map<string, Map<number, Level>>();
    for (const abstract of descendants(root, 'w:abstractNum')) {
      const levels = new Map<number, Level>();
      for (const level of childrenOf(abstract, 'w:lvl'))
        levels.set(integer(level.attributes['w:ilvl'] ?? null) ?? 0, readLevel(level));
      abstracts.set(abstract.attributes['w:abstractNumId'] ?? '', levels);
    }
    for (const num of descendants(root, 'w:num')) {
      const id = num.attributes['w:numId'] ?? '';
      const abstractId = value(childOf(num, 'w:abstractNumId')) ?? '';
      const levels = new Map(abstracts.get(abstractId));
      // A num that overrides a start counts for itself; others of the same definition count on together.
      let own = abstractId;
      for (const change of childrenOf(num, 'w:lvlOverride')) {
        const n = integer(change.attributes['w:ilvl'] ?? null) ?? 0;
        const level = childOf(change, 'w:lvl');
        if (level) levels.set(n, readLevel(level));
        const start = integer(value(childOf(change, 'w:startOverride')));
        const old = levels.get(n);
        if (start !== null && old) levels.set(n, { ...old, start });
        own = `num ${id}`;
      }
      this.levels.set(id, levels);
      this.abstractOf.set(id, own);
    }
  }

  private readNotes(kind: 'footnote' | 'endnote', source: string | null): void {
    if (!source) return;
    for (const note of descendants(parseXml(source), `w:${kind}`)) {
      if (note.attributes['w:type'] !== undefined) continue;
      const text = descendants(note, 'w:p')
        .map((paragraph) => this.textOfRuns(paragraph))
        .join(' ');
      this.noteTexts.set(`${kind} ${note.attributes['w:id']}`, tidyLine(text));
    }
  }

  /** Footnotes and endnotes in the order they were referred to, as paragraphs "[1] …". */
  notes(): Block[] {
    return this.usedNotes.map((id, n) => ({
      kind: 'paragraph',
      text: `[${n + 1}] ${this.noteTexts.get(id)}`,
    }));
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
    const text = tidyParagraph(
      this.textOfRuns(paragraph, run, this.inherited(style, (s) => s.bold) ?? false),
    );
    const lead = run.take();
    const boxes = textBoxes(paragraph);
    // Entries of the table of contents repeat the headings.
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
    for (const box of boxes) this.readBlocks(box);
  }

  /** The automatic label; counting goes on even where it is not shown. */
  private labelOf(
    properties: XmlElement | undefined,
    style: string | null,
  ): { text: string; level: number } | null {
    const direct = childOf(properties, 'w:numPr');
    const inherited = this.inherited(style, (s) => s.num);
    const id = value(childOf(direct, 'w:numId')) ?? inherited?.id ?? null;
    if (id === null || id === '0') return null;
    const level = integer(value(childOf(direct, 'w:ilvl'))) ?? inherited?.level ?? 0;
    const levels = this.levels.get(id);
    const own = levels?.get(level);
    if (!levels || !own) return null;
    const key = this.abstractOf.get(id) ?? id;
    const counters = this.counters.get(key) ?? new Counters();
    this.counters.set(key, counters);
    counters.next(level, own.start);
    if (own.format === 'bullet') return { text: '–', level };
    const text = own.text.replace(/%(\d)/g, (_, digit) => {
      const n = Number(digit) - 1;
      const at = levels.get(n);
      return formatCounter(counters.value(n, at?.start ?? 1), at?.format ?? 'decimal');
    });
    return text.trim() === '' ? null : { text: text.trim(), level };
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
    let id = style;
    for (let steps = 0; id !== null && steps < 20; steps++) {
      const found = this.styles.get(id);
      if (!found) return null;
      const picked = pick(found);
      if (picked !== null) return picked;
      id = found.basedOn;
    }
    return null;
  }

  private readTable(table: XmlElement): void {
    const rows = rowsOf(table);
    const single = rows.every((row) => cellsOf(row).length <= 1);
    /** Text of the cell that is merged downwards, by the place of its column. */
    const above = new Map<number, string>();
    for (const [n, row] of rows.entries()) {
      const cells = cellsOf(row);
      if (single) {
        // A table of one column is a frame around text.
        for (const cell of cells) this.readBlocks(cell);
        continue;
      }
      const texts: string[] = [];
      let column = 0;
      for (const cell of cells) {
        const properties = childOf(cell, 'w:tcPr');
        const merge = childOf(properties, 'w:vMerge');
        const continues = merge !== undefined && merge.attributes['w:val'] !== 'restart';
        const text = continues
          ? (above.get(column) ?? '')
          : tidyLine(
              descendants(cell, 'w:p')
                .map((paragraph) => this.cellText(paragraph))
                .join(' '),
            );
        if (merge) above.set(column, text);
        texts.push(text);
        column += integer(value(childOf(properties, 'w:gridSpan'))) ?? 1;
      }
      const header = n === 0 && rows.length > 1;
      if (texts.some((text) => text !== '')) this.blocks.push({ kind: 'row', cells: texts, header });
    }
  }

  private cellText(paragraph: XmlElement): string {
    const properties = childOf(paragraph, 'w:pPr');
    const text = this.textOfRuns(paragraph);
    const label =
      text.trim() === '' ? null : this.labelOf(properties, value(childOf(properties, 'w:pStyle')));
    return label && !isBullet(label.text) ? `${label.text} ${text}` : text;
  }

  /** `lead` is told what is bold; `bold`: whether the paragraph's style is. */
  private textOfRuns(node: XmlElement, lead?: LeadingRun, bold = false): string {
    let out = '';
    const add = (element: XmlElement, piece: string) => {
      out += piece;
      lead?.add(piece, this.isBold(element) ?? bold);
    };
    const walk = (element: XmlElement) => {
      for (const child of element.children) {
        if (!isElement(child)) continue;
        const name = child.name;
        if (name === 'w:t') add(element, raised(element) ? superscript(out, textOf(child)) : textOf(child));
        else if (name === 'w:tab' || name === 'w:ptab') add(element, '\t');
        else if (name === 'w:br' || name === 'w:cr') add(element, '\n');
        else if (name === 'w:noBreakHyphen') add(element, '-');
        else if (name === 'w:footnoteReference' || name === 'w:endnoteReference')
          add(element, this.noteMark(name.slice(2, -9), child));
        else if (
          !/^(?:w:pPr|w:rPr|w:del|w:moveFrom|w:instrText|w:txbxContent|mc:Fallback|w:drawing|w:pict|w:object)$/.test(
            name,
          )
        )
          walk(child);
      }
    };
    walk(node);
    return out;
  }

  /** What a run says of itself; null where its paragraph decides. */
  private isBold(run: XmlElement): boolean | null {
    const properties = childOf(run, 'w:rPr');
    return (
      boldness(properties) ?? this.inherited(value(childOf(properties, 'w:rStyle')), (style) => style.bold)
    );
  }

  private noteMark(kind: string, reference: XmlElement): string {
    const id = `${kind} ${reference.attributes['w:id']}`;
    if (!this.noteTexts.get(id)) return '';
    if (!this.usedNotes.includes(id)) this.usedNotes.push(id);
    return ` [${this.usedNotes.indexOf(id) + 1}]`;
  }
}

function readLevel(level: XmlElement): Level {
  return {
    start: integer(value(childOf(level, 'w:start'))) ?? 1,
    format: value(childOf(level, 'w:numFmt')) ?? 'decimal',
    text: value(childOf(level, 'w:lvlText')) ?? '',
  };
}

/** Contents of text boxes anchored in a paragraph; of the two forms a file keeps, the newer. */
function textBoxes(paragraph: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const walk = (element: XmlElement) => {
    for (const child of childrenOf(element)) {
      if (child.name === 'w:txbxContent') found.push(child);
      else if (child.name !== 'mc:Fallback') walk(child);
    }
  };
  walk(paragraph);
  return found;
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

function boldness(properties: XmlElement | undefined): boolean | null {
  const bold = childOf(properties, 'w:b');
  return bold ? !/^(?:0|false|off)$/.test(bold.attributes['w:val'] ?? '') : null;
}

function value(element: XmlElement | undefined): string | null {
  return element?.attributes['w:val'] ?? null;
}

function integer(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
