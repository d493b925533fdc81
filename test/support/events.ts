/** Small events to fill a history. */

import { type EventType, type EventTypes, eventSchemas } from '../../src/domain/events.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import type { NewEvent } from '../../src/ports/event-log.ts';

/** A new event of a type, with a new id and time. */
export function eventOf<T extends EventType>(type: T, data: EventTypes[T]): NewEvent<T> {
  const now = new Date();
  return {
    id: uuidv7(now.getTime()),
    type,
    version: eventSchemas[type].version,
    time: now.toISOString(),
    actor: 'system',
    correlation_id: uuidv7(now.getTime()),
    causation_id: null,
    data,
  };
}

/** An event that contains only `text`. */
export function note(text = 'a note'): NewEvent<'CorpusActivated'> {
  return eventOf('CorpusActivated', { corpus_id: text });
}

export const notes = (count: number): NewEvent<'CorpusActivated'>[] =>
  Array.from({ length: count }, (_, i) => note(`note ${i}`));
