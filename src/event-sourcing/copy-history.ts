/**
 * Copies a history into another log: every event in the order of the whole, byte for byte as it is stored, with its id,
 * stream and revision. So whatever was computed over stored events (a Merkle root) holds for the copy too, whichever
 * version of the program makes it. Positions are each log's own and change.
 *
 * What the target holds already must be the beginning of the same history: it is compared and not written again. A copy
 * that was broken off is simply started again, and one of a history that goes on is brought up to date.
 */
import { Failure } from '../failures.ts';
import { appendBytesMax, type EventLog, type Position, type StoredEvent } from '../ports/event-log.ts';
import { type HistorySource, storedPages } from './stored-pages.ts';

export interface CopyProgress {
  /** `compare`: what the target holds already; `copy`; then `verify`. */
  phase: 'compare' | 'copy' | 'verify';
  /** Events done in this phase. */
  events: number;
}

export interface CopyOptions {
  /** Called after every page that was compared and every append. */
  onProgress?: (progress: CopyProgress) => void;
  /** Reads both histories once more and compares them event by event; default true. */
  verify?: boolean;
  /** Stops between two events, with Failure `cancelled`. */
  signal?: AbortSignal;
}

export interface CopyReport {
  /** Events in the target now. */
  events: number;
  /** Those of them that were written by this copy. */
  copied: number;
  verified: boolean;
}

/** Progress of a comparison is reported each time so many events are done. */
const pageSize = 500;
/** Of a stream's events that follow each other, so many are appended at once, or so many bytes of them. */
const batchEvents = 200;
const batchBytes = appendBytesMax / 2;
const envelopeBytes = 512;

/** `from` is read from its start twice or three times. Failure `conflict` when the target holds something else; what the logs themselves reject with. */
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
      throw new Failure('internal', `The target holds ${same.events} events, ${events} were copied.`);
    }
  }
  return { events, copied, verified: verify };
}

/** Compares what the target holds, at most `limit` events of it, with the beginning of the source. */
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
        `The target is no copy: its event ${events + 1}, ${copy.type} ${copy.id} of ${copy.stream} at ${copy.revision}, ` +
          `is ${original === undefined ? 'more than the source holds' : 'another one in the source'}.`,
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

/** Events of one stream that follow each other in the whole, as many as one append should hold. */
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
