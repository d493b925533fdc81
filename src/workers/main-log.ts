/**
 * The history to which a process's main thread appends. If it is in a folder, a separate thread writes the files, so
 * that the main thread never touches them and cannot be blocked by another process through them.
 */
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import { KeyCache } from '../log/key-cache.ts';
import { sealedLastWith } from '../log/sealed-lately.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import { type HistoryConfig, historyConfig, type KeysLocation, type KeysOptions } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import type { LogWorkerData } from './log-worker.ts';
import { threadKeys } from './open-keys.ts';
import { openLog, threadLog } from './open-log.ts';
import type { OnTrouble } from './rpc.ts';
import { type SupervisedThread, Threads } from './threads.ts';

/** How long to wait at startup for an unreachable EventStoreDB server, in ms. */
const startMsDefault = 30_000;
const retryMs = 500;

export interface LogOptions {
  onTrouble?: OnTrouble;
  /** The history can no longer be written or read in this process. */
  onLost?: () => void;
  startMs?: number;
  /** Whether the keys that seal the latest events may be missing. Default: false. */
  keysMayMiss?: boolean;
}

export interface MainLog {
  log: EventLog;
  /** The keys that seal personal text in the history. If null, it is not sealed. */
  keys: SubjectKeys | null;
  /** Disconnects from servers; the threads must be closed first. */
  close(): Promise<void>;
}

/**
 * The history for the main thread. Servers that start together become available in any order, so this waits up to
 * `startMs` (default: 30,000) for EventStoreDB, or for a Redis server with the keys. Fails with `invalid` (an invalid
 * address, another master key or missing keys), `newer_format` or `unavailable`.
 */
export async function openMainLog(
  { log: location, keys: keysLocation }: HistoryConfig,
  threads: Threads,
  { onTrouble = () => {}, onLost = () => {}, startMs = startMsDefault, keysMayMiss = false }: LogOptions = {},
): Promise<MainLog> {
  const until = performance.now() + ('file' in location ? 0 : startMs);
  const waited = async (server: string, call: () => Promise<unknown>) => {
    for (let reported = false; ; reported = true) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Failure && error.retryable) || performance.now() >= until) throw error;
        if (!reported) onTrouble(`${server} cannot be reached; waiting for it.`);
        await delay(retryMs);
      }
    }
  };
  const files: LogWorkerData = {
    ...('file' in location && { log: location.file }),
    ...(keysLocation && 'file' in keysLocation && { keys: keysLocation }),
  };
  if (files.keys) makeFolder(dirname(files.keys.file));
  const writer =
    files.log !== undefined || files.keys !== undefined
      ? threads.start('log', files, {
          name: 'history',
          probe: files.log === undefined ? 'keys.check' : 'head',
          ...(files.log !== undefined && { onLost }),
        })
      : null;
  const opened = keysLocation && (await openKeys(keysLocation, writer, onTrouble));
  const keys = opened && new KeyCache(opened.keys);
  const log = await openLog(location, () => threadLog(writer!), keys);
  const close = async () => {
    await log.close();
    await opened?.close();
  };
  try {
    await waited('EventStoreDB (EVENTSTOREDB_URL)', () => log.head());
    if (opened) {
      await waited('Redis (REDIS_URL)', opened.check);
      if (!keysMayMiss) await refuseMissingKeys(log, opened.keys);
    }
    return { log, keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** This is checked before anything is sealed with new keys, because the old keys may merely be elsewhere. */
async function refuseMissingKeys(log: EventLog, keys: SubjectKeys): Promise<void> {
  const id = await sealedLastWith(log);
  if (id !== null && !(await keys.knows(id)))
    throw new Failure(
      'invalid',
      'The keys of sealed text in this history are missing here: start with the keys it was sealed with (keys.sqlite in the folder of DOCENT_KEYS or of the history, or the Redis of REDIS_URL). If they are lost for good, "docent forget --lost-keys" forgets the text sealed with them.',
    );
}

interface OpenedKeys {
  keys: SubjectKeys;
  /** Fails with `invalid` if the keys are wrapped by another master key. May also fail with `unavailable`. */
  check(): Promise<unknown>;
  close(): Promise<void>;
}

/** Keys in a file are accessed through the thread that writes it. */
async function openKeys(
  location: KeysLocation,
  writer: SupervisedThread | null,
  onTrouble: OnTrouble,
): Promise<OpenedKeys> {
  if ('file' in location)
    return { keys: threadKeys(writer!), check: () => writer!.call('keys.check'), close: async () => {} };
  const { RedisKeys } = await import('../log/redis/subject-keys.ts');
  const keys = new RedisKeys({ ...location, onTrouble });
  return { keys, check: () => keys.open(), close: () => keys.close() };
}

/**
 * Opens only the history, at an EventStoreDB address or otherwise in a data folder. If `keys` is null, events are
 * copied as stored.
 */
export async function openLogAt(
  location: string,
  namespace: string,
  keys: KeysOptions | null,
  { keysMayMiss = false }: Pick<LogOptions, 'keysMayMiss'> = {},
): Promise<MainLog> {
  const threads = new Threads();
  const config = { ...historyConfig(location, namespace, keys ?? {}), ...(keys === null && { keys: null }) };
  if ('file' in config.log) makeFolder(location);
  try {
    const opened = await openMainLog(config, threads, { startMs: 0, keysMayMiss });
    const close = async () => {
      await threads.close();
      await opened.close();
    };
    return { ...opened, close };
  } catch (error) {
    await threads.close();
    throw error;
  }
}
