/**
 * Work that any process may do and one does at a time. Every instance looks for jobs; one of them claims each in the
 * history for a short time and renews the claim while it works. A process that ends hands its claim back, one that dies
 * leaves it to run out: another goes on with the job. What has been done of it is for the work itself to find again.
 */

import { uuidv7 } from '../../domain/ids.ts';
import { Failure } from '../../failures.ts';
import type { Clock } from '../../ports/clock.ts';

/** Jobs as the history has them. Claims and endings decide by the history, so that a job is never two workers'. */
export interface JobQueue<Job extends { job_id: string }> {
  /** Jobs that have not ended, oldest first. */
  unfinished(): Promise<readonly Job[]>;
  /** The job, which is the worker's until then; null when it has ended or another worker has it. */
  claim(jobId: string, worker: string, until: Date): Promise<Job | null>;
  /** `failed`: why; null: it is done. Nothing happens when another worker has it. */
  end(jobId: string, worker: string, failed: string | null): Promise<void>;
}

export interface ClaimedJobsDeps<Job extends { job_id: string }> {
  /** What the jobs are called where trouble is told, "A backfill". */
  name: string;
  queue: JobQueue<Job>;
  /**
   * Does a job, going on where it was left. Resolves with why it has failed for good; with null when it is done, or
   * when the signal aborts: the claim is lost, or this process ends. A rejection leaves the job to the next look.
   */
  work(job: Job, signal: AbortSignal): Promise<string | null>;
  clock: Clock;
  /** Told, in a sentence, what went wrong and will be tried again. */
  onTrouble(sentence: string): void;
  /** How long a claim holds without being renewed, in ms. Default 15,000. */
  claimMs?: number | undefined;
  /** How often jobs are looked for, in ms. Default 2,000. */
  pollMs?: number | undefined;
}

const claimMsDefault = 15_000;
const pollMsDefault = 2_000;

export class ClaimedJobs<Job extends { job_id: string }> {
  readonly #deps: ClaimedJobsDeps<Job>;
  readonly #claimMs: number;
  /** This process among all that may work on a job. */
  readonly #worker = uuidv7();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;

  constructor(deps: ClaimedJobsDeps<Job>) {
    this.#deps = deps;
    this.#claimMs = deps.claimMs ?? claimMsDefault;
  }

  /** Looks for unfinished jobs now and then from now on; the timer holds no process open. */
  start(): void {
    this.#timer = setInterval(() => this.look(), this.#deps.pollMs ?? pollMsDefault).unref();
    this.look();
  }

  /** Lets the work stop at its next signal check; what is left of a job is another process's, or the next one's. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#working;
  }

  /** Looks for jobs now, unless it is working on one. */
  look(): void {
    if (this.#working !== null || this.#stopping.signal.aborted) return;
    this.#working = this.#workAll()
      .catch((error) => this.#deps.onTrouble(`${this.#deps.name} is waiting: ${sentenceOf(error)}`))
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

  /** Works on a claimed job until it is done, has failed, was lost to another process, or this one ends. */
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
      // What is left can be taken up by another process at once.
      if (this.#stopping.signal.aborted) await this.#claim(job_id, 0);
      else await this.#deps.queue.end(job_id, this.#worker, failed);
    } catch (error) {
      // Another process has appended what this one was about to: it is the other's now.
      if (!(error instanceof Failure && error.code === 'conflict')) throw error;
    } finally {
      clearInterval(renewing);
    }
  }
}

/** A sentence for people, without an unexpected error's message: it might repeat a text. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Failure
    ? error.detail
    : `unexpectedly, ${error instanceof Error ? error.name : 'an error'}.`;
