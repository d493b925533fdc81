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

/** The history. All methods reject with Failure: `unavailable`, `conflict`, `too_large`, `storage_full`. */
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
  /** The next events of the whole log after a position (null: from the start), at most `limit` of them. */
  readAll(after: Position | null, limit: number): Promise<RecordedEvent[]>;
  /** Position of the last event, null for an empty log. */
  head(): Promise<Position | null>;
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
 * What a projection wants written. `merge` sets top-level fields (of an empty record if there is none);
 * `increment` adds to numbers at dotted paths. The chunk writes feed the search index beside the collections.
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
  | { op: 'chunks.add'; doc_id: number; revision: number; first: number; chunks: (Chunk & { text: string })[] }
  /** One row changes: this revision is now what retrieval sees of the document. Old chunks are swept later. */
  | { op: 'chunks.publish'; doc_id: number; revision: number }
  | { op: 'chunks.drop'; doc_id: number; revision: number }
  | { op: 'chunks.withdraw'; doc_id: number };

export interface Query {
  /** Equality per field; a tag field that holds a list matches when it contains the value. */
  where?: Record<string, string | number | boolean | null>;
  /** Words that all must stand in the text fields, by stem. */
  search?: string;
  orderBy?: { field: string; descending?: boolean };
  /** Default 50. */
  limit?: number;
  /** Default 0. */
  offset?: number;
}

export interface ProjectionState {
  name: string;
  version: number;
  checkpoint: Position | null;
  /** False while a newer version is being built beside the one that serves. */
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
  /**
   * Writes and the new checkpoint in one atomic step, only if the projection's checkpoint still is `expected`.
   * False: another runner was faster, nothing was written, reload the checkpoint.
   */
  commit(
    projection: { name: string; version: number },
    expected: Position | null,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned?: readonly PoisonedEvent[],
  ): Promise<boolean>;
  states(): Promise<ProjectionState[]>;
  poisoned(): Promise<PoisonedEvent[]>;
  get(collection: string, key: string): Promise<Doc | null>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  /** Resolves when the live projection's checkpoint has reached the position; Failure `timeout` after timeoutMs. */
  waitFor(projection: string, position: Position, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** A chunk as retrieval hands it out, with what its revision says of itself. */
export interface Passage {
  /** The store's own id of the chunk, stable while the revision is visible; adjacent chunks have adjacent ids. */
  id: number;
  facts: RevisionFacts;
  chunk: Chunk;
  text: string;
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
