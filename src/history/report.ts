/**
 * The report on a comparison of the read models with the history. It omits values, because they may contain people's
 * text.
 */
import type { Position } from '../ports/event-log.ts';

/** An entry that differs from the replay. */
export interface Difference {
  /** Named as in src/ports/read-models.ts: `record corpora charter`, `chunk 000000000017`. */
  name: string;
  /** `missing`: it should exist; `surplus`: it should not exist; `changed`: its value differs. */
  kind: 'missing' | 'surplus' | 'changed';
  /** Paths of the differing fields (`doc.count`); empty unless `changed`. */
  fields: string[];
}

export interface ProjectionReport {
  projection: string;
  version: number;
  build: number;
  /** The last event in the compared build; null if there is none. */
  checkpoint: Position | null;
  /** Number of entries compared. */
  entries: number;
  differences: Difference[];
  /** Whether there are more differences, because the comparison stopped at the last of `differences`. */
  more: boolean;
}

export interface VerificationReport {
  /** Whether there are no differences. */
  same: boolean;
  /** Number of events replayed. */
  events: number;
  /** In the order of the projections. */
  projections: ProjectionReport[];
}

export interface VerificationProgress {
  phase: 'replaying' | 'comparing';
  /** The projection being compared. */
  projection: string | null;
  done: number;
  /** Null if unknown. */
  total: number | null;
}
