/** What every store of the history does alike: data to JSON within the port's limit, and back as today's version. */
import { lift } from '../domain/upcasting.ts';
import { Failure } from '../failures.ts';
import { appendBytesMax, type NewEvent, type Position, type RecordedEvent } from '../ports/event-log.ts';

/** What an event's envelope (ids, type, time, actor) is reckoned at; it takes about 300 bytes. */
const envelopeBytes = 512;

/** The JSON of each event's data. Failure `too_large` when they are too much for one append. */
export function encodeData(stream: string, events: readonly NewEvent[]): string[] {
  const data = events.map((event) => JSON.stringify(event.data));
  const bytes = data.reduce((sum, json) => sum + envelopeBytes + Buffer.byteLength(json), 0);
  if (bytes > appendBytesMax) {
    throw new Failure(
      'too_large',
      `An append of ${events.length} events to ${stream} has ${bytes} bytes, the history takes ${appendBytesMax} at once.`,
    );
  }
  return data;
}

/** An event as it was stored, its data parsed. */
export interface StoredEvent extends Omit<NewEvent, 'type' | 'data'> {
  type: string;
  data: unknown;
  stream: string;
  revision: number;
  position: Position;
}

/** Lifts data while reading; a test may give its own. */
export type Lifting = typeof lift;

/** A stored event as one of today's version: `version` says so too. */
export function decode(event: StoredEvent, lifting: Lifting = lift): RecordedEvent {
  return { ...event, ...lifting(event.type, event.version, event.data) } as RecordedEvent;
}
