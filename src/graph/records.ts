/** The records that the graph is folded from, as the projection keeps them. */
import type { Language } from '../text/languages/index.ts';
import type { ChunkEntities, Mention } from './mentions.ts';
import type { StatedMentions } from './stated.ts';

export const graphCollections = { documents: 'graph_documents', chunks: 'graph_chunks' } as const;

/**
 * Chunks that one record holds: of a document of 50,000 chunks that is withdrawn some 1,600 records are deleted in a commit,
 * and what a batch of chunks changes stays small.
 */
export const chunksPerRecord = 32;

/** The key of the record that holds a chunk: its document, revision, and place from 0 divided by `chunksPerRecord`. */
export const graphKey = (docId: number, revision: number, ordinal: number): string =>
  `${docId}.${revision}.${Math.floor(ordinal / chunksPerRecord)}`;

/** The keys of all records of a revision. */
export const graphKeys = (docId: number, revision: number, chunkCount: number): string[] =>
  Array.from({ length: Math.ceil(chunkCount / chunksPerRecord) }, (_, n) =>
    graphKey(docId, revision, n * chunksPerRecord),
  );

/** Fields of a record, each of one chunk by its place in its revision: what rules found, and what a model did. */
export const chunkField = (ordinal: number): string => `chunk ${ordinal}`;
export const givenField = (ordinal: number): string => `given ${ordinal}`;

/** The chunk at a place as its record holds it; null: it does not. */
export function chunkIn(
  record: Readonly<Record<string, unknown>> | null,
  ordinal: number,
): ChunkRecord | null {
  const chunk = record?.[chunkField(ordinal)] as ChunkRecord | undefined;
  if (chunk === undefined) return null;
  const given = record![givenField(ordinal)] as readonly Mention[] | undefined;
  return given === undefined ? chunk : { ...chunk, given };
}

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
  /** What it says beside its text of who speaks. */
  stated: StatedMentions;
  /** RFC 3339. */
  published_at: string;
}

export interface ChunkRecord {
  chunk_index: string;
  unit: string | null;
  number: string | null;
  /** UTF-16 offset of its text into the revision's. */
  start: number;
  /** What the document opens with, its first heading or line: of its first chunk. */
  opening?: string;
  /** By rules. */
  entities: ChunkEntities;
  /** By a language model, where one was asked. */
  given?: readonly Mention[];
}

export interface FoldedDocument extends DocumentRecord {
  chunks: readonly ChunkRecord[];
}
