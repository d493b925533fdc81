/**
 * How the history is opened: by the main thread to append to it, by a worker to read it. In a folder a thread of its
 * own writes it, so the main thread never touches a file and nothing another process does to one can hold it up.
 * Adapters of servers are loaded only where one is used.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { directLog, EmbeddedLog, type LogCalls } from '../stores/embedded/log.ts';
import { LogStore } from '../stores/embedded/log-store.ts';
import { historyFile, type LogLocation } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import type { Thread } from './rpc.ts';
import { type OnTrouble, Threads } from './threads.ts';

/** How long an EventStoreDB that is away at the start is waited for, in ms. */
const startMsDefault = 30_000;
const retryMs = 500;

/** Every log there is comes from here. `file`: how the file of a data folder is reached. */
async function logAt(location: LogLocation, file: (path: string) => LogCalls): Promise<EventLog> {
  if ('file' in location) return new EmbeddedLog(file(location.file));
  const { EventStoreLog } = await import('../stores/server/eventstore.ts');
  return EventStoreLog.open(location);
}

/** The calls of a log thread. */
export function threadLog(thread: Pick<Thread, 'call' | 'close'>): LogCalls {
  return {
    append: (request) => thread.call('append', request),
    readStream: (stream, from, limit) => thread.call('readStream', stream, from, limit),
    readAll: (after, limit) => thread.call('readAll', after, limit),
    readStored: (after, limit) => thread.call('readStored', after, limit),
    head: () => thread.call('head'),
    close: () => thread.close(),
  };
}

export interface LogOptions {
  onTrouble?: OnTrouble;
  /** The history can be neither written nor read any more, and will not be again in this process. */
  onLost?: () => void;
  startMs?: number;
}

/**
 * The history for the main thread. Servers that are started together come up in any order, so an EventStoreDB that is
 * away is waited for up to `startMs` (default 30,000). Failure `invalid` for an address that cannot be read,
 * `newer_format`, `unavailable`.
 */
export async function openLog(
  location: LogLocation,
  threads: Threads,
  { onTrouble = () => {}, onLost = () => {}, startMs = startMsDefault }: LogOptions = {},
): Promise<EventLog> {
  const log = await logAt(location, (path) =>
    threadLog(threads.start('log', { path }, { name: 'history', probe: 'head', onLost })),
  );
  const until = performance.now() + ('file' in location ? 0 : startMs);
  for (let told = false; ; told = true) {
    try {
      await log.head();
      return log;
    } catch (error) {
      if (!(error instanceof Failure && error.retryable) || performance.now() >= until) {
        await log.close();
        throw error;
      }
      if (!told) onTrouble('EventStoreDB cannot be reached, it is waited for.');
      await delay(retryMs);
    }
  }
}

/** The history for a worker that reads it; connects with the first call. Failure `not_found` for a missing file. */
export function openLogReader(location: LogLocation): Promise<EventLog> {
  return logAt(location, (path) => directLog(new LogStore(path, { readOnly: true })));
}

/** One history alone: an EventStoreDB address, else a data folder. */
export async function openLogAt(
  place: string,
  namespace: string,
): Promise<{ log: EventLog; close(): Promise<void> }> {
  const threads = new Threads();
  if (/^esdb(?:\+discover)?:\/\//.test(place)) {
    const log = await openLog({ url: place, namespace }, threads, { startMs: 0 });
    return { log, close: () => log.close() };
  }
  makeFolder(place);
  const log = await openLog({ file: historyFile(place) }, threads);
  return { log, close: () => threads.close() };
}
