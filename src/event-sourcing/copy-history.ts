/**
 * Copies a history to another log: all events in their global order, byte for byte as stored, with ids, streams and
 * revisions. Values computed over stored events (a Merkle root) are therefore also valid for the copy, regardless of
 * the program's version. Positions differ, because each log assigns its own.
 *
 * If the target is not empty, it must contain the beginning of the same history, which is compared and not written
 * again. An interrupted copy can therefore simply be restarted, and the copy of a growing history can be updated.
 */
import { Failure } from '../failures.ts';
import { appendBytesMax, type EventLog, type Position, type StoredEvent } from '../ports/event-log.ts';
import { type HistorySource, storedPages } from './stored-pages.ts';

export interface CopyProgress {
  /** `compare` checks the existing content of the target; it is followed by `copy` and `verify`. */
  phase: 'compare' | 'copy' | 'verify';
  /** Number of events processed in this phase. */
  events: number;
}

export interface CopyOptions {
  /** Called after each compared page and each append. */
  onProgress?: (progress: CopyProgress) => void;
  /** Reads both histories again and compares them event by event. Default: true. */
  verify?: boolean;
  /** Stops the copy between two events, with Failure `cancelled`. */
  signal?: AbortSignal;
}

export interface CopyReport {
  /** Number of events in the target. */
  events: number;
  /** Number of events written by this copy. */
  copied: number;
  verified: boolean;
}

/** A comparison reports progress after this many events. */
const pageSize = 500;
/** Maximum number and total bytes of consecutive events of a stream in one append. */
const batchEvents = 200;
const batchBytes = appendBytesMax / 2;
const envelopeBytes = 512;

/**
 * Reads `from` from its start two or three times. Fails with `conflict` if the target contains something else, and
 * otherwise with the failures of the logs.
 */
export async function copyHistory(
  from: HistorySource,
  to: EventLog,
  { onProgress = () => {}, verify = true, signal }: CopyOptions = {},
): Promise<CopyReport> {
  const there = await compare(from, to, 'compare', Number.POSITIVE_INFINITY, onProgress, signal);
  let copied = 0;
  for await (const batch of batches(everything(from, there.after, signal))) {
    const { stream, revision } = batch[0]!;
    await to.appendStored(stream, revision - 1, batch);
    copied += batch.length;
    onProgress({ phase: 'copy', events: copied });
  }
  const events = there.events + copied;
  if (verify) {
    const same = await compare(from, to, 'verify', events, onProgress, signal);
    if (same.events !== events) {
      throw new Failure('internal', `The target contains ${same.events} events, but ${events} were copied.`);
    }
  }
  return { events, copied, verified: verify };
}

/** Compares at most `limit` events in the target with the beginning of the source. */
async function compare(
  from: HistorySource,
  to: EventLog,
  phase: 'compare' | 'verify',
  limit: number,
  onProgress: (progress: CopyProgress) => void,
  signal: AbortSignal | undefined,
): Promise<{ events: number; after: Position | null }> {
  const originals = everything(from, null, signal);
  let events = 0;
  let after: Position | null = null;
  for await (const copy of everything(to, null, signal)) {
    if (events === limit) break;
    const { value: original } = await originals.next();
    if (original === undefined || !isSame(copy, original)) {
      throw new Failure(
        'conflict',
        `The target is not a copy: its event ${events + 1}, ${copy.type} ${copy.id} of ${copy.stream} at ${copy.revision}, ` +
          `is ${original === undefined ? 'beyond the end of the source' : 'a different one in the source'}.`,
      );
    }
    after = original.position;
    if (++events % pageSize === 0) onProgress({ phase, events });
  }
  if (events % pageSize !== 0) onProgress({ phase, events });
  return { events, after };
}

async function* everything(
  log: HistorySource,
  after: Position | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const page of storedPages(log, { after })) {
    for (const event of page) {
      if (signal?.aborted)
        throw new Failure('cancelled', 'The copy was stopped; start it again to continue.');
      yield event;
    }
  }
}

/** Consecutive events of one stream in the global order, as many as fit into one append. */
async function* batches(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent[]> {
  let batch: StoredEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    const more = envelopeBytes + event.data.length;
    const full = batch.length === batchEvents || bytes + more > batchBytes;
    if (batch.length > 0 && (full || batch[0]!.stream !== event.stream)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

function isSame(copy: StoredEvent, original: StoredEvent): boolean {
  return (
    copy.id === original.id &&
    copy.type === original.type &&
    copy.stream === original.stream &&
    copy.revision === original.revision &&
    Buffer.compare(copy.data, original.data) === 0 &&
    Buffer.compare(copy.metadata, original.metadata) === 0
  );
}
