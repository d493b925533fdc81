/**
 * Jobs that any process may run, but each by only one process at a time. Every instance polls for jobs. It claims a job in the history
 * for a short time and renews the claim while working. A process that stops releases its claim; the claim of a crashed
 * process expires, and another process continues the job. The job itself must detect which parts are already done.
 */

import { uuidv7 } from '../../domain/ids.ts';
import { Failure } from '../../failures.ts';
import type { Clock } from '../../ports/clock.ts';

/** Jobs as recorded in the history, which decides who may claim or end a job, so two workers never have the same one. */
export interface JobQueue<Job extends { job_id: string }> {
  /** Unfinished jobs, oldest first. */
  unfinished(): Promise<readonly Job[]>;
  /** Claims a job for the worker until this time. Returns null if it has ended or another worker has it. */
  claim(jobId: string, worker: string, until: Date): Promise<Job | null>;
  /**
   * Ends a job. `failed` is the reason for a failure; null means success. Has no effect if another worker has the job.
   */
  end(jobId: string, worker: string, failed: string | null): Promise<void>;
}

export interface ClaimedJobsDeps<Job extends { job_id: string }> {
  /** Name of the jobs in messages, such as "A backfill". */
  name: string;
  queue: JobQueue<Job>;
  /**
   * Runs a job, resuming where it stopped. Resolves with the reason if it fails permanently, or with null when it is
   * done or the signal aborts because the claim is lost or this process is stopping. After a rejection, the job is
   * retried at the next poll.
   */
  work(job: Job, signal: AbortSignal): Promise<string | null>;
  clock: Clock;
  /** Called with the description of a failure that will be retried. */
  onTrouble(sentence: string): void;
  /** Lifetime of a claim that is not renewed, in ms. Default: 15,000. */
  claimMs?: number | undefined;
  /** Polling interval in ms. Default: 2,000. */
  pollMs?: number | undefined;
}

const claimMsDefault = 15_000;
const pollMsDefault = 2_000;

export class ClaimedJobs<Job extends { job_id: string }> {
  readonly #deps: ClaimedJobsDeps<Job>;
  readonly #claimMs: number;
  /** Identifies this process among the workers. */
  readonly #worker = uuidv7();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;

  constructor(deps: ClaimedJobsDeps<Job>) {
    this.#deps = deps;
    this.#claimMs = deps.claimMs ?? claimMsDefault;
  }

  /** Starts polling for unfinished jobs. The timer does not keep the process alive. */
  start(): void {
    this.#timer = setInterval(() => this.look(), this.#deps.pollMs ?? pollMsDefault).unref();
    this.look();
  }

  /** Stops the job at its next signal check. Another process, or the next one to start, continues it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#working;
  }

  /** Looks for jobs immediately, unless one is already running here. */
  look(): void {
    if (this.#working !== null || this.#stopping.signal.aborted) return;
    this.#working = this.#workAll()
      .catch((error) => this.#deps.onTrouble(`${this.#deps.name} is paused: ${sentenceOf(error)}`))
      .finally(() => {
        this.#working = null;
      });
  }

  async #workAll(): Promise<void> {
    for (const { job_id } of await this.#deps.queue.unfinished()) {
      if (this.#stopping.signal.aborted) return;
      const job = await this.#claim(job_id);
      if (job !== null) await this.#work(job);
    }
  }

  #claim(jobId: string, forMs = this.#claimMs): Promise<Job | null> {
    const until = new Date(this.#deps.clock.now().getTime() + forMs);
    return this.#deps.queue.claim(jobId, this.#worker, until);
  }

  /** Works on a claimed job until it succeeds or fails, another process claims it, or this process stops. */
  async #work(job: Job): Promise<void> {
    const { job_id } = job;
    const lost = new AbortController();
    const renew = () =>
      this.#claim(job_id)
        .then((kept) => kept === null && lost.abort())
        .catch(() => {});
    const renewing = setInterval(() => void renew(), this.#claimMs / 3).unref();
    try {
      const failed = await this.#deps.work(job, AbortSignal.any([this.#stopping.signal, lost.signal]));
      if (lost.signal.aborted) return;
      // Release the claim so that another process can continue immediately.
      if (this.#stopping.signal.aborted) await this.#claim(job_id, 0);
      else await this.#deps.queue.end(job_id, this.#worker, failed);
    } catch (error) {
      // Another process appended first and now owns the job.
      if (!(error instanceof Failure && error.code === 'conflict')) throw error;
    } finally {
      clearInterval(renewing);
    }
  }
}

/** A user-facing sentence, without the message of an unexpected error, because that might contain document text. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Failure
    ? error.detail
    : `unexpected error (${error instanceof Error ? error.name : 'unknown'}).`;
