/**
 * Places for read models of the past, in the data folder and not in the system's: they hold what people asked. Each says
 * every few seconds that its process is there; one that has fallen silent is of a process that was killed, and is swept
 * by whoever makes or keeps another.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pastFolder } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';

/** How often a place says so, and how long it may be silent, in ms. */
const reportMs = 5_000;
const silentMs = 30_000;

const signOf = (place: string) => join(place, 'alive');

export interface PastPlace {
  path: string;
  /** Deletes it with what is in it. */
  remove(): Promise<void>;
}

/** A new empty place within a data folder. Failure `unavailable`. */
export async function newPlace(folder: string): Promise<PastPlace> {
  const path = join(pastFolder(folder), randomUUID());
  makeFolder(path);
  await writeFile(signOf(path), '', { mode: 0o600 });
  await sweepPlaces(folder);
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(signOf(path), now, now).catch(() => {});
    void sweepPlaces(folder);
  }, reportMs).unref();
  return {
    path,
    remove: async () => {
      clearInterval(timer);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Deletes the places of processes that are gone. `now`: ms of the clock that files are dated by. */
export async function sweepPlaces(folder: string, now = Date.now()): Promise<void> {
  const places = await readdir(pastFolder(folder)).catch(() => []);
  for (const name of places) {
    const place = join(pastFolder(folder), name);
    // One that is being made has no sign yet.
    const said = await stat(signOf(place))
      .catch(() => stat(place))
      .catch(() => null);
    if (said !== null && now - said.mtimeMs > silentMs)
      await rm(place, { recursive: true, force: true }).catch(() => {});
  }
}
