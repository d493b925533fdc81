/**
 * Disk space kept for what must be written on a full disk: a file beside the history that is deleted for it. While the
 * file cannot be made again, nothing else is written, so that nothing else takes the space.
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Some fifty small transactions with their journal. */
const reserveBytes = 2 * 1024 * 1024;
/** How often making it again is tried, in ms. */
const retryMs = 1_000;

export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, bytes = reserveBytes) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Whether the space is kept, which is tried at most once a second where it is not. */
  hold(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return true;
    if (performance.now() - this.#triedAt < retryMs) return false;
    this.#triedAt = performance.now();
    return this.#make();
  }

  /** Whether the disk has as much free besides. */
  isRoomBeside(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize >= this.#bytes;
  }

  /** Gives the space back to the disk. */
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
      // Too little space is what it is for.
    }
    rmSync(this.#path, { force: true });
    return false;
  }
}
