/**
 * Disk space reserved for what must be written when the disk is full: a file next to the history that is deleted when
 * needed. Until the file can be recreated, nothing else is written that could use up the space.
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Enough for about fifty small transactions with their journal. */
const reserveBytes = 2 * 1024 * 1024;
/** Interval between attempts to recreate the file, in ms. */
const retryMs = 1_000;

export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, bytes = reserveBytes) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Whether the space is reserved. If not, this retries at most once a second. */
  hold(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return true;
    if (performance.now() - this.#triedAt < retryMs) return false;
    this.#triedAt = performance.now();
    return this.#make();
  }

  /** Whether at least the same amount of space is free in addition to the reserve. */
  isRoomBeside(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize >= this.#bytes;
  }

  /** Frees the space. */
  release(): void {
    this.#triedAt = performance.now();
    rmSync(this.#path, { force: true });
  }

  #make(): boolean {
    try {
      const file = openSync(this.#path, 'w', 0o600);
      try {
        const written = writeSync(file, Buffer.alloc(this.#bytes));
        fsyncSync(file);
        if (written === this.#bytes) return true;
      } finally {
        closeSync(file);
      }
    } catch {
      // A failure due to lack of space is expected here.
    }
    rmSync(this.#path, { force: true });
    return false;
  }
}
