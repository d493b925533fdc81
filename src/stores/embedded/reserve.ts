/**
 * Disk space reserved for what must be written on a full disk: a file beside the history that is deleted when needed.
 * While the file cannot be recreated, nothing else is written, so that nothing else takes the space.
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Some fifty small transactions with their journal. */
const reserveBytes = 2 * 1024 * 1024;
/** Interval between attempts to recreate it, in ms. */
const retryMs = 1_000;

export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, bytes = reserveBytes) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Whether the space is reserved; if not, this retries at most once a second. */
  hold(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return true;
    if (performance.now() - this.#triedAt < retryMs) return false;
    this.#triedAt = performance.now();
    return this.#make();
  }

  /** Whether at least as much space is free beside the reserve. */
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
      // A failure for lack of space is expected here.
    }
    rmSync(this.#path, { force: true });
    return false;
  }
}
