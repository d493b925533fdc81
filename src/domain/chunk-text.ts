/**
 * The text of a chunk for indexing and embedding. It is defined only here, because any other text would produce
 * different vectors.
 */
import type { Chunk, RevisionFacts } from './events.ts';

/**
 * Short facts that a document states about itself in addition to its title, by field, such as the speaker and the
 * speaker's office. Numbers and paths are excluded.
 */
export function statedByField(metadata: RevisionFacts['metadata']): Record<string, string> {
  const stated: Record<string, string> = {};
  for (const [field, value] of Object.entries(metadata))
    if (typeof value === 'string' && value.length <= 80 && /\p{L}/u.test(value) && !/[/\\]/.test(value))
      stated[field] = value;
  return stated;
}

/**
 * Field names for the person who speaks in a document and for that person's office, as used in front matter, manifests
 * and document catalogues. They are compared in lower case.
 */
const roles: Readonly<Record<string, 'person' | 'office'>> = {
  ...Object.fromEntries(
    ['speaker', 'author', 'creator', 'by', 'signatory'].map((field) => [field, 'person']),
  ),
  ...Object.fromEntries(
    ['position', 'role', 'office', 'post', 'job_title'].map((field) => [field, 'office']),
  ),
};

/** Whether a field contains a person or a person's office; null for other fields. */
export const roleOf = (field: string): 'person' | 'office' | null => roles[field.toLowerCase()] ?? null;

/** The short facts without their field names. */
export const statedFacts = (metadata: RevisionFacts['metadata']): string[] =>
  Object.values(statedByField(metadata));

const above = (title: string, chunk: Chunk) => [title, ...chunk.path, chunk.heading, chunk.question ?? ''];

/** The text that precedes a chunk's text for searching: title, stated facts, headings and question, each only once. */
export function searchTitle(
  { title, metadata }: Pick<RevisionFacts, 'title' | 'metadata'>,
  chunk: Chunk,
): string {
  return [...new Set([...above(title, chunk), ...statedFacts(metadata)])].join(' ');
}

/** The line that precedes a chunk's text for embedding. `title` is the title of the chunk's revision. */
export function embeddedTitle(title: string, chunk: Chunk): string {
  return [...new Set(above(title, chunk))].join(' ');
}

/** The text from which a chunk's vector is computed. */
export function embeddedText(title: string, chunk: Chunk, text: string): string {
  return `${embeddedTitle(title, chunk)}\n${text}`;
}
