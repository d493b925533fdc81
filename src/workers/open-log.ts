/** Opens the history for the main thread and all workers. Server adapters are loaded only when needed. */
import { decorateAppend } from '../event-sourcing/event-log-decorators.ts';
import { EventCodec } from '../log/encoding.ts';
import { PersonalCipher } from '../log/personal-cipher.ts';
import { directLog, EmbeddedLog, type LogCalls } from '../log/sqlite/log.ts';
import { LogStore } from '../log/sqlite/log-store.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import type { HistoryConfig, LogLocation } from './adapter-config.ts';
import { readKeys } from './open-keys.ts';
import type { Thread } from './rpc.ts';

/** Access to the file in a data folder. */
export type FileAccess = (path: string) => LogCalls;

/**
 * Connects to a server on the first call. `keys` are used to open sealed data and are closed with the log. Fails with
 * `invalid` if the address is invalid.
 */
export async function openLog(
  location: LogLocation,
  file: FileAccess,
  keys: SubjectKeys | null,
): Promise<EventLog> {
  const codec = new EventCodec({ cipher: new PersonalCipher(keys) });
  if ('file' in location) return new EmbeddedLog(file(location.file), codec);
  const { EventStoreLog } = await import('../log/eventstore/log.ts');
  return EventStoreLog.open({ ...location, codec });
}

/** The history for reading, in the caller's thread. */
export async function openReadLog({ log, keys }: HistoryConfig): Promise<EventLog> {
  // Keys are looked up for every read, because projections must not contain data that was forgotten before the read.
  const read = keys && (await readKeys(keys));
  const opened = await openLog(log, readOnlyFile, read);
  if (read === null) return opened;
  const close = async () => {
    await opened.close();
    await read.close();
  };
  return { ...decorateAppend(opened, (append) => append()), close };
}

/** Opens the file for reading in the caller's thread. Fails with `not_found` if the file is missing. */
export const readOnlyFile: FileAccess = (path) => directLog(new LogStore(path, { readOnly: true }));

/** Access through the thread that writes the file and creates it if it is missing. */
export function threadLog(thread: Pick<Thread, 'call' | 'close'>): LogCalls {
  return {
    append: (request) => thread.call('append', request),
    readStream: (stream, from, limit) => thread.call('readStream', stream, from, limit),
    readAll: (after, limit) => thread.call('readAll', after, limit),
    readStored: (after, limit) => thread.call('readStored', after, limit),
    readStoredBefore: (before, limit) => thread.call('readStoredBefore', before, limit),
    head: () => thread.call('head'),
    lastBefore: (time) => thread.call('lastBefore', time),
    degraded: () => thread.call('degraded'),
    close: () => thread.close(),
  };
}
