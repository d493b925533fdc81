/**
 * Gives the service access to stored reports. Reading and comparing long reports takes seconds, so a separate thread
 * (kept-worker.ts) does it, one task at a time.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../src/failures.ts';
import type { KeptReply, KeptReport, KeptTask, ReadReport } from './kept.ts';

/** The stored reports in a data folder. */
export class KeptReports {
  readonly #data: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(data: string) {
    this.#data = data;
  }

  list(): Promise<KeptReport[]> {
    return this.#do<KeptReport[]>({ ask: 'list' });
  }

  /** Failure `not_found` for an unknown report, `invalid` for one that cannot be read. */
  read(name: string, page: { against: string | null; limit: number; offset: number }): Promise<ReadReport> {
    return this.#do<ReadReport>({ ask: 'read', name, ...page });
  }

  #do<T>(task: KeptTask): Promise<T> {
    const start = () => this.#inThread<T>(task);
    const done = this.#last.then(start, start);
    this.#last = done.catch(() => {});
    return done;
  }

  async #inThread<T>(task: KeptTask): Promise<T> {
    const worker = new Worker(new URL('./kept-worker.ts', import.meta.url), {
      workerData: { data: this.#data, task },
    });
    const [reply] = (await once(worker, 'message')) as [KeptReply];
    if ('failure' in reply) throw new Failure(reply.failure.code, reply.failure.detail);
    return reply.value as T;
  }
}
