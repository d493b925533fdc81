/**
 * A document's chunks as the sections they were cut from: what is compared between documents that may say the same in
 * two languages. A section is what stands under one number or one heading.
 */
import type { Language } from '../../domain/events.ts';
import type { Passage } from '../../ports/chunk-search.ts';

export interface Section {
  /** Unit and number of a numbered provision ("article 7"); null for what only a heading tells apart. */
  number: string | null;
  /** How deep its heading stands. */
  depth: number;
  /** Heading and question. */
  heading: string;
  text: string;
  /** Places of its chunks in the document. */
  ordinals: number[];
  /** What a translation keeps as it is: figures and words in Latin letters. */
  anchors: ReadonlySet<string>;
}

/** A document as its twins are looked for. */
export interface SectionedDocument {
  doc_id: number;
  doc_key: string;
  revision: number;
  lang: Language;
  layer: string;
  sections: Section[];
}

const anchorsOf = (text: string) =>
  new Set(text.match(/\d+(?:[.,]\d+)*|[A-Za-z][\w-]{2,}/g)?.map((word) => word.toLowerCase()));

/** The sections of a document, from its chunks in order. */
export function sectionsOf(passages: readonly Pick<Passage, 'ordinal' | 'chunk' | 'text'>[]): Section[] {
  const sections: (Omit<Section, 'anchors'> & { of: string })[] = [];
  for (const { ordinal, chunk, text } of passages) {
    // A long article is cut into "42", "42~2", …
    const number = chunk.number === null ? null : `${chunk.unit} ${chunk.number.split('~')[0]}`;
    const of = JSON.stringify([chunk.path, chunk.heading, chunk.question, number]);
    const last = sections.at(-1);
    if (last?.of === of) {
      last.text += `\n${text}`;
      last.ordinals.push(ordinal);
      continue;
    }
    const above = [chunk.heading, chunk.question === chunk.heading ? '' : (chunk.question ?? '')];
    const heading = above.filter(Boolean).join('\n');
    sections.push({ of, number, depth: chunk.path.length, heading, text, ordinals: [ordinal] });
  }
  return sections.map(({ of: _, ...section }) => ({ ...section, anchors: anchorsOf(section.text) }));
}
