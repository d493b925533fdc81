/** The read models port: the writes of projections, and the store of their records. */
import type { ChunkWrite } from './chunk-search.ts';
import type { Position } from './event-log.ts';

export type FieldType = 'tag' | 'number' | 'time' | 'text';

/** A named set of records, with the fields for filtering, sorting and (text) searching. */
export interface CollectionSchema {
  name: string;
  fields: Record<string, FieldType>;
}

export type Doc = Record<string, unknown>;

/**
 * A single write by a projection. `merge` sets top-level fields and `increment` adds to top-level numbers; both create
 * the record if it does not exist. Chunk writes go to the search index instead of a collection.
 */
export type Write =
  | { op: 'put'; collection: string; key: string; doc: Doc }
  | { op: 'merge'; collection: string; key: string; doc: Doc }
  | { op: 'increment'; collection: string; key: string; by: Record<string, number> }
  | { op: 'delete'; collection: string; key: string }
  | ChunkWrite;

export interface Query {
  /**
   * Equality by tag or number field. A tag field that contains a list matches if the list contains the value. A list of
   * values matches if any of them does; an empty list matches nothing.
   */
  where?: Record<string, string | number | boolean | null | readonly (string | number | boolean)[]>;
  /** Range of a time field: `from` is inclusive, `before` is exclusive (both ISO, UTC). */
  between?: { field: string; from?: string; before?: string };
  /** Words that must all occur in the text fields, compared by stem. */
  search?: string;
  /** Sorts by a number or time field, with ties in order of creation. Default: by key. */
  orderBy?: { field: string; descending?: boolean };
  /** Default: 50. */
  limit?: number;
  /** Default: 0. */
  offset?: number;
}

export interface ProjectionSchema {
  name: string;
  /** Increased when the projection's writes change; a new build is then created next to the live one. */
  version: number;
  collections: readonly CollectionSchema[];
}

/** A build of a projection's read models. While a new one catches up, the live one exists next to it. */
export interface Build {
  name: string;
  version: number;
  /** Number of the build within the store. */
  build: number;
  checkpoint: Position | null;
  /**
   * Events between the checkpoint and this position change nothing, as reported by the build's runner. Absent if
   * unknown.
   */
  unchangedUntil?: Position;
  /** Whether it serves reads. */
  live: boolean;
}

export interface PoisonedEvent {
  projection: string;
  position: Position;
  event_id: string;
  error: string;
  at: string;
}

/** For the operator; contains nothing from the event. */
export const poisonSentence = ({ projection, position, error }: PoisonedEvent) =>
  `The projection ${projection} skipped the event at ${position}: ${error}.`;

/**
 * An entry of a build, in a form common to all stores: equal histories give equal entries, regardless of the store and
 * of how events were grouped into commits. Values are JSON.
 */
export interface Entry {
  /** Unique within the build: the entry's kind followed by its key. */
  name: string;
  value: string;
}

/** Values of a build as of one of its checkpoints. */
export interface ValuesAt {
  checkpoint: Position | null;
  /** Values for the first names in the request, at least one of them; null if the build has no entry with that name. */
  values: (string | null)[];
}

/**
 * Reads builds entry by entry while others write to them. Memory stays bounded, and writers are not blocked. May fail
 * with `unavailable`.
 */
export interface BuildContents {
  builds(): Promise<Build[]>;
  /**
   * Names in the order of their UTF-8 bytes, without duplicates, in portions. Includes every name that exists
   * throughout the listing. May include names added or removed in the meantime, and names without an entry.
   */
  names(build: Build): AsyncIterable<readonly string[]>;
  /** The values for the names, all as of one checkpoint; null if the build no longer exists. */
  values(build: Build, names: readonly string[]): Promise<ValuesAt | null>;
}

/** The writing side of a store of read models, for projections. Its contents can be rebuilt from the history. */
export interface BuildStore {
  /** All builds. A projection without one gets its first build, which is live immediately. */
  builds(): Promise<Build[]>;
  /**
   * Starts a new build of a known projection next to the live one, or returns an unfinished one with the same version.
   */
  startBuild(projection: string): Promise<Build>;
  /** Makes a build the live one and drops the others of its projection. Returns false if the build no longer exists. */
  goLive(build: Build): Promise<boolean>;
  /**
   * Applies the writes and sets the new checkpoint in one atomic step, provided that the build's checkpoint is still
   * `build.checkpoint`. Returns false if another runner was faster or the build is gone. In that case nothing was
   * written, and the builds must be read again.
   */
  commit(
    build: Build,
    checkpoint: Position,
    writes: readonly Write[],
    poisoned?: readonly PoisonedEvent[],
  ): Promise<boolean>;
  /** The events that were set aside because a projection failed on them. A new build of the projection clears them. */
  poisoned(): Promise<PoisonedEvent[]>;
  /**
   * Called when a live build has reached the end of the log at a position, where the events after its checkpoint change
   * nothing. A store shared with other processes reports this to them; until then, the build counts as incomplete.
   */
  settled?(build: Build, at: Position | null): Promise<void>;
}

/** The reading side of a store of read models. Reads always use the live builds. */
export interface Records {
  get(collection: string, key: string): Promise<Doc | null>;
  /** The records for the keys, in the same order, as of the same moment; null for a missing record. */
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
}
