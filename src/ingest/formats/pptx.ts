/** PPTX: slides in their order; a slide's title is a heading, its other paragraphs items, notes a paragraph. */
import { type Block, type ParsedDocument, Refusal, tidyLine } from '../blocks.ts';
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

export function parsePptx(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) =>
    /^(?:ppt\/(?:presentation\.xml|_rels\/|slides\/|notesSlides\/[^/]+\.xml)|docProps\/core\.xml)/.test(name),
  );
  const presentation = archive.text('ppt/presentation.xml');
  if (presentation === null) throw new Refusal('broken: no presentation inside');
  const targets = relations(archive, 'ppt/_rels/presentation.xml.rels');
  const blocks: Block[] = [];
  let shown = 0;
  for (const slide of descendants(parseXml(presentation), 'p:sldId')) {
    const target = targets.get(slide.attributes['r:id'] ?? '')?.target ?? '';
    const path = `ppt/${target.replace(/^\/?(?:ppt\/)?/, '')}`;
    const source = archive.text(path);
    if (source === null) continue;
    const root = parseXml(source);
    if (descendants(root, 'p:sld')[0]?.attributes.show === '0') continue;
    shown++;
    const own: Block[] = [];
    const tree = descendants(root, 'p:spTree')[0];
    if (tree) readShapes(tree, own);
    const notes = [
      ...relations(archive, path.replace(/slides\/([^/]+)$/, 'slides/_rels/$1.rels')).values(),
    ].find((relation) => relation.type.endsWith('/notesSlide'));
    const notesSource = notes ? archive.text(`ppt/notesSlides/${notes.target.split('/').pop()}`) : null;
    if (notesSource !== null) own.push(...notesOf(parseXml(notesSource)));
    const title = own.find((block) => block.kind === 'heading');
    const rest = own.filter((block) => block !== title);
    if (title || rest.length > 0)
      blocks.push(title ?? { kind: 'heading', level: 2, text: `${shown}` }, ...rest);
  }
  const core = archive.text('docProps/core.xml');
  const title = core ? descendants(parseXml(core), 'dc:title')[0] : undefined;
  const named = title ? tidyLine(textOf(title)) : '';
  return {
    title: named || null,
    blocks,
    hints: {},
  };
}

function relations(archive: Archive, path: string): Map<string, { type: string; target: string }> {
  const found = descendants(parseXml(archive.text(path) ?? ''), 'Relationship');
  return new Map(
    found.map((relation) => [
      relation.attributes.Id ?? '',
      { type: relation.attributes.Type ?? '', target: relation.attributes.Target ?? '' },
    ]),
  );
}

function readShapes(parent: XmlElement, blocks: Block[]): void {
  for (const shape of childrenOf(parent)) {
    if (shape.name === 'p:grpSp' || shape.name === 'mc:AlternateContent' || shape.name === 'mc:Choice')
      readShapes(shape, blocks);
    else if (shape.name === 'p:sp') readShape(shape, blocks);
    else if (shape.name === 'p:graphicFrame') {
      const rows = descendants(shape, 'a:tr');
      for (const [n, row] of rows.entries()) {
        const cells = childrenOf(row, 'a:tc').map((cell) =>
          tidyLine(descendants(cell, 'a:p').map(paragraphText).join(' ')),
        );
        if (cells.some((cell) => cell !== ''))
          blocks.push({ kind: 'row', cells, header: n === 0 && rows.length > 1 });
      }
    }
  }
}

function readShape(shape: XmlElement, blocks: Block[]): void {
  const placeholder = descendants(shape, 'p:ph')[0]?.attributes.type ?? '';
  if (/^(?:sldNum|dt|ftr|hdr)$/.test(placeholder)) return;
  const body = childOf(shape, 'p:txBody');
  const paragraphs = body ? childrenOf(body, 'a:p') : [];
  if (/^(?:title|ctrTitle)$/.test(placeholder)) {
    const text = tidyLine(paragraphs.map(paragraphText).join(' '));
    if (text !== '') blocks.push({ kind: 'heading', level: 2, text });
    return;
  }
  const list = paragraphs.filter((paragraph) => paragraphText(paragraph).trim() !== '').length > 1;
  for (const paragraph of paragraphs) {
    const text = tidyLine(paragraphText(paragraph));
    const depth = Number(childOf(paragraph, 'a:pPr')?.attributes.lvl ?? 0) || 0;
    if (text === '') continue;
    blocks.push(list ? { kind: 'item', marker: '–', depth, text } : { kind: 'paragraph', text });
  }
}

function notesOf(root: XmlElement): Block[] {
  return descendants(root, 'p:sp')
    .filter((shape) => descendants(shape, 'p:ph')[0]?.attributes.type === 'body')
    .flatMap((shape) => descendants(shape, 'a:p'))
    .map((paragraph) => tidyLine(paragraphText(paragraph)))
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'paragraph', text }));
}

function paragraphText(paragraph: XmlElement): string {
  return paragraph.children
    .map((child) =>
      !isElement(child)
        ? ''
        : child.name === 'a:br'
          ? '\n'
          : child.name === 'a:r' || child.name === 'a:fld'
            ? textOf(childOf(child, 'a:t') ?? { name: '', attributes: {}, children: [] })
            : '',
    )
    .join('');
}
