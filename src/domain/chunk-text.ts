/** What of a chunk is searched and embedded: the same wherever it is written, or its vectors would differ. */
import type { Chunk } from './events.ts';

/** What stands before a chunk's text when it is searched: title, headings and question, each once. */
export function searchTitle(title: string, chunk: Chunk): string {
  return [...new Set([title, ...chunk.path, chunk.heading, chunk.question ?? ''])].join(' ');
}

/** The text a chunk's vector is made of. `title`: of its revision. */
export function embeddedText(title: string, chunk: Chunk, text: string): string {
  return `${searchTitle(title, chunk)}\n${text}`;
}
