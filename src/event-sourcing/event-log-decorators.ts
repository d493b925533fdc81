/** Decorators of an event log. */
import type { Appended, EventLog } from '../ports/event-log.ts';

/** Wraps each append to the log in `around`; all other calls are passed through. */
export function decorateAppend(
  log: EventLog,
  around: (append: () => Promise<Appended>) => Promise<Appended>,
): EventLog {
  return {
    append: (...append) => around(() => log.append(...append)),
    appendStored: (...append) => around(() => log.appendStored(...append)),
    readStream: (...read) => log.readStream(...read),
    readAll: (...read) => log.readAll(...read),
    readStored: (...read) => log.readStored(...read),
    readStoredBefore: (...read) => log.readStoredBefore(...read),
    head: () => log.head(),
    lastBefore: (time) => log.lastBefore(time),
    ...(log.degraded && { degraded: () => log.degraded!() }),
    distance: (...between) => log.distance(...between),
    subscribe: (...from) => log.subscribe(...from),
    close: () => log.close(),
  };
}
