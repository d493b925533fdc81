/**
 * The records of the graph projection, one for each document and each passage. The fields `found` and `given` contain
 * search text: the words of the names, and a token for each related node.
 */
import { createHash } from 'node:crypto';
import type { Language } from '../domain/events.ts';
import { type Extracted, type Mention, namePrefix } from './extract.ts';

export const graphCollections = { documents: 'documents_in_graph', passages: 'passages_in_graph' } as const;

/** A visible document. */
export interface GraphDocument {
  doc_id: number;
  corpus_id: string;
  doc_key: string;
  revision: number;
  title: string;
  lang: Language;
  /** The name of its layer. */
  layer: string;
  chunk_count: number;
  /** The speaker and the speaker's office, from the metadata. The offsets are 0. */
  person: Mention | null;
  office: Mention | null;
  /** RFC 3339. */
  published_at: string;
  found: string;
}

/** A passage of a revision, whether visible or not. */
export interface PassageRecord extends Extracted {
  corpus_id: string;
  doc_id: number;
  revision: number;
  /** The index of the passage in its revision, counted from 0. */
  ordinal: number;
  chunk_index: string;
  /** The numbered provision that the passage is or belongs to. */
  unit: string | null;
  number: string | null;
  /** The UTF-16 offset of the passage in the revision's text. */
  start: number;
  found: string;
  /** Names found by a language model, if one was used. They replace the names found by rules. */
  named?: Mention[];
  given?: string;
}

export const passageKey = (docId: number, revision: number, ordinal: number): string =>
  `${docId}.${revision}.${ordinal}`;

export const passageKeys = (docId: number, revision: number, count: number): string[] =>
  Array.from({ length: count }, (_, ordinal) => passageKey(docId, revision, ordinal));

const token = (name: string) => createHash('sha1').update(name).digest('hex').slice(0, 16);

/** Index tokens for related nodes. They never occur in text. */
export const tokens = {
  document: (docId: number) => `document_${token(String(docId))}_0`,
  /** `own`: the provision that a passage is or belongs to. `to`: a provision that it refers to. */
  own: (unit: string, number: string) => `own_${token(`${unit} ${number}`)}_0`,
  to: (unit: string, number: string) => `to_${token(`${unit} ${number}`)}_0`,
  name: (id: string) => `name_${token(id)}_0`,
};

/** The search text of mentions: for each node, the words of its name and its token. */
export const searchedBy = (mentions: readonly Pick<Mention, 'id'>[]): string =>
  [...new Set(mentions.map(({ id }) => id))].map((id) => `${wordsOf(id)} ${tokens.name(id)}`).join(' ');

/** The words in the node id of a name. */
export const wordsOf = (id: string): string => id.slice(namePrefix.length);
