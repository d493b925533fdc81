/** Messages between the pool and its parsing processes. */
import type { Prepared, PreparedDocument, PrepareInput } from './prepare.ts';
import type { RecordsFormat } from './records.ts';

/** By what a record is known before it is prepared. */
export interface RecordHead {
  line: number;
  key: string;
  input_hash: string;
}

export interface RecordFault {
  /** null where it is not known. */
  line: number | null;
  reason: string;
}

/** What a process is asked. */
export type ParseRequest =
  | { ask: 'document'; input: PrepareInput; known: readonly string[] }
  /** Opens a file of many; `skip` entries have been taken in. */
  | { ask: 'open'; input: PrepareInput; format: RecordsFormat; skip: number }
  /** Reads on, `most` entries at most. */
  | { ask: 'heads'; most: number }
  /** The documents of the entries read last, by their place among them. */
  | { ask: 'documents'; indices: readonly number[] };

/** Entries of a file of many; null for a head stands for a fault. */
export interface Heads {
  heads: (RecordHead | null)[];
  faults: RecordFault[];
  bytes: number;
  /** Nothing follows. */
  ended: boolean;
}

export type ParseReply =
  | { prepared: Prepared }
  | { opened: true }
  | { read: Heads }
  | { documents: (PreparedDocument | RecordFault)[] }
  | Refused;

export type ReplyTo<Request extends ParseRequest> = Answer<Request['ask']> | Refused;

type Answer<Ask extends ParseRequest['ask']> = {
  document: { prepared: Prepared };
  open: { opened: true };
  heads: { read: Heads };
  documents: { documents: (PreparedDocument | RecordFault)[] };
}[Ask];

export interface Refused {
  refused: string;
  /** The process is not to be used again. */
  lost?: true;
}

/** Why a file was given up after its limit. */
export function tookTooLong(timeoutMs: number): string {
  return `took longer than ${Math.round(timeoutMs / 100) / 10} s to read`;
}
