/** The search port: an index of the visible chunks, updated in the commits of a BuildStore. */
import type { Chunk, Language, RevisionFacts } from '../domain/events.ts';

/**
 * Where to search: some layers of a corpus. The index contains all layers, including restricted ones. The caller
 * specifies the visible ones according to the corpus's current settings, so a change to a layer's visibility takes
 * effect with the next question, without reindexing.
 */
export interface SearchScope {
  corpus_id: string;
  layers: readonly string[];
}

export type ChunkWrite =
  /** Announces a revision, whose chunks stay invisible until it is published. */
  | { op: 'chunks.revision'; facts: RevisionFacts }
  | {
      op: 'chunks.add';
      doc_id: number;
      revision: number;
      first: number;
      chunks: (Chunk & { text: string })[];
    }
  /** Makes this revision the visible one of its document by changing a single row. Old chunks are swept later. */
  | { op: 'chunks.publish'; doc_id: number; revision: number }
  | { op: 'chunks.drop'; doc_id: number; revision: number }
  | { op: 'chunks.withdraw'; doc_id: number }
  /** Unit vectors for the chunks of a revision, starting at index `first` (counted from 0). */
  | {
      op: 'chunks.vectors';
      doc_id: number;
      revision: number;
      embedder: string;
      first: number;
      vectors: Float32Array[];
    }
  /** The same for a deterministic embedder: the store computes the vectors from its texts. */
  | { op: 'chunks.embed'; doc_id: number; revision: number; embedder: string; first: number; count: number };

/**
 * The vector that a deterministic embedder gives a text, from its words (in the order yielded by text/words.ts); null
 * for an unknown embedder.
 */
export type ComputeVector = (embedder: string, words: readonly string[]) => Float32Array | null;

/** A chunk with its text and the facts of its revision, as returned by retrieval. */
export interface Passage {
  /** The store's own id of the chunk, which is stable while the revision is visible. */
  id: number;
  /** Index of the chunk in its revision, counted from 0. */
  ordinal: number;
  facts: RevisionFacts;
  chunk: Chunk;
  text: string;
}

/** The facts that a visible document states about itself. */
export interface DocumentFacts {
  doc_id: number;
  corpus_id: string;
  layer: string;
  title: string;
  lang: Language;
  /** YYYY-MM-DD, YYYY-MM or YYYY, as in the revision. */
  event_date: string | null;
  /** Keyed by field (see statedByField): `{"speaker": "Jane Doe", "position": "Mayor"}`. */
  stated: Readonly<Record<string, string>>;
}

/** The search terms of a question: stems and prefixes of words (text/words.ts). */
export interface Terms {
  stems: readonly string[];
  prefixes: readonly string[];
}

/** Counts over the chunks of one language in a scope. Invisible chunks are counted until they are swept. */
export interface TermCounts {
  lang: Language;
  chunks: number;
  /** Total number of words in the chunks, and in their titles and headings. */
  words: number;
  titled: number;
  /** The number of chunks that contain each term, in the order of the terms. */
  stems: number[];
  prefixes: number[];
}

/** A visible chunk with its fingerprint for ranking (text/fingerprint.ts). */
export interface IndexedChunk {
  id: number;
  doc_id: number;
  ordinal: number;
  layer: string;
  lang: Language;
  tokens: Uint32Array;
  titled: number;
}

export interface CorpusCoverage {
  corpus_id: string;
  chunks: number;
  embedded: number;
}

export interface ChunkChanges {
  /** The stamp for the next call; equal to the given one if nothing has changed. */
  stamp: number;
  /** Documents whose visible revision has changed. `document` is null if no revision is visible any more. */
  changed: { doc_id: number; document: DocumentFacts | null }[];
}

/**
 * There is one index per corpus and layer, and no method reads a layer outside the scope. The store finds candidates;
 * the ranking code is shared by all stores. All methods may fail with `unavailable`.
 */
export interface ChunkSearch {
  /**
   * The facts of at most `limit` documents that have changed since a stamp (0: from the start), including changes by
   * other processes. Call this repeatedly until the stamp stays the same.
   */
  changes(stamp: number, limit: number): Promise<ChunkChanges>;
  /** Counts of terms by language; languages without chunks are omitted. */
  counts(scope: SearchScope, terms: Terms): Promise<TermCounts[]>;
  /**
   * Ids of the best matches for any of the terms (stems in title or text), best first, at most `limit`. May include
   * chunks of invisible revisions. `only` restricts the search to these documents.
   */
  candidates(scope: SearchScope, terms: Terms, limit: number, only?: ReadonlySet<number>): Promise<number[]>;
  /** Those of the chunks that are visible, with the data for ranking, in the order of the ids. */
  indexed(ids: readonly number[]): Promise<IndexedChunk[]>;
  /** Known stems with one of these sound keys (text/variants.ts), in any corpus. */
  stemsSounding(keys: readonly string[]): Promise<string[]>;
  /** Known stems with `shortest` to `longest` letters that begin with these letters, in any corpus. */
  stemsBeginning(letters: string, shortest: number, longest: number): Promise<string[]>;
  /** The chunks with the most similar vectors from one embedder, by cosine (-1 to 1), best first. */
  nearest(
    scope: SearchScope,
    embedder: string,
    vector: Float32Array,
    limit: number,
  ): Promise<{ id: number; similarity: number }[]>;
  /** Names of all embedders with current or past vectors, in no particular order. */
  embedders(): Promise<string[]>;
  /** Those of the chunks that are visible, in the order of the ids. */
  passages(ids: readonly number[]): Promise<Passage[]>;
  /** Visible chunks with this structural number and unit (null: any unit), in order of document and position. */
  byNumber(scope: SearchScope, number: string, unit: string | null): Promise<Passage[]>;
  /** The distinct structural numbers of a unit, in text order. */
  numbers(scope: SearchScope, unit: string): Promise<string[]>;
  /** The chunk and up to `distance` visible ones before and after it in its document, in order. */
  neighbours(id: number, distance: number): Promise<Passage[]>;
  /** A document's visible chunks in order, whether or not its layer is restricted. */
  list(doc_id: number, limit: number, offset: number): Promise<{ items: Passage[]; total: number }>;
  /**
   * Number of visible chunks in each corpus, and of those with a vector from the embedder. If documents are given, only
   * those are counted. Corpora without such chunks are omitted.
   */
  coverage(embedder: string, docIds?: readonly number[]): Promise<CorpusCoverage[]>;
  /** Those of the given ids whose chunk has a vector from the embedder, in no particular order. */
  embedded(ids: readonly number[], embedder: string): Promise<number[]>;
  /**
   * Number of visible chunks with a vector from the embedder, by document. If documents are given, only those are
   * counted. Documents without such chunks are omitted.
   */
  embeddedByDocument(
    embedder: string,
    docIds?: readonly number[],
  ): Promise<{ doc_id: number; embedded: number }[]>;
}
