/**
 * The records of the graph projection. There is one record per passage. Its fields `found` and `given` are searched by
 * the words of the names in the passage, and by a token for each related node.
 */
import { createHash } from 'node:crypto';
import type { Language } from '../text/languages/index.ts';
import { type Extracted, type Mention, namePrefix } from './extract.ts';

export const graphCollections = { documents: 'documents_in_graph', passages: 'passages_in_graph' } as const;

/** A visible document. */
export interface DocumentRecord {
  doc_id: number;
  corpus_id: string;
  doc_key: string;
  revision: number;
  title: string;
  lang: Language;
  /** Name of its layer. */
  layer: string;
  chunk_count: number;
  /** Its speaker and the speaker's office from the metadata; offsets are 0. */
  person: Mention | null;
  office: Mention | null;
  /** RFC 3339. */
  published_at: string;
  found: string;
}

/** A passage of a revision, visible or not. */
export interface PassageRecord extends Extracted {
  corpus_id: string;
  doc_id: number;
  revision: number;
  /** Its index in the revision, counted from 0. */
  ordinal: number;
  chunk_index: string;
  /** The numbered provision that the passage is or belongs to. */
  unit: string | null;
  number: string | null;
  /** UTF-16 offset of its text in the revision's text. */
  start: number;
  found: string;
  /** Names found by a language model, if one was used. They replace the names found by rules. */
  named?: Mention[];
  given?: string;
}

export const passageKey = (docId: number, revision: number, ordinal: number): string =>
  `${docId}.${revision}.${ordinal}`;

/** The keys of all passages in a revision. */
export const passageKeys = (docId: number, revision: number, count: number): string[] =>
  Array.from({ length: count }, (_, ordinal) => passageKey(docId, revision, ordinal));

const token = (name: string) => createHash('sha1').update(name).digest('hex').slice(0, 16);

/** Index tokens of records; such words never occur in texts. */
export const tokens = {
  document: (docId: number) => `document_${token(String(docId))}_0`,
  /** The provision that a passage is or belongs to, and a provision that it refers to. */
  own: (unit: string, number: string) => `own_${token(`${unit} ${number}`)}_0`,
  to: (unit: string, number: string) => `to_${token(`${unit} ${number}`)}_0`,
  name: (id: string) => `name_${token(id)}_0`,
};

/** The search text of mentions: their nodes and the words of their names. */
export const searchedBy = (mentions: readonly Pick<Mention, 'id'>[]): string =>
  [...new Set(mentions.map(({ id }) => id))].map((id) => `${wordsOf(id)} ${tokens.name(id)}`).join(' ');

/** The words in the id of a name. */
export const wordsOf = (id: string): string => id.slice(namePrefix.length);
