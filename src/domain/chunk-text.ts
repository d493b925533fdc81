/** The text of a chunk that is indexed and embedded; defined once, since other text would give other vectors. */
import type { Chunk, RevisionFacts } from './events.ts';

/** Short facts a document states of itself beside its title, by field: who spoke, in what office; no numbers, no paths. */
export function statedByField(metadata: RevisionFacts['metadata']): Record<string, string> {
  const stated: Record<string, string> = {};
  for (const [field, value] of Object.entries(metadata))
    if (typeof value === 'string' && value.length <= 80 && /\p{L}/u.test(value) && !/[/\\]/.test(value))
      stated[field] = value;
  return stated;
}

/**
 * Fields that say who speaks in a document and in what office, as front matter, manifests and catalogues of documents
 * call them; compared in lower case.
 */
const roles: Readonly<Record<string, 'person' | 'office'>> = {
  ...Object.fromEntries(
    ['speaker', 'author', 'creator', 'by', 'signatory'].map((field) => [field, 'person']),
  ),
  ...Object.fromEntries(
    ['position', 'role', 'office', 'post', 'job_title'].map((field) => [field, 'office']),
  ),
};

/** Whether a field names a person, or the office of one; null for others. */
export const roleOf = (field: string): 'person' | 'office' | null => roles[field.toLowerCase()] ?? null;

/** The short facts alone, without their fields. */
export const statedFacts = (metadata: RevisionFacts['metadata']): string[] =>
  Object.values(statedByField(metadata));

const above = (title: string, chunk: Chunk) => [title, ...chunk.path, chunk.heading, chunk.question ?? ''];

/** What stands before a chunk's text when it is searched: title, stated facts, headings and question, each once. */
export function searchTitle(
  { title, metadata }: Pick<RevisionFacts, 'title' | 'metadata'>,
  chunk: Chunk,
): string {
  return [...new Set([...above(title, chunk), ...statedFacts(metadata)])].join(' ');
}

/** What stands before a chunk's text when a vector is made of it, on a line of its own. `title`: of its revision. */
export function embeddedTitle(title: string, chunk: Chunk): string {
  return [...new Set(above(title, chunk))].join(' ');
}

/** The text a chunk's vector is made of. */
export function embeddedText(title: string, chunk: Chunk, text: string): string {
  return `${embeddedTitle(title, chunk)}\n${text}`;
}
