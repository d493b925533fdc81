/** A log that appends in another way; the rest of it is the log's own. */
import type { EventLog } from '../ports/event-log.ts';

export function withAppend(log: EventLog, append: EventLog['append']): EventLog {
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
