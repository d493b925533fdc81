/**
 * Leases for the processes that share a data folder, with one small file per lease. The file contains the holder's
 * name, and renewing the lease updates the file's modification time.
 */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failures.ts';
import { type Leases, leaseMs } from '../ports/leases.ts';

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

export class FolderLeases implements Leases {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #holder = randomUUID();

  /** `now` is the clock used for file modification times in the folder, in ms. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  async take(name: string): Promise<boolean> {
    const path = this.#path(name);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const lease = await this.#read(path);
      const now = new Date(this.#now());
      if (lease?.holder === this.#holder) {
        await utimes(path, now, now);
        return true;
      }
      if (lease?.isAlive) return false;
      // If several processes find the lease expired, only one of them succeeds in renaming it.
      if (lease) {
        const dead = `${path}.${this.#holder}`;
        await rename(path, dead);
        const renamed = await readFile(dead, 'utf8');
        // Another process had already created a new lease here, so restore it.
        if (renamed !== lease.holder) await link(dead, path).catch(() => {});
        await rm(dead, { force: true });
        if (renamed !== lease.holder) return false;
      }
      // A link appears with its contents and its time, or fails because another process was faster.
      const draft = `${path}.${this.#holder}`;
      await writeFile(draft, this.#holder, { mode: 0o600 });
      await utimes(draft, now, now);
      await link(draft, path).finally(() => rm(draft, { force: true }));
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST') || isCode(error, 'ENOENT')) return false;
      throw unavailable(error);
    }
  }

  async isHeld(name: string): Promise<boolean> {
    try {
      return (await this.#read(this.#path(name)))?.isAlive ?? false;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async release(name: string): Promise<void> {
    const path = this.#path(name);
    const lease = await this.#read(path).catch(() => null);
    if (lease?.holder === this.#holder) await rm(path, { force: true }).catch(() => {});
  }

  async #read(path: string): Promise<{ holder: string; isAlive: boolean } | null> {
    try {
      const [holder, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      return { holder, isAlive: this.#now() - mtimeMs < leaseMs };
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  #path(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex').slice(0, 32));
  }
}

const unavailable = (cause: unknown) => new Failure('unavailable', 'A lease cannot be written.', { cause });
