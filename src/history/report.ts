/**
 * The report of a comparison of the read models with the history. Values are left out: they may hold what people
 * wrote.
 */
import type { Position } from '../ports/event-log.ts';

/** An entry that is not as the history makes it. */
export interface Difference {
  /** As src/ports/read-models.ts names entries: `record corpora charter`, `chunk 000000000017`. */
  name: string;
  /** `missing`: it should be there and is not; `surplus`: it should not be there; `changed`: it holds something else. */
  kind: 'missing' | 'surplus' | 'changed';
  /** Which fields are others, as paths (`doc.count`); empty unless it was changed. */
  fields: string[];
}

export interface ProjectionReport {
  projection: string;
  version: number;
  build: number;
  /** The last event that what was compared was made from; null: none. */
  checkpoint: Position | null;
  /** How many entries were compared. */
  entries: number;
  differences: Difference[];
  /** There are more: comparing ended with the last of `differences`. */
  more: boolean;
}

export interface VerificationReport {
  /** Nothing differs. */
  same: boolean;
  /** How many were replayed. */
  events: number;
  /** In the order of the projections. */
  projections: ProjectionReport[];
}

export interface VerificationProgress {
  phase: 'replaying' | 'comparing';
  /** The one that is compared. */
  projection: string | null;
  done: number;
  /** null: not known. */
  total: number | null;
}
