/**
 * The records the graph is read from, as the projection keeps them. One record a passage, searched by its field
 * `found` (and `given`): by the words of the names in it, and by a token for each node it has to do with.
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
  /** Its layer's name. */
  layer: string;
  chunk_count: number;
  /** Who speaks in it and in what office, as its metadata say; their offsets are 0. */
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
  /** Its place in the revision, from 0. */
  ordinal: number;
  chunk_index: string;
  /** The numbered provision it is, or is a part of. */
  unit: string | null;
  number: string | null;
  /** UTF-16 offset of its text in the revision's. */
  start: number;
  found: string;
  /** What a language model found named, where one was asked: it takes the place of the names by rules. */
  named?: Mention[];
  given?: string;
}

export const passageKey = (docId: number, revision: number, ordinal: number): string =>
  `${docId}.${revision}.${ordinal}`;

/** The keys of all passages of a revision. */
export const passageKeys = (docId: number, revision: number, count: number): string[] =>
  Array.from({ length: count }, (_, ordinal) => passageKey(docId, revision, ordinal));

const token = (name: string) => createHash('sha1').update(name).digest('hex').slice(0, 16);

/** What a record is searched by: the word of an index, which no text has. */
export const tokens = {
  document: (docId: number) => `document_${token(String(docId))}_0`,
  /** The provision it is, or is a part of; and one it refers to. */
  own: (unit: string, number: string) => `own_${token(`${unit} ${number}`)}_0`,
  to: (unit: string, number: string) => `to_${token(`${unit} ${number}`)}_0`,
  name: (id: string) => `name_${token(id)}_0`,
};

/** How mentions are searched: by their nodes, and by the words of their names. */
export const searchedBy = (mentions: readonly Pick<Mention, 'id'>[]): string =>
  [...new Set(mentions.map(({ id }) => id))].map((id) => `${wordsOf(id)} ${tokens.name(id)}`).join(' ');

/** The words of a name's id. */
export const wordsOf = (id: string): string => id.slice(namePrefix.length);
