/** What of a chunk is searched and embedded: the same wherever it is written, or its vectors would differ. */
import type { Chunk, RevisionFacts } from './events.ts';

/** Short facts a document states of itself beside its title: who spoke, in what office; no numbers, no paths. */
export function statedFacts(metadata: RevisionFacts['metadata']): string[] {
  return Object.values(metadata).filter(
    (value): value is string =>
      typeof value === 'string' && value.length <= 80 && /\p{L}/u.test(value) && !/[/\\]/.test(value),
  );
}

const above = (title: string, chunk: Chunk) => [title, ...chunk.path, chunk.heading, chunk.question ?? ''];

/** What stands before a chunk's text when it is searched: title, stated facts, headings and question, each once. */
export function searchTitle(
  { title, metadata }: Pick<RevisionFacts, 'title' | 'metadata'>,
  chunk: Chunk,
): string {
  return [...new Set([...above(title, chunk), ...statedFacts(metadata)])].join(' ');
}

/** The text a chunk's vector is made of. `title`: of its revision. */
export function embeddedText(title: string, chunk: Chunk, text: string): string {
  return `${[...new Set(above(title, chunk))].join(' ')}\n${text}`;
}
