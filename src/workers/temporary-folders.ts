/**
 * Temporary folders for uploads and for read models of the past. They contain people's questions and documents, so they
 * are in the data folder rather than in the system's temporary folder. The owning process touches a file in each folder
 * every few seconds. If that file is stale, the process was killed, and any process that creates or keeps such a folder
 * next to it removes the stale one.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './data-folder.ts';

/** How often the file is touched, and the age at which it counts as stale, in ms. */
const reportMs = 5_000;
const silentMs = 30_000;

const heartbeatOf = (folder: string) => join(folder, 'alive');

export interface TemporaryFolder {
  path: string;
  /** Deletes the folder and its contents. */
  remove(): Promise<void>;
}

/** Creates an empty folder within another, which may be missing. May fail with `unavailable`. */
export async function openTemporaryFolder(within: string): Promise<TemporaryFolder> {
  const path = join(within, randomUUID());
  makeFolder(path);
  await writeFile(heartbeatOf(path), '', { mode: 0o600 });
  await sweepTemporaryFolders(within);
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(heartbeatOf(path), now, now).catch(() => {});
    void sweepTemporaryFolders(within);
  }, reportMs).unref();
  return {
    path,
    remove: async () => {
      clearInterval(timer);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Deletes the folders of processes that are no longer running, now and regularly until the signal aborts. */
export function sweepUntil(signal: AbortSignal, within: string): void {
  void sweepTemporaryFolders(within);
  const timer = setInterval(() => void sweepTemporaryFolders(within), silentMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/**
 * Deletes the folders of processes that are no longer running. `now` is in ms, by the clock used for file modification
 * times.
 */
export async function sweepTemporaryFolders(within: string, now = Date.now()): Promise<void> {
  const names = await readdir(within).catch(() => []);
  for (const name of names) {
    const path = join(within, name);
    // A folder that is still being created has no such file yet.
    const said = await stat(heartbeatOf(path))
      .catch(() => stat(path))
      .catch(() => null);
    if (said !== null && now - said.mtimeMs > silentMs)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
