/** What projections make of the history, and the store they are kept in. */
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
 * What a projection wants written. `merge` sets top-level fields and `increment` adds to top-level numbers, each of
 * an empty record if there is none. The chunk writes feed the search index beside the collections.
 */
export type Write =
  | { op: 'put'; collection: string; key: string; doc: Doc }
  | { op: 'merge'; collection: string; key: string; doc: Doc }
  | { op: 'increment'; collection: string; key: string; by: Record<string, number> }
  | { op: 'delete'; collection: string; key: string }
  | ChunkWrite;

export interface Query {
  /** Equality per tag or number field; a tag field that holds a list matches when it contains the value. */
  where?: Record<string, string | number | boolean | null>;
  /** Of a time field: from this moment on, and before this one (both ISO, UTC). */
  between?: { field: string; from?: string; before?: string };
  /** Words that must all occur in the text fields, by stem. */
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
  /** Raised when the projection changes what it writes: it is then rebuilt beside the build that serves. */
  version: number;
  collections: readonly CollectionSchema[];
  /** What holds among the records of one of its collections, however they came about. */
  balance?: Balance;
}

export interface Balance {
  collection: string;
  /** What does not hold, as a sentence; null where all does. */
  fault(records: ReadonlyMap<string, Doc>): string | null;
}

/** One building of a projection's read models. Two exist side by side while a new one catches up. */
export interface Build {
  name: string;
  version: number;
  /** Number of the build within the store. */
  build: number;
  checkpoint: Position | null;
  /** Events up to there change nothing beyond the checkpoint, as reported by the runner; absent: unknown. */
  passed?: Position;
  /** The one that serves reads. */
  live: boolean;
  /** Invariants found broken within it; it is being rebuilt. */
  fault?: string;
}

/** How far a build has got: from its checkpoint up to `at` no event changes anything. */
export interface Passed {
  projection: string;
  build: number;
  checkpoint: Position | null;
  at: Position | null;
}

/**
 * Which of the processes over one store runs a projection. It saves the others the same work and nothing else: the
 * checkpoint of a build decides which commit counts.
 */
export interface ProjectionLeases {
  /**
   * Takes the leases that are free and renews those held, for a few seconds; called about every second. When it rejects
   * (Failure `unavailable`), those held go on until another has taken them.
   */
  hold(): Promise<void>;
  /** Whether this process runs the projection, as far as it knows. */
  holds(projection: string): boolean;
  /** Reports to the other processes how far the serving builds of the projections held here have got. */
  report(passed: readonly Passed[]): Promise<void>;
  /** Subscribes to reports from now on; reports made while the store is away are lost. Failure `unavailable`. */
  watch(onPassed: (passed: Passed) => void): Promise<void>;
  /** What was last reported of each projection. */
  passed(): Promise<Passed[]>;
  /** Gives up all that are held, so that another need not wait. */
  release(): Promise<void>;
}

export interface PoisonedEvent {
  projection: string;
  position: Position;
  event_id: string;
  error: string;
  at: string;
}

/**
 * One thing that a build holds, in the same form from every store: of equal histories all entries are equal, whatever the store
 * and however the events were divided into commits. Values are JSON.
 */
export interface Entry {
  /** Unique within the build; what it is, then its key. */
  name: string;
  value: string;
}

/** What names of a build held at a checkpoint of it. */
export interface ValuesAt {
  checkpoint: Position | null;
  /** Of the first of the names that were asked for, at least one; null: nothing is by that name. */
  values: (string | null)[];
}

/**
 * Reads what builds hold, entry by entry, beside whoever writes to them. Memory stays bounded, and nothing is held up.
 * Rejects with Failure `unavailable`.
 */
export interface BuildContents {
  builds(): Promise<Build[]>;
  /**
   * Names in the order of their UTF-8 bytes, each once, in portions: all that stand there all the while; those that come
   * or go meanwhile, and some by which nothing is, may be among them.
   */
  names(build: Build): AsyncIterable<readonly string[]>;
  /** What the names hold, all of them at one checkpoint. Null: the build is no longer there. */
  values(build: Build, names: readonly string[]): Promise<ValuesAt | null>;
}

/** What must hold within a build whatever its history, looked at while it serves. */
export interface BuildChecks {
  /**
   * Looks through a build in portions of a few milliseconds; each tells what does not hold, as sentences without any
   * text that people wrote. What is committed meanwhile is no fault. Rejects with Failure `unavailable`.
   */
  faults(build: Build): AsyncIterable<readonly string[]>;
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
   * Called when a live build has reached the end of the log. Until then a store that can be emptied at any moment must
   * not take the build's contents for complete.
   */
  markComplete?(build: Build): Promise<void>;
  /**
   * Announces what the next commits of a build will write, so that the records they change are read in one round trip.
   * Absent where reading costs nothing.
   */
  prefetch?(build: Build, writes: readonly Write[]): Promise<void>;
  /**
   * Returns a gauge for one commit: called with the writes of one event after another, it returns how full the commit
   * is with them; at 1 the commit should be closed. Absent where a commit may hold any amount.
   */
  commitBudget?(): (writes: readonly Write[]) => number;
  poisoned(): Promise<PoisonedEvent[]>;
  get(collection: string, key: string): Promise<Doc | null>;
  /** The records of the keys, in their order, as of one moment; null where there is none. */
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  close(): Promise<void>;
}
