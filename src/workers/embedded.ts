/**
 * The embedded form: a folder with the history, the read models and the search index, each a SQLite file. A thread
 * writes the history; the main thread never touches a file, so nothing another process does to one can hold it up.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { EmbeddedLog } from '../stores/embedded/log.ts';
import type { ModelPaths } from '../stores/embedded/models.ts';
import { ModelsReader } from '../stores/embedded/models-store.ts';
import { copySqlite } from '../stores/embedded/sqlite.ts';
import { type OnTrouble, openStores, type Stores, Threads } from './stores.ts';

export interface EmbeddedOptions {
  folder: string;
  onTrouble?: OnTrouble;
}

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
/** The read models, and the search index: both can be deleted at any time and are built again. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

/** Makes the folder where it is missing. Failure `unavailable`. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Failure(
      'unavailable',
      `The data folder ${folder} cannot be made: ${error instanceof Error ? error.message : 'unknown'}.`,
    );
  }
}

/** The history of a folder, written by a thread of its own. Failure `newer_format`, `unavailable`. */
export async function openHistory(folder: string, threads: Threads): Promise<EventLog> {
  const thread = threads.start('log', { path: historyFile(folder) });
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

/** Opens the stores of a data folder, making it where it is missing. Failure `newer_format`, `unavailable`. */
export async function openEmbedded({ folder, onTrouble = () => {} }: EmbeddedOptions): Promise<Stores> {
  makeFolder(folder);
  const threads = new Threads();
  try {
    const log = await openHistory(folder, threads);
    const places = { log: { file: historyFile(folder) }, models: modelPaths(folder) };
    return await openStores(log, places, threads, onTrouble);
  } catch (error) {
    await threads.close();
    throw error;
  }
}

/** Every record of a folder's read models, then every chunk, as a line of text in a fixed order. */
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
 * Copies a data folder that may be in use into another, which must be empty or missing. The history comes last: it
 * then holds at least what the read models were made from. Failure `invalid`, `unavailable`, `storage_full`.
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
    throw new Failure('invalid', `${to} is not empty: a backup needs a folder of its own.`);
  for (const path of [models, index, history]) {
    if (existsSync(path))
      await copySqlite(path, join(to, basename(path)), (share) => onProgress(basename(path), share));
  }
}
