/**
 * Limits that the processes on one data folder share. Each counts in memory, at once and exactly; what it let through it
 * appends to a file of its own within a quarter of a second, and reads what the others let through from theirs. Between
 * two readings a caller may so get as much from each of them; in the long run no more than the limit.
 *
 * A file is a line for each request let through: the time in ms of the clock, and the caller as a keyed hash, since no
 * network address is written anywhere. Nobody writes another's file; those of the last hour are read again when a
 * process starts, so that a restart forgives nothing.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limiter, RateLimits, RateLimitVerdict } from '../../ports/limiter.ts';

/** A limiter of one process that also counts what other processes let through. */
export interface CountingLimiter extends Limiter {
  count(key: string, agoMs: number): void;
}

export interface FolderLimiterOptions {
  /** Made when the first request is counted, within a folder that is there. */
  folder: string;
  /** What callers are hashed with; the same for all processes on the folder. */
  secret: Buffer;
  /** Counts what is let through here and elsewhere. */
  limiter: CountingLimiter;
  /** Ms of the clock that all processes go by. */
  now?: () => number;
}

const exchangeMs = 250;
const hourMs = 3_600_000;
/** A file grows for so long; then another is begun, and this one can go an hour later. */
const fileMs = 600_000;
/** Of one file at a time; the rest is read the next time. */
const readBytesMax = 1024 * 1024;

export class FolderLimiter implements Limiter {
  readonly #folder: string;
  readonly #secret: Buffer;
  readonly #limiter: CountingLimiter;
  readonly #now: () => number;
  readonly #own = randomUUID();
  /** How far the files of others have been read. */
  readonly #read = new Map<string, number>();
  #unsaid: string[] = [];
  #file: { name: string; since: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #exchanging: Promise<void> = Promise.resolve();

  constructor({ folder, secret, limiter, now = Date.now }: FolderLimiterOptions) {
    this.#folder = folder;
    this.#secret = secret;
    this.#limiter = limiter;
    this.#now = now;
  }

  async take(key: string, limits: RateLimits): Promise<RateLimitVerdict> {
    // What others, or this process before it was started again, let through counts from the first request on.
    if (this.#file === null) await this.exchange();
    const caller = createHmac('sha256', this.#secret).update(key).digest('base64url').slice(0, 22);
    const verdict = await this.#limiter.take(caller, limits);
    if (verdict.allowed && limits.perMinute + limits.perHour > 0)
      this.#unsaid.push(`${this.#now().toString(36)} ${caller}\n`);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.exchange();
    }, exchangeMs).unref();
    return verdict;
  }

  /** Says what was let through here, and takes in what was elsewhere. A folder that cannot be used is done without. */
  exchange(): Promise<void> {
    this.#exchanging = this.#exchanging.then(() => this.#exchange().catch(() => {}));
    return this.#exchanging;
  }

  /** Says what has not been said. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#unsaid.length > 0) await this.exchange();
  }

  async #exchange(): Promise<void> {
    const now = this.#now();
    if (this.#file === null || now - this.#file.since > fileMs) {
      this.#file = { name: `${this.#own}-${now.toString(36)}`, since: now };
      // Nothing is made in the place of a data folder that has gone.
      if (!existsSync(this.#folder)) await mkdir(this.#folder, { mode: 0o700 });
    }
    const lines = this.#unsaid.splice(0);
    if (lines.length > 0)
      await appendFile(join(this.#folder, this.#file.name), lines.join(''), { mode: 0o600 });
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const { size, mtimeMs } = await stat(path);
      if (now - mtimeMs > hourMs) {
        await rm(path, { force: true });
        this.#read.delete(name);
      } else if (!name.startsWith(this.#own) && size > (this.#read.get(name) ?? 0)) {
        await this.#takeIn(path, name);
      }
    }
  }

  async #takeIn(path: string, name: string): Promise<void> {
    const from = this.#read.get(name) ?? 0;
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytesMax), 0, readBytesMax, from);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      this.#read.set(name, from + end);
      const now = this.#now();
      for (const line of buffer.toString('latin1', 0, end).split('\n')) {
        const [time = '', caller = ''] = line.split(' ');
        // A clock that was set back would make it lie ahead: it is taken for just now.
        const ago = Math.max(0, now - Number.parseInt(time, 36));
        if (caller !== '' && ago < hourMs) this.#limiter.count(caller, ago);
      }
    } finally {
      await file.close();
    }
  }
}
