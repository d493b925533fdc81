/** Reads a history in stored form, page by page. */
import { Failure } from '../failures.ts';
import type { EventLog, Position, StoredEvent } from '../ports/event-log.ts';

/** A history that can be read in stored form. */
export type HistorySource = Pick<EventLog, 'readStored'>;

export interface StoredPagesOptions {
  /** Only events after this position. Default: all events. */
  after?: Position | null;
  /** Stops between two pages, with Failure `cancelled`. */
  signal?: AbortSignal | undefined;
}

/** Events per page. */
const pageSize = 500;

/** Yields the events of a history in order, in pages, up to the current end. */
export async function* storedPages(
  log: HistorySource,
  { after = null, signal }: StoredPagesOptions = {},
): AsyncGenerator<StoredEvent[], undefined> {
  for (let position = after; ; ) {
    if (signal?.aborted) throw new Failure('cancelled', 'Reading the history was stopped.');
    const page: StoredEvent[] = await log.readStored(position, pageSize);
    if (page.length === 0) return;
    yield page;
    position = page.at(-1)!.position;
  }
}
