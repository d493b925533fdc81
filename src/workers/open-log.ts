/**
 * How the history is opened: by the main thread to append to it, by a worker to read it. In a folder a thread of its
 * own writes it, so the main thread never touches a file and nothing another process does to one can hold it up.
 * Adapters of servers are loaded only where one is used.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { directLog, EmbeddedLog } from '../stores/embedded/log.ts';
import { LogStore } from '../stores/embedded/log-store.ts';
import { historyFile, type LogLocation } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { type OnTrouble, Threads } from './threads.ts';

/** How long an EventStoreDB that is away at the start is waited for, in ms. */
const startMsDefault = 30_000;
const retryMs = 500;

/**
 * The history for the main thread. Servers that are started together come up in any order, so an EventStoreDB that is
 * away is waited for up to `startMs` (default 30,000). Failure `invalid` for an address that cannot be read,
 * `newer_format`, `unavailable`.
 */
export async function openLog(
  location: LogLocation,
  threads: Threads,
  { onTrouble = () => {}, startMs = startMsDefault }: { onTrouble?: OnTrouble; startMs?: number } = {},
): Promise<EventLog> {
  if ('file' in location) return openHistory(location.file, threads);
  const { EventStoreLog } = await import('../stores/server/eventstore.ts');
  const log = EventStoreLog.open(location);
  const until = performance.now() + startMs;
  for (let told = false; ; told = true) {
    try {
      await log.head();
      return log;
    } catch (error) {
      if (!(error instanceof Failure && error.retryable) || performance.now() > until) {
        await log.close();
        throw error;
      }
      if (!told) onTrouble('EventStoreDB cannot be reached, it is waited for.');
      await delay(retryMs);
    }
  }
}

async function openHistory(path: string, threads: Threads): Promise<EventLog> {
  const thread = threads.start('log', { path });
  const log = new EmbeddedLog({
    append: (request) => thread.call('append', request),
    readStream: (stream, from, limit) => thread.call('readStream', stream, from, limit),
    readAll: (after, limit) => thread.call('readAll', after, limit),
    head: () => thread.call('head'),
    close: () => thread.close(),
  });
  await log.head();
  return log;
}

/** What a worker reads of the history. `follows`: `subscribe` tells of new events, so it need not look often. */
export interface LogSide extends Pick<EventLog, 'readAll' | 'head' | 'subscribe' | 'close'> {
  follows: boolean;
}

export async function openLogSide(location: LogLocation): Promise<LogSide> {
  const log = await openReader(location);
  return {
    readAll: (after, limit) => log.readAll(after, limit),
    head: () => log.head(),
    subscribe: (after, signal) => log.subscribe(after, signal),
    close: () => log.close(),
    follows: 'url' in location,
  };
}

async function openReader(location: LogLocation): Promise<EventLog> {
  if ('file' in location) return new EmbeddedLog(directLog(new LogStore(location.file, { readOnly: true })));
  const { EventStoreLog } = await import('../stores/server/eventstore.ts');
  return EventStoreLog.open(location);
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
