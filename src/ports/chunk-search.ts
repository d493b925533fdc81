/** Search over the visible chunks, written in the commits of ReadModels. */
import type { Chunk, Language, RevisionFacts } from '../domain/events.ts';

/**
 * Where chunks are looked for: some layers of one corpus. The index holds every layer, restricted ones too; who asks
 * names those that may be seen, by the corpus' settings of this moment. A layer made public, superseded or restricted
 * is so with the next question, and nothing has to be written again.
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
  /** One row changes: this revision is now what retrieval sees of the document. Old chunks are swept later. */
  | { op: 'chunks.publish'; doc_id: number; revision: number }
  | { op: 'chunks.drop'; doc_id: number; revision: number }
  | { op: 'chunks.withdraw'; doc_id: number }
  /** Vectors of unit length for the chunks from the `first`-th (counted from 0) of a revision on. */
  | {
      op: 'chunks.vectors';
      doc_id: number;
      revision: number;
      embedder: string;
      first: number;
      vectors: Float32Array[];
    }
  /** The same by a deterministic embedder: the store computes the vectors from the texts it holds. */
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
 * embedder that is not known.
 */
export type ComputeVector = (embedder: string, words: readonly string[]) => Float32Array | null;

/** A chunk as retrieval hands it out, with what its revision says of itself. */
export interface Passage {
  /** The store's own id of the chunk, stable while the revision is visible. */
  id: number;
  /** Place of the chunk in its revision, counted from 0. */
  ordinal: number;
  facts: RevisionFacts;
  chunk: Chunk;
  text: string;
}

/** The visible chunks of one document as ranking needs them: analysed, without their text. */
export interface IndexedDocument {
  doc_id: number;
  corpus_id: string;
  layer: string;
  title: string;
  /** As its revision has it: YYYY-MM-DD, or YYYY-MM, or YYYY. */
  event_date: string | null;
  /** What it states of itself, by field (see statedByField): `{"speaker": "Jane Doe", "position": "Mayor"}`. */
  stated: Readonly<Record<string, string>>;
  /** In the document's order. `tokens`: word ids, those of title and headings first, `titled` of them. */
  chunks: { id: number; lang: Language; titled: number; tokens: Uint32Array }[];
}

/** A word with its stem and, where src/text/words.ts gives one, its second, Kazakh stem: stemming takes time. */
export interface AnalysedWord {
  word: string;
  stem: string;
  second: string | null;
}

export interface CorpusCoverage {
  corpus_id: string;
  chunks: number;
  embedded: number;
}

export interface ChunkChanges {
  /** Goes into the next call. Equal to the one given: nothing has changed. */
  stamp: number;
  /** Words the store has learned since, with ids rising without holes from the last one seen. */
  words: AnalysedWord[];
  /** Documents whose visible chunks are others than before; `document` null: none are visible any more. */
  changed: { doc_id: number; document: IndexedDocument | null }[];
}

/**
 * Search over the visible chunks, written in the commits of ReadModels. There is one index per corpus and layer; no
 * method looks into a layer that the scope does not name.
 * The store finds candidates and keeps the analysed words; scoring them is the same code over every store.
 * All methods reject with Failure `unavailable`.
 */
export interface ChunkSearch {
  /**
   * What has changed since a stamp (0: from the start) and since the `words`-th word, at most `limit` documents;
   * call again until the stamp stays. Writes of other processes are seen.
   */
  changes(since: { stamp: number; words: number }, limit: number): Promise<ChunkChanges>;
  /**
   * Ids of the chunks that match any of the stems (in title or body) or prefixes best, best first, at most
   * `limit`; a term given twice counts twice. Chunks of revisions that are not visible may be among them.
   */
  candidates(
    scope: SearchScope,
    terms: { stems: readonly string[]; prefixes: readonly string[] },
    limit: number,
  ): Promise<number[]>;
  /** The chunks with the most similar vectors of one embedder, by cosine (-1..1), best first. */
  nearest(
    scope: SearchScope,
    embedder: string,
    vector: Float32Array,
    limit: number,
  ): Promise<{ id: number; similarity: number }[]>;
  /** Names of the embedders that chunks have, or had, vectors of; in no order. */
  embedders(): Promise<string[]>;
  /** The visible ones among the chunks, in the order of the ids. */
  passages(ids: readonly number[]): Promise<Passage[]>;
  /** Visible chunks with this structural number, of one unit or (null) of any, by document and place. */
  byNumber(scope: SearchScope, number: string, unit: string | null): Promise<Passage[]>;
  /** The distinct structural numbers of a unit, in the order of the text. */
  numbers(scope: SearchScope, unit: string): Promise<string[]>;
  /** The chunk and up to `distance` visible ones before and after it in its document, in order. */
  neighbours(id: number, distance: number): Promise<Passage[]>;
  /** A document's visible chunks in order, of restricted layers too. */
  list(doc_id: number, limit: number, offset: number): Promise<{ items: Passage[]; total: number }>;
  /**
   * Visible chunks of each corpus, and those of them with a vector of the embedder, by corpus id; of the named
   * documents alone where any are named. Corpora without such chunks are left out.
   */
  coverage(embedder: string, docIds?: readonly number[]): Promise<CorpusCoverage[]>;
  /** Which of the chunks have a vector of the embedder; in no order. */
  embedded(ids: readonly number[], embedder: string): Promise<number[]>;
  /**
   * How many visible chunks of each document (of those named, where any are) have a vector of the embedder; documents
   * without any are left out.
   */
  embeddedByDocument(
    embedder: string,
    docIds?: readonly number[],
  ): Promise<{ doc_id: number; embedded: number }[]>;
}
