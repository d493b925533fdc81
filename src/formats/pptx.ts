/**
 * Parses PPTX: slides in order. A slide's title becomes a heading, its other paragraphs become items, and its notes
 * become a paragraph.
 */

import {
  type Archive,
  childOf,
  childrenOf,
  descendants,
  openArchive,
  parseXml,
  relationsOf,
  textOf,
  type XmlElement,
} from './archive.ts';
import { type Block, type ParsedDocument, Refusal, tidyLine } from './blocks.ts';
import { officeMath } from './formulas.ts';
import { linked, struck } from './inline-marks.ts';
import { diagramTexts, titleIn } from './office.ts';
import { OpenDocument } from './runs.ts';
import { Grid } from './tables.ts';

export function parsePptx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:ppt\/(?:presentation\.xml|_rels\/|slides\/|notesSlides\/[^/]+\.xml|diagrams\/[^/]+\.xml)|docProps\/core\.xml)/.test(
      name,
    ),
  );
  const presentation = archive.text('ppt/presentation.xml');
  if (presentation === null) throw new Refusal('broken: no presentation inside');
  const parts = relationsOf(archive, 'ppt/presentation.xml');
  const document = new OpenDocument();
  let number = 0;
  for (const slide of descendants(parseXml(presentation), 'p:sldId')) {
    number++;
    const path = parts.get(slide.attributes['r:id'] ?? '')?.target ?? '';
    const source = archive.text(path);
    if (source === null) continue;
    const root = parseXml(source);
    const leaveOut = (hidden: XmlElement) =>
      document.leaveOut(descendants(hidden, 'a:t').map(textOf).join(' '), `slide ${number}`);
    if (/^(?:0|false)$/.test(descendants(root, 'p:sld')[0]?.attributes.show ?? '')) {
      leaveOut(root);
      continue;
    }
    const reader = new SlideReader(archive, path, leaveOut);
    const tree = descendants(root, 'p:spTree')[0];
    if (tree) reader.readShapes(tree);
    const own = [...reader.blocks, ...reader.notes()];
    const title = own.find((block) => block.kind === 'heading');
    const rest = own.filter((block) => block !== title);
    if (title || rest.length > 0)
      for (const block of [title ?? { kind: 'heading' as const, level: 2, text: `${number}` }, ...rest])
        document.blocks.push({ ...block, page: number });
  }
  return document.finish(titleIn(archive));
}

class SlideReader {
  readonly blocks: Block[] = [];
  readonly #archive: Archive;
  readonly #relations: ReturnType<typeof relationsOf>;

  readonly #leaveOut: (hidden: XmlElement) => void;

  constructor(archive: Archive, path: string, leaveOut: (hidden: XmlElement) => void) {
    this.#archive = archive;
    this.#leaveOut = leaveOut;
    this.#relations = relationsOf(archive, path);
  }

  /** The speaker's notes. */
  notes(): Block[] {
    const part = [...this.#relations.values()].find(({ type }) => type.endsWith('/notesSlide'));
    const source = part ? this.#archive.text(part.target) : null;
    return source === null
      ? []
      : descendants(parseXml(source), 'p:sp')
          .filter((shape) => descendants(shape, 'p:ph')[0]?.attributes.type === 'body')
          .flatMap((shape) => descendants(shape, 'a:p'))
          .map((paragraph) => tidyLine(this.#textOf(paragraph)))
          .filter((text) => text !== '')
          .map((text) => ({ kind: 'paragraph', text }));
  }

  /** Reads shapes by their position on the slide, from top to bottom and left to right. */
  readShapes(parent: XmlElement): void {
    for (const shape of inPlace(childrenOf(parent))) {
      if (isHidden(shape)) this.#leaveOut(shape);
      else if (/^(?:p:grpSp|mc:AlternateContent|mc:Choice)$/.test(shape.name)) this.readShapes(shape);
      else if (shape.name === 'p:sp') this.#readShape(shape);
      else if (shape.name === 'p:graphicFrame') this.#readFrame(shape);
    }
  }

  #readFrame(frame: XmlElement): void {
    const table = descendants(frame, 'a:tbl')[0];
    if (table) {
      const grid = new Grid();
      for (const row of childrenOf(table, 'a:tr')) {
        grid.row();
        for (const cell of childrenOf(row, 'a:tc')) {
          const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
          // A merged cell is represented by the one that covers it.
          if (isOn(hMerge) || isOn(vMerge)) continue;
          const text = tidyLine(
            descendants(cell, 'a:p')
              .map((paragraph) => this.#textOf(paragraph))
              .join(' '),
          );
          grid.add({ text }, Number(gridSpan) || 1, Number(rowSpan) || 1);
        }
      }
      this.blocks.push(...grid.blocks(isOn(childOf(table, 'a:tblPr')?.attributes.firstRow) ? 1 : null));
    }
    for (const ids of descendants(frame, 'dgm:relIds'))
      for (const text of diagramTexts(this.#archive, this.#relations, ids))
        this.blocks.push({ kind: 'item', marker: '–', depth: 0, text });
  }

  #readShape(shape: XmlElement): void {
    const placeholder = descendants(shape, 'p:ph')[0]?.attributes.type ?? '';
    if (/^(?:sldNum|dt|ftr|hdr)$/.test(placeholder)) return;
    const body = childOf(shape, 'p:txBody');
    const paragraphs = body ? childrenOf(body, 'a:p') : [];
    const texts = paragraphs.map((paragraph) => tidyLine(this.#textOf(paragraph)));
    if (/^(?:title|ctrTitle)$/.test(placeholder)) {
      const text = tidyLine(texts.join(' '));
      if (text !== '') this.blocks.push({ kind: 'heading', level: 2, text });
      return;
    }
    const list = texts.filter((text) => text !== '').length > 1;
    for (const [n, text] of texts.entries()) {
      const depth = Number(childOf(paragraphs[n], 'a:pPr')?.attributes.lvl ?? 0) || 0;
      if (text === '') continue;
      this.blocks.push(list ? { kind: 'item', marker: '–', depth, text } : { kind: 'paragraph', text });
    }
  }

  #textOf(paragraph: XmlElement): string {
    let out = '';
    const walk = (element: XmlElement): void => {
      for (const child of childrenOf(element)) {
        if (child.name === 'a:br') out += '\n';
        else if (child.name === 'm:oMath') out += officeMath(child);
        else if (child.name === 'a:r' || child.name === 'a:fld') {
          const properties = childOf(child, 'a:rPr');
          const text = textOf(childOf(child, 'a:t') ?? { name: '', attributes: {}, children: [] });
          const strike = properties?.attributes.strike ?? 'noStrike';
          const link = childOf(properties, 'a:hlinkClick')?.attributes['r:id'];
          const relation = link === undefined ? undefined : this.#relations.get(link);
          const shown = strike === 'noStrike' ? text : struck(text);
          out += linked(shown, relation?.external ? relation.target : undefined);
        } else if (!/^(?:a:pPr|a:endParaRPr|mc:Fallback)$/.test(child.name)) walk(child);
      }
    };
    walk(paragraph);
    return out;
  }
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

const isHidden = (shape: XmlElement): boolean =>
  childrenOf(shape).some(
    (child) => /^p:nv\w+Pr$/.test(child.name) && isOn(childOf(child, 'p:cNvPr')?.attributes.hidden),
  );

/** The position of a shape; null if it is determined by its layout. */
function placeOf(shape: XmlElement): { x: number; y: number } | null {
  const frame =
    shape.name === 'p:graphicFrame'
      ? childOf(shape, 'p:xfrm')
      : childOf(childOf(shape, shape.name === 'p:grpSp' ? 'p:grpSpPr' : 'p:spPr'), 'a:xfrm');
  const place = childOf(frame, 'a:off')?.attributes;
  return place ? { x: Number(place.x) || 0, y: Number(place.y) || 0 } : null;
}

/** Shapes whose tops are this close are in the same row: a quarter of an inch, in EMU. */
const rowHeight = 228_600;

/** Sorts shapes by position. Shapes without a position keep their place in the sequence. */
function inPlace(shapes: readonly XmlElement[]): XmlElement[] {
  const placed = shapes.flatMap((shape) => {
    const place = placeOf(shape);
    return place ? [{ shape, ...place }] : [];
  });
  placed.sort((a, b) => a.y - b.y || a.x - b.x);
  const rows: (typeof placed)[] = [];
  for (const one of placed) {
    const row = rows.at(-1);
    if (row && one.y - row[0]!.y < rowHeight) row.push(one);
    else rows.push([one]);
  }
  const ordered = rows.flatMap((row) => row.sort((a, b) => a.x - b.x)).map(({ shape }) => shape);
  const known = new Set(ordered);
  return shapes.map((shape) => (known.has(shape) ? ordered.shift()! : shape));
}
