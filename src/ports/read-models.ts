/** The read models port: what projections write, and the store that keeps it. */
import type { ChunkWrite } from './chunk-search.ts';
import type { Position } from './event-log.ts';

export type FieldType = 'tag' | 'number' | 'time' | 'text';

/** A named set of records with the fields that can be filtered, sorted or (text) searched by. */
export interface CollectionSchema {
  name: string;
  fields: Record<string, FieldType>;
}

export type Doc = Record<string, unknown>;

/**
 * One write of a projection. `merge` sets top-level fields and `increment` adds to top-level numbers; both create the
 * record if there is none. Chunk writes go to the search index instead of a collection.
 */
export type Write =
  | { op: 'put'; collection: string; key: string; doc: Doc }
  | { op: 'merge'; collection: string; key: string; doc: Doc }
  | { op: 'increment'; collection: string; key: string; by: Record<string, number> }
  | { op: 'delete'; collection: string; key: string }
  | ChunkWrite;

export interface Query {
  /**
   * Equality per tag or number field; a tag field that holds a list matches when it contains the value. Of several values
   * any may match; of none none does.
   */
  where?: Record<string, string | number | boolean | null | readonly (string | number | boolean)[]>;
  /** Range of a time field: `from` inclusive, `before` exclusive (both ISO, UTC). */
  between?: { field: string; from?: string; before?: string };
  /** Words that must all occur in the text fields, by stem. */
  search?: string;
  /** By a number or time field, ties by when the record was created. Default: by key. */
  orderBy?: { field: string; descending?: boolean };
  /** Default 50. */
  limit?: number;
  /** Default 0. */
  offset?: number;
}

export interface ProjectionSchema {
  name: string;
  /** Raised when the projection changes what it writes; a new build is then made beside the live one. */
  version: number;
  collections: readonly CollectionSchema[];
}

/** One build of a projection's read models. While a new one catches up, the live one exists beside it. */
export interface Build {
  name: string;
  version: number;
  /** Number of the build within the store. */
  build: number;
  checkpoint: Position | null;
  /** Events between the checkpoint and this position change nothing, as its runner has reported; absent: unknown. */
  passed?: Position;
  /** It serves reads. */
  live: boolean;
}

export interface PoisonedEvent {
  projection: string;
  position: Position;
  event_id: string;
  error: string;
  at: string;
}

/**
 * One entry of a build, in a form that all stores share: equal histories give equal entries, whatever the store and
 * however the events were divided into commits. Values are JSON.
 */
export interface Entry {
  /** Unique within the build: its kind, then its key. */
  name: string;
  value: string;
}

/** Values of a build as of one of its checkpoints. */
export interface ValuesAt {
  checkpoint: Position | null;
  /** For the first names of the request, at least one of them; null: the build has no entry of that name. */
  values: (string | null)[];
}

/**
 * Reads builds entry by entry while others write to them. Memory stays bounded, and writers are not blocked. Rejects
 * with Failure `unavailable`.
 */
export interface BuildContents {
  builds(): Promise<Build[]>;
  /**
   * Names in the order of their UTF-8 bytes, each once, in portions. Every name that exists throughout is among them;
   * one that is added or removed meanwhile may be, and so may some without an entry.
   */
  names(build: Build): AsyncIterable<readonly string[]>;
  /** The values of the names, all as of one checkpoint. Null: the build no longer exists. */
  values(build: Build, names: readonly string[]): Promise<ValuesAt | null>;
}

/** The half of a store of read models that projections write. Everything in it can be rebuilt from the history. */
export interface BuildStore {
  /** All builds. A projection without one gets its first build, live at once. */
  builds(): Promise<Build[]>;
  /** Starts a new build of a known projection beside the live one, or returns the one of that version already under way. */
  startBuild(projection: string): Promise<Build>;
  /** Makes a build the live one and drops the others of its projection. False: the build no longer exists. */
  goLive(build: Build): Promise<boolean>;
  /**
   * Applies the writes and sets the new checkpoint in one atomic step, provided that the build's checkpoint still is
   * `build.checkpoint`. False: another runner was faster, or the build is gone; nothing was written, and the builds must
   * be read again.
   */
  commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned?: readonly PoisonedEvent[],
  ): Promise<boolean>;
  /**
   * Called when a live build has reached the end of the log at a position: the events after its checkpoint change
   * nothing. A store that other processes read tells them so, and treats no build as complete before.
   */
  settled?(build: Build, at: Position | null): Promise<void>;
}

/** The half of a store of read models that is read, always from the live builds. */
export interface Records {
  poisoned(): Promise<PoisonedEvent[]>;
  get(collection: string, key: string): Promise<Doc | null>;
  /** The records of the keys, in their order, as of one moment; null where there is none. */
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
}
