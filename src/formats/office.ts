/** Code shared by DOCX, ODT, PPTX and XLSX. */

import {
  type Archive,
  childrenOf,
  descendants,
  parseXml,
  type relationsOf,
  textOf,
  type XmlElement,
} from './archive.ts';
import { tidyLine } from './blocks.ts';

/** The title in a file's properties; null if there is none. */
export function titleIn(archive: Archive, properties = 'docProps/core.xml'): string | null {
  const source = archive.text(properties);
  return source === null ? null : titleOf(parseXml(source));
}

/** The Dublin Core title below an element; null if there is none. */
export function titleOf(root: XmlElement): string | null {
  const title = descendants(root, 'dc:title')[0];
  return title ? tidyLine(textOf(title)) || null : null;
}

/**
 * The text items of a diagram (SmartArt), in the order in which they were entered; `ids` is its `dgm:relIds` element.
 */
export function diagramTexts(
  archive: Archive,
  relations: ReturnType<typeof relationsOf>,
  ids: XmlElement,
): string[] {
  const part = relations.get(ids.attributes['r:dm'] ?? '');
  const source = part && !part.external ? archive.text(part.target) : null;
  if (source === null) return [];
  return descendants(parseXml(source), 'dgm:pt')
    .flatMap((point) => childrenOf(point, 'dgm:t'))
    .flatMap((text) => descendants(text, 'a:p'))
    .map((paragraph) => tidyLine(descendants(paragraph, 'a:t').map(textOf).join('')))
    .filter((text) => text !== '');
}
