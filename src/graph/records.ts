/** The records that the graph is folded from, as the projection keeps them. */
import type { Language } from '../text/languages/index.ts';
import type { ChunkEntities, Mention } from './mentions.ts';

export const graphCollections = { documents: 'graph_documents', chunks: 'graph_chunks' } as const;

/** The key of a chunk: its document, revision, and place from 0. */
export const graphKey = (docId: number, revision: number, ordinal: number): string =>
  `${docId}.${revision}.${ordinal}`;

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
  /** RFC 3339. */
  published_at: string;
}

export interface ChunkRecord {
  chunk_index: string;
  unit: string | null;
  number: string | null;
  /** UTF-16 offset of its text into the revision's. */
  start: number;
  /** By rules. */
  entities: ChunkEntities;
  /** By a language model, where one was asked. */
  given?: readonly Mention[];
}

export interface FoldedDocument extends DocumentRecord {
  chunks: readonly ChunkRecord[];
}
