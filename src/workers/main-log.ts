/**
 * The history of a process, appended to by its main thread. In a folder a thread of its own writes it, so the main
 * thread never touches a file and nothing another process does to one can hold it up.
 */
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import { KeyCache } from '../stores/key-cache.ts';
import { type HistoryConfig, historyConfig, type KeysLocation, type KeysOptions } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { threadKeys } from './open-keys.ts';
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

export interface MainLog {
  log: EventLog;
  /** What people's words in it are sealed with; null: they are not. */
  keys: SubjectKeys | null;
}

/**
 * The history for the main thread. Servers that are started together come up in any order, so an EventStoreDB that is
 * away is waited for up to `startMs` (default 30,000). Failure `invalid` for an address that cannot be read,
 * `newer_format`, `unavailable`.
 */
export async function openMainLog(
  { log: location, keys: keysLocation }: HistoryConfig,
  threads: Threads,
  { onTrouble = () => {}, onLost = () => {}, startMs = startMsDefault }: LogOptions = {},
): Promise<MainLog> {
  const keys = keysLocation && (await openKeys(keysLocation, threads));
  const log = await openLog(
    location,
    (path) => threadLog(threads.start('log', { path }, { name: 'history', probe: 'head', onLost })),
    keys,
  );
  const until = performance.now() + ('file' in location ? 0 : startMs);
  for (let told = false; ; told = true) {
    try {
      await log.head();
      return { log, keys };
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

/** The keys over a thread of their own. Failure `invalid`: they are wrapped by another master key. */
async function openKeys(location: KeysLocation, threads: Threads): Promise<SubjectKeys> {
  makeFolder(dirname(location.file));
  const thread = threads.start('keys', location, { name: 'keys' });
  await thread.call('check');
  return new KeyCache(threadKeys(thread));
}

/** One history alone: an EventStoreDB address, else a data folder. `keys` null: it is only copied as it is stored. */
export async function openLogAt(
  place: string,
  namespace: string,
  keys: KeysOptions | null,
): Promise<MainLog & { close(): Promise<void> }> {
  const threads = new Threads();
  const config = { ...historyConfig(place, namespace, keys ?? {}), ...(keys === null && { keys: null }) };
  if ('file' in config.log) makeFolder(place);
  try {
    const opened = await openMainLog(config, threads, { startMs: 0 });
    const close = async () => {
      await threads.close();
      await opened.log.close();
    };
    return { ...opened, close };
  } catch (error) {
    await threads.close();
    throw error;
  }
}
