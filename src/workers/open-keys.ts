/** Opens the encryption keys of personal data: for writing in the main thread, for reading in workers. */
import { existsSync } from 'node:fs';
import { KeyFile } from '../log/sqlite/subject-keys.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import { folderSecret } from '../read-models/secret.ts';
import { type KeysFileLocation, type KeysLocation, masterKeyFile } from './adapter-config.ts';
import type { Thread } from './rpc.ts';

/** Fails with `invalid` for another master key. May also fail with `unavailable`. */
export function openKeyFile({ file, master }: KeysFileLocation, readOnly = false): KeyFile {
  return new KeyFile(file, { master: master ?? folderSecret(masterKeyFile(file)), readOnly });
}

/** Opens the keys for reading in the caller's thread; see directKeys. */
export async function readKeys(location: KeysLocation): Promise<SubjectKeys> {
  if ('file' in location) return directKeys(location, { readOnly: true });
  const { RedisKeys } = await import('../log/redis/subject-keys.ts');
  return new RedisKeys({ ...location, readOnly: true });
}

/**
 * Accesses the file in the caller's thread. With `readOnly`, nothing is created or destroyed. The file is opened on
 * first use, because a reader may start before the writer has created it.
 */
export function directKeys(location: KeysFileLocation, { readOnly = false } = {}): SubjectKeys {
  let opened: KeyFile | null = null;
  const file = () => {
    opened ??= openKeyFile(location, readOnly && existsSync(location.file));
    return opened;
  };
  return {
    take: async (purposes) => file().take(purposes),
    find: async (ids) => file().find(ids),
    knows: async (id) => file().knows(id),
    giveUpMissing: async () => file().giveUpMissing(),
    stored: async (from) => file().stored(from),
    putBack: async (keys) => file().putBack(keys),
    destroy: async (which) => file().destroy(which),
    close: async () => opened?.close(),
  };
}

/** Accesses the keys through the thread that writes them. */
export function threadKeys(thread: Pick<Thread, 'call' | 'close'>): SubjectKeys {
  return {
    take: (purposes) => thread.call('keys.take', purposes),
    find: (ids) => thread.call('keys.find', ids),
    knows: (id) => thread.call('keys.knows', id),
    giveUpMissing: () => thread.call('keys.giveUpMissing'),
    stored: (from) => thread.call('keys.stored', from),
    putBack: (keys) => thread.call('keys.putBack', keys),
    destroy: (which) => thread.call('keys.destroy', which),
    close: () => thread.close(),
  };
}
