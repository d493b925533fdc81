/** Decorators of an event log. */
import type { EventLog } from '../ports/event-log.ts';

/** The log with another `append`; everything else is passed through. */
export function decorateAppend(log: EventLog, append: EventLog['append']): EventLog {
  return {
    append,
    readStream: (...read) => log.readStream(...read),
    readAll: (...read) => log.readAll(...read),
    head: () => log.head(),
    distance: (...between) => log.distance(...between),
    subscribe: (...from) => log.subscribe(...from),
    close: () => log.close(),
  };
}
