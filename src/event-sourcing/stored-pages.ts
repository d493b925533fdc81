/** A history read through, page by page, as it is stored. */
import { Failure } from '../failures.ts';
import type { EventLog, Position, StoredEvent } from '../ports/event-log.ts';

/** What a history is read from. */
export type HistorySource = Pick<EventLog, 'readStored'>;

export interface StoredPagesOptions {
  /** The events behind this one; default: all. */
  after?: Position | null;
  /** Ends the reading between two pages, with Failure `cancelled`. */
  signal?: AbortSignal | undefined;
}

/** Events read at once. */
const pageSize = 500;

/** The events of a history in their order, some at a time, up to its end as it is when that is reached. */
export async function* storedPages(
  log: HistorySource,
  { after = null, signal }: StoredPagesOptions = {},
): AsyncGenerator<StoredEvent[], undefined> {
  for (let position = after; ; ) {
    if (signal?.aborted) throw new Failure('cancelled', 'The reading of the history was stopped.');
    const page: StoredEvent[] = await log.readStored(position, pageSize);
    if (page.length === 0) return;
    yield page;
    position = page.at(-1)!.position;
  }
}
