/**
 * What the service needs from outside, as short types. Adapters stand in stores/ and models/; only app.ts
 * chooses between them.
 */
import type { Chunk, EventType, EventTypes, Language, Layer, RevisionFacts } from './domain/events.ts';

/** Orders all events of one log; opaque, compares as a string. Changes when a history is copied. */
export type Position = string;

export interface NewEvent<T extends EventType = EventType> {
  /** UUID; appending the same ids again at the same revision is a repeat, not a second write. */
  id: string;
  type: T;
  /** Schema version of `data`. */
  version: number;
  /** RFC 3339 UTC with milliseconds. */
  time: string;
  /** `admin:<account>`, `key:<id>`, `public` or `system`. */
  actor: string;
  correlation_id: string;
  causation_id: string | null;
  data: EventTypes[T];
}

export type RecordedEvent = {
  [T in EventType]: NewEvent<T> & { stream: string; revision: number; position: Position };
}[EventType];

export interface Appended {
  /** Revision and position of the last event written (of the stream's last event for an empty append). */
  revision: number;
  position: Position | null;
}

/** The most one append may hold, in bytes: the JSON of each event's data and 512 for its envelope. */
export const appendBytesMax = 1_000_000;

/**
 * The history. All methods reject with Failure: `unavailable`, `conflict`, `too_large`, `storage_full`;
 * `newer_format` where an event read is of a later program.
 */
export interface EventLog {
  /**
   * Writes all events or none, after the stream's event `expectedRevision` (-1: the stream must not exist yet).
   * Resolves only after they are on disk. Another revision: Failure `conflict`, unless the very same ids stand
   * there already, which is a success with the original revision and position: a retry after an unknown
   * outcome is safe. An empty list writes nothing.
   */
  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended>;
  /** Events of a stream in order, from a revision on, lifted to today's versions; empty for an unknown stream. */
  readStream(stream: string, fromRevision?: number): Promise<RecordedEvent[]>;
  /**
   * The next events of the whole log after a position (null: from the start): at most `limit` of them, fewer when
   * they are large, none only at the log's end.
   */
  readAll(after: Position | null, limit: number): Promise<RecordedEvent[]>;
  /** Position of the last event, null for an empty log. */
  head(): Promise<Position | null>;
  /** How many events lie after a position up to another one; null where the log cannot tell without counting. */
  distance(after: Position | null, until: Position): number | null;
  /**
   * All events after a position in batches, then new ones as they come, until the signal aborts. Events of other
   * processes on the same log are seen too.
   */
  subscribe(after: Position | null, signal: AbortSignal): AsyncIterable<RecordedEvent[]>;
  close(): Promise<void>;
}

export type FieldType = 'tag' | 'number' | 'time' | 'text';

/** A named set of records with the fields that can be filtered, sorted or (text) searched by. */
export interface CollectionSchema {
  name: string;
  fields: Record<string, FieldType>;
}

export type Doc = Record<string, unknown>;

/** Where a layer's chunks are looked for: what is in force, what no longer is, what is never retrieved. */
export type Generation = 'current' | 'superseded' | 'restricted';

/**
 * What a projection wants written. `merge` sets top-level fields and `increment` adds to top-level numbers, each of
 * an empty record if there is none. The chunk writes feed the search index beside the collections.
 */
export type Write =
  | { op: 'put'; collection: string; key: string; doc: Doc }
  | { op: 'merge'; collection: string; key: string; doc: Doc }
  | { op: 'increment'; collection: string; key: string; by: Record<string, number> }
  | { op: 'delete'; collection: string; key: string }
  | ChunkWrite;

export type ChunkWrite =
  /** Announces a revision; its chunks stay invisible until it is published. */
  | { op: 'chunks.revision'; facts: RevisionFacts; generation: Generation }
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

export interface Query {
  /** Equality per tag or number field; a tag field that holds a list matches when it contains the value. */
  where?: Record<string, string | number | boolean | null>;
  /** Words that all must stand in the text fields, by stem. */
  search?: string;
  /** By a number or time field, then by when the record was made; without it by key. */
  orderBy?: { field: string; descending?: boolean };
  /** Default 50. */
  limit?: number;
  /** Default 0. */
  offset?: number;
}

export interface ProjectionSchema {
  name: string;
  /** Raised when the projection changes what it writes: it is then built anew beside the build that serves. */
  version: number;
  collections: readonly CollectionSchema[];
}

/** One building of a projection's read models. Two exist side by side while a new one catches up. */
export interface Build {
  name: string;
  version: number;
  /** Number of the build within the store. */
  build: number;
  checkpoint: Position | null;
  /** The one that serves reads. */
  live: boolean;
}

export interface PoisonedEvent {
  projection: string;
  position: Position;
  event_id: string;
  error: string;
  at: string;
}

/** Stores of what projections make of the history. Everything in it can be deleted and made again. */
export interface ReadModels {
  /** All builds there are. A projection never seen before gets its first build, live at once. */
  builds(): Promise<Build[]>;
  /** Starts a new build of a known projection beside the live one, or returns the one under way of that version. */
  startBuild(projection: string): Promise<Build>;
  /** Makes a build the live one and drops the others of its projection. False: it is no longer there. */
  goLive(build: Build): Promise<boolean>;
  /**
   * Writes and the new checkpoint in one atomic step, only if the build's checkpoint still is `build.checkpoint`.
   * False: another runner was faster or the build is gone; nothing was written, read the builds again.
   */
  commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned?: readonly PoisonedEvent[],
  ): Promise<boolean>;
  /**
   * Told when a serving build has reached the log's end. Until then a store that can be emptied at any moment does not
   * take what it finds in the build for all there is.
   */
  completed?(build: Build): Promise<void>;
  /**
   * Told what the next commits of a build will write, so that what they change can be read in one go. Absent where
   * reading costs nothing.
   */
  ahead?(build: Build, writes: readonly Write[]): Promise<void>;
  /**
   * Reckons for one commit: called with the writes of one event after the other, it tells how full the commit is with
   * them (1: it should hold no more). Absent where a commit may hold anything.
   */
  gauge?(): (writes: readonly Write[]) => number;
  poisoned(): Promise<PoisonedEvent[]>;
  get(collection: string, key: string): Promise<Doc | null>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  close(): Promise<void>;
}

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
  generation: Generation;
  layer: string;
  /** In the document's order. `tokens`: word ids, those of title and headings first, `titled` of them. */
  chunks: { id: number; lang: Language; titled: number; tokens: Uint32Array }[];
}

/** A word with its stem and, where src/text/words.ts gives one, its second, Kazakh stem: stemming takes time. */
export interface AnalysedWord {
  word: string;
  stem: string;
  second: string | null;
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
 * Search over the visible chunks, written in the commits of ReadModels. There is one index per corpus and
 * generation, since document frequencies of mixed corpora cost quality; `restricted` ones are never searched.
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
    space: { corpus_id: string; generation: Generation },
    terms: { stems: readonly string[]; prefixes: readonly string[] },
    limit: number,
  ): Promise<number[]>;
  /** The chunks with the most similar vectors of one embedder, by cosine (-1..1), best first. */
  nearest(
    space: { corpus_id: string; generation: Generation },
    embedder: string,
    vector: Float32Array,
    limit: number,
  ): Promise<{ id: number; similarity: number }[]>;
  /** The visible ones among the chunks, in the order of the ids. */
  passages(ids: readonly number[]): Promise<Passage[]>;
  /** Visible chunks with this structural number, of one unit or (null) of any, by document and place. */
  byNumber(
    space: { corpus_id: string; generation: Generation },
    number: string,
    unit: string | null,
  ): Promise<Passage[]>;
  /** The distinct structural numbers of a unit, in the order of the text. */
  numbers(space: { corpus_id: string; generation: Generation }, unit: string): Promise<string[]>;
  /** The chunk and up to `distance` visible ones before and after it in its document, in order. */
  neighbours(id: number, distance: number): Promise<Passage[]>;
  /** A document's visible chunks in order, of restricted layers too. */
  list(doc_id: number, limit: number, offset: number): Promise<{ items: Passage[]; total: number }>;
  /** Visible chunks, and those of them with a vector of the embedder; of one corpus or document where named. */
  coverage(
    of: { corpus_id?: string; doc_id?: number },
    embedder: string,
  ): Promise<{ chunks: number; embedded: number }>;
  /** Which of the chunks have a vector of the embedder; in no order. */
  embedded(ids: readonly number[], embedder: string): Promise<number[]>;
  /** How many visible chunks of each document have a vector of the embedder; documents without any are left out. */
  embeddedByDocument(embedder: string): Promise<{ doc_id: number; embedded: number }[]>;
}

/** What limits a caller: requests within any 60 s and any 3,600 s; 0: no limit. */
export interface RateLimits {
  perMinute: number;
  perHour: number;
}

/** Of the window that leaves fewer requests (of both alike the hour). */
export interface RateLimitVerdict {
  allowed: boolean;
  limit: number;
  /** Requests left after this one. */
  remaining: number;
  /** Seconds until the oldest request counted in that window leaves it, rounded up. */
  resetS: number;
  /** Seconds after which a request would be let through, rounded up, at least 1; 0 when this one was. */
  retryAfterS: number;
}

/**
 * Counts requests in sliding windows of a minute and an hour. Both are looked at and counted in one step, so that
 * no more than the limit gets through however many come at once; a refused request counts nowhere.
 */
export interface Limiter {
  /** Counts a request of `key` if both windows allow it. Failure `unavailable`. */
  take(key: string, limits: RateLimits): Promise<RateLimitVerdict>;
}

/** `keep` false: it is handed to whoever waits for it, and not kept. */
export interface Made<T> {
  value: T;
  keep: boolean;
}

/**
 * Answers made once for all who ask the same at the same time, and kept for those who ask again. Values are JSON; the
 * key holds all they depend on. It is never needed: where it cannot be reached, everything is made anew.
 */
export interface ResponseCache {
  /**
   * What is kept under a key; else it is made by one caller of all, here and in other instances, while the others wait
   * (`cached` for them). When that one fails, each of them makes its own: rejects only as the caller's own `make` does.
   */
  once<T>(key: string, make: () => Promise<Made<T>>): Promise<{ value: T; cached: boolean }>;
}

export interface Models {
  /** Name and dimension of the embedder; two generations of vectors may live side by side. */
  embedder: { name: string; dimension: number; deterministic: boolean } | null;
  embed(texts: readonly string[], kind: 'document' | 'query', signal?: AbortSignal): Promise<Float32Array[]>;
}

export interface Clock {
  now(): Date;
}

export type { Language, Layer };
