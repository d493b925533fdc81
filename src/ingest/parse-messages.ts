/** Messages between the pool and its parser processes. */
import type { Prepared, PreparedDocument, PrepareInput } from './prepare.ts';
import type { RecordsFormat } from './records.ts';

/** Identifies a record before it is prepared. */
export interface RecordHead {
  line: number;
  key: string;
  input_hash: string;
}

export interface RecordFault {
  /** Null if unknown. */
  line: number | null;
  reason: string;
}

/** Requests to a process. */
export type ParseRequest =
  | { ask: 'document'; input: PrepareInput; known: readonly string[] }
  /** Opens a multi-record file. `skip` is the number of entries already processed. */
  | { ask: 'open'; input: PrepareInput; format: RecordsFormat; skip: number }
  /** Reads the next entries, at most `most`. */
  | { ask: 'heads'; most: number }
  /** Requests documents from the entries read last, by index. */
  | { ask: 'documents'; indices: readonly number[] };

/** Entries of a multi-record file. A null head means an error. */
export interface Heads {
  heads: (RecordHead | null)[];
  faults: RecordFault[];
  bytes: number;
  /** Whether the end of the file has been reached. */
  ended: boolean;
}

export type ParseReply =
  | { prepared: Prepared }
  | { opened: true }
  | { read: Heads }
  | { documents: (PreparedDocument | RecordFault)[] }
  | RefusedFile;

export type ReplyTo<Request extends ParseRequest> = Answer<Request['ask']> | RefusedFile;

type Answer<Ask extends ParseRequest['ask']> = {
  document: { prepared: Prepared };
  open: { opened: true };
  heads: { read: Heads };
  documents: { documents: (PreparedDocument | RecordFault)[] };
}[Ask];

export interface RefusedFile {
  refused: string;
  /** Whether the process must not be used again. */
  lost?: true;
}

/** The reason given for a file that exceeded the time limit. */
export function tookTooLong(timeoutMs: number): string {
  return `took longer than ${Math.round(timeoutMs / 100) / 10} s to read`;
}
