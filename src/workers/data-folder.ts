/** Creates the files of a data folder, copies them while they are in use, and prints them as text. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Failure } from '../failures.ts';
import { ModelsReader } from '../read-models/models-reader.ts';
import { copySqlite } from '../storage/sqlite.ts';
import { historyFile, keysFile, masterKeyFile, modelPaths, secretFile } from './adapter-config.ts';

/**
 * Creates the folder with owner-only access if it is missing, because it contains people's questions. If the folder
 * already contains a history, removes access for others. May fail with `unavailable`.
 */
export function makeFolder(folder: string): void {
  try {
    // Use the absolute path: with a relative path in a deleted working directory, Node would retry forever.
    mkdirSync(resolve(folder), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Failure(
      'unavailable',
      `The data folder ${folder} cannot be created: ${error instanceof Error ? error.message : 'unknown'}. Set DOCENT_DATA to a folder that can be created.`,
    );
  }
  if (!existsSync(historyFile(folder))) return;
  try {
    chmodSync(folder, 0o700);
  } catch {
    // Another user owns the folder; the files in it are readable only by their owner.
  }
}

/** Every record of a folder's read models, then every chunk, as lines of text in a fixed order. */
export function* dumpEmbedded(folder: string): Generator<string> {
  for (const path of Object.values(modelPaths(folder))) {
    const reader = new ModelsReader(path);
    try {
      yield* reader.dump();
    } finally {
      reader.close();
    }
  }
}

/**
 * Copies a data folder, even if it is in use, to another folder, which must be empty or missing. The history is copied
 * after the read models, so that it contains at least the events they were built from. May fail with `invalid`,
 * `unavailable` or `storage_full`.
 */
export async function backupEmbedded(
  folder: string,
  to: string,
  onProgress: (file: string, share: number) => void = () => {},
): Promise<void> {
  const { models, index } = modelPaths(folder);
  const history = historyFile(folder);
  if (!existsSync(history)) throw new Failure('invalid', `There is no history in ${folder}.`);
  makeFolder(to);
  if (readdirSync(to).length > 0)
    throw new Failure('invalid', `${to} is not empty: a backup needs an empty folder.`);
  const keys = keysFile(folder);
  for (const secret of [secretFile(folder), masterKeyFile(keys)])
    if (existsSync(secret)) {
      const copy = join(to, basename(secret));
      copyFileSync(secret, copy);
      chmodSync(copy, 0o600);
    }
  // Copy the keys after the history, so that they include those of all its events.
  for (const path of [models, index, history, keys]) {
    if (existsSync(path))
      await copySqlite(path, join(to, basename(path)), (share) => onProgress(basename(path), share));
  }
}

/** Copies a file of a data folder, even if it is open. May fail with `unavailable` or `storage_full`. */
export const copyFolderFile = (path: string, to: string): Promise<void> => copySqlite(path, to, () => {});
