/** The search port: an index of the visible chunks, updated in the commits of ReadModels. */
import type { Chunk, Language, RevisionFacts } from '../domain/events.ts';

/**
 * Where to search: some layers of one corpus. The index holds every layer, restricted ones too; the caller names those
 * that may be seen, by the corpus' current settings. A change of a layer's visibility takes effect with the next
 * question, and nothing is indexed again.
 */
export interface SearchScope {
  corpus_id: string;
  layers: readonly string[];
}

export type ChunkWrite =
  /** Announces a revision; its chunks stay invisible until it is published. */
  | { op: 'chunks.revision'; facts: RevisionFacts }
  | {
      op: 'chunks.add';
      doc_id: number;
      revision: number;
      first: number;
      chunks: (Chunk & { text: string })[];
    }
  /** Makes this revision the visible one of its document, in one row. Old chunks are swept later. */
  | { op: 'chunks.publish'; doc_id: number; revision: number }
  | { op: 'chunks.drop'; doc_id: number; revision: number }
  | { op: 'chunks.withdraw'; doc_id: number }
  /** Unit vectors for the chunks of a revision, starting with the `first`-th (from 0). */
  | {
      op: 'chunks.vectors';
      doc_id: number;
      revision: number;
      embedder: string;
      first: number;
      vectors: Float32Array[];
    }
  /** The same for a deterministic embedder: the store computes the vectors from the texts it holds. */
  | {
      op: 'chunks.embed';
      doc_id: number;
      revision: number;
      embedder: string;
      first: number;
      count: number;
    };

/**
 * The vector of a text by a deterministic embedder, from its words (as text/words.ts yields them, in order); null for an
 * unknown embedder.
 */
export type ComputeVector = (embedder: string, words: readonly string[]) => Float32Array | null;

/** A chunk with its text and the facts of its revision, as retrieval returns it. */
export interface Passage {
  /** The store's own id of the chunk, stable while the revision is visible. */
  id: number;
  /** Index of the chunk in its revision, from 0. */
  ordinal: number;
  facts: RevisionFacts;
  chunk: Chunk;
  text: string;
}

/** What a visible document states of itself. */
export interface DocumentFacts {
  doc_id: number;
  corpus_id: string;
  layer: string;
  title: string;
  lang: Language;
  /** YYYY-MM-DD, YYYY-MM or YYYY, as in its revision. */
  event_date: string | null;
  /** By field (see statedByField): `{"speaker": "Jane Doe", "position": "Mayor"}`. */
  stated: Readonly<Record<string, string>>;
}

/** What a question is searched by: stems of words, and first letters of words (text/words.ts). */
export interface Terms {
  stems: readonly string[];
  prefixes: readonly string[];
}

/** Counts over the chunks of one language in a scope. Chunks that are no longer visible count until they are swept. */
export interface TermCounts {
  lang: Language;
  chunks: number;
  /** Sums over the chunks: words, and those of titles and headings. */
  words: number;
  titled: number;
  /** In how many chunks each term stands, in the order of the terms. */
  stems: number[];
  prefixes: number[];
}

/** A visible chunk as ranking reads it: by its fingerprint (text/fingerprint.ts). */
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
  /** To pass to the next call. Equal to the one given: nothing has changed. */
  stamp: number;
  /** Documents whose visible revision has changed; `document` null: none is visible any more. */
  changed: { doc_id: number; document: DocumentFacts | null }[];
}

/**
 * There is one index per corpus and layer; no method looks into a layer that the scope does not name. The store finds
 * candidates; ranking is the same code over every store. All methods reject with Failure `unavailable`.
 */
export interface ChunkSearch {
  /**
   * What documents state of themselves, for at most `limit` that have changed since a stamp (0: from the start); to be
   * called again until the stamp stays the same. Includes writes of other processes.
   */
  changes(stamp: number, limit: number): Promise<ChunkChanges>;
  /** Counts of terms by language; languages without chunks are left out. */
  counts(scope: SearchScope, terms: Terms): Promise<TermCounts[]>;
  /**
   * Ids of the best matches for any of the terms (stems in title or text), best first, at most `limit`. Chunks of
   * invisible revisions may be among them. `only`: of these documents alone.
   */
  candidates(scope: SearchScope, terms: Terms, limit: number, only?: ReadonlySet<number>): Promise<number[]>;
  /** Those of the chunks that are visible, as ranking reads them, in the order of the ids. */
  indexed(ids: readonly number[]): Promise<IndexedChunk[]>;
  /** Known stems with one of these sound keys (text/variants.ts), in whatever corpus. */
  stemsSounding(keys: readonly string[]): Promise<string[]>;
  /** Known stems that begin with the same letter and have at most `edits` letters more or less, in whatever corpus. */
  stemsBeginningLike(stem: string, edits: number): Promise<string[]>;
  /** The chunks with the most similar vectors of one embedder, by cosine (-1..1), best first. */
  nearest(
    scope: SearchScope,
    embedder: string,
    vector: Float32Array,
    limit: number,
  ): Promise<{ id: number; similarity: number }[]>;
  /** Names of the embedders whose vectors chunks have, or had; in no particular order. */
  embedders(): Promise<string[]>;
  /** The chunks that are visible, in the order of the ids. */
  passages(ids: readonly number[]): Promise<Passage[]>;
  /** Visible chunks with this structural number, of one unit or (null) of any, in order of document and position. */
  byNumber(scope: SearchScope, number: string, unit: string | null): Promise<Passage[]>;
  /** The distinct structural numbers of a unit, in text order. */
  numbers(scope: SearchScope, unit: string): Promise<string[]>;
  /** The chunk and up to `distance` visible ones before and after it in its document, in order. */
  neighbours(id: number, distance: number): Promise<Passage[]>;
  /** A document's visible chunks in order, whether or not its layer is restricted. */
  list(doc_id: number, limit: number, offset: number): Promise<{ items: Passage[]; total: number }>;
  /**
   * Numbers of visible chunks of each corpus, and of those with a vector of the embedder, by corpus id; of the named
   * documents alone where any are named. Corpora without such chunks are left out.
   */
  coverage(embedder: string, docIds?: readonly number[]): Promise<CorpusCoverage[]>;
  /** Which of the chunks have a vector of the embedder; in no particular order. */
  embedded(ids: readonly number[], embedder: string): Promise<number[]>;
  /**
   * Numbers of visible chunks with a vector of the embedder, by document (of those named, where any are); documents
   * without any are left out.
   */
  embeddedByDocument(
    embedder: string,
    docIds?: readonly number[],
  ): Promise<{ doc_id: number; embedded: number }[]>;
}
