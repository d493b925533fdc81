/**
 * The history of a process, appended to by its main thread. In a folder a thread of its own writes it, so the main
 * thread never touches a file and nothing another process does to one can hold it up.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { historyFile, type LogLocation } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { openLog, threadLog } from './open-log.ts';
import { type OnTrouble, Threads } from './threads.ts';

/** How long an EventStoreDB that is away at the start is waited for, in ms. */
const startMsDefault = 30_000;
const retryMs = 500;

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
export async function openMainLog(
  location: LogLocation,
  threads: Threads,
  { onTrouble = () => {}, onLost = () => {}, startMs = startMsDefault }: LogOptions = {},
): Promise<EventLog> {
  const log = await openLog(location, (path) =>
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

/** One history alone: an EventStoreDB address, else a data folder. */
export async function openLogAt(
  place: string,
  namespace: string,
): Promise<{ log: EventLog; close(): Promise<void> }> {
  const threads = new Threads();
  if (/^esdb(?:\+discover)?:\/\//.test(place)) {
    const log = await openMainLog({ url: place, namespace }, threads, { startMs: 0 });
    return { log, close: () => log.close() };
  }
  makeFolder(place);
  const log = await openMainLog({ file: historyFile(place) }, threads);
  return { log, close: () => threads.close() };
}
