/**
 * Rate limits shared by the processes that use a data folder. Each process counts in memory, immediately and exactly.
 * Every quarter of a second it appends the requests it allowed to its own file, and reads the files of the other
 * processes. Between two such exchanges, each process may grant a caller the full limit; over a longer time, the caller
 * gets only the limit itself.
 *
 * A file has one line per allowed request: the time in ms and a keyed hash of the caller, because network addresses are
 * never stored. Each process writes only its own file. At start, the files from the last hour are read again, so that a
 * restart does not reset the limits.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limiter, RateLimits, RateLimitVerdict } from '../../ports/limiter.ts';

/** A limiter for one process that can also count requests allowed by other processes. */
export interface CountingLimiter extends Limiter {
  count(key: string, agoMs: number): void;
}

export interface FolderLimiterOptions {
  /** Created when the first request is counted. Its parent folder must exist. */
  folder: string;
  /** Key for hashing callers, shared by all processes that use the folder. */
  secret: Buffer;
  /** Counts the requests allowed here and in other processes. */
  limiter: CountingLimiter;
  /** A clock shared by all processes, in ms. */
  now?: () => number;
}

const exchangeMs = 250;
const hourMs = 3_600_000;
/** After this time a new file is started. The old one can be deleted an hour later. */
const fileMs = 600_000;
/** Maximum number of bytes read from a file at a time; the rest is read next time. */
const readBytesMax = 1024 * 1024;

export class FolderLimiter implements Limiter {
  readonly #folder: string;
  readonly #secret: Buffer;
  readonly #limiter: CountingLimiter;
  readonly #now: () => number;
  readonly #own = randomUUID();
  /** Read offset in the file of each other process. */
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
    // From the first request on, count the requests allowed by other processes, or by this one before a restart.
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

  /** Appends the requests allowed here and reads those allowed elsewhere. An unusable folder is ignored. */
  exchange(): Promise<void> {
    this.#exchanging = this.#exchanging.then(() => this.#exchange().catch(() => {}));
    return this.#exchanging;
  }

  /** Writes the pending requests. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#unsaid.length > 0) await this.exchange();
  }

  async #exchange(): Promise<void> {
    const now = this.#now();
    if (this.#file === null || now - this.#file.since > fileMs) {
      this.#file = { name: `${this.#own}-${now.toString(36)}`, since: now };
      // Do not recreate a deleted data folder.
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
        // If the clock was set back, the time is in the future; treat it as now.
        const ago = Math.max(0, now - Number.parseInt(time, 36));
        if (caller !== '' && ago < hourMs) this.#limiter.count(caller, ago);
      }
    } finally {
      await file.close();
    }
  }
}
