/**
 * Read-your-writes consistency. Read models lag behind the log by a few milliseconds, but a person who asks a question
 * and then opens the query log expects to find it there. Reads therefore wait up to a second until the projection
 * includes this process's own appends. They do not wait for writes by other processes. A read model that lags further
 * behind is read as it is.
 */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { ProjectionSchema } from '../ports/read-models.ts';
import { decorateAppend } from './event-log-decorators.ts';

/** Maximum delay of a read, in ms. */
const waitMs = 1_000;

export class ReadYourWrites {
  readonly #progress: Pick<ProjectionProgress, 'waitFor'>;
  readonly #projectionOf = new Map<string, string>();
  /** Position of the last event appended by this process. */
  #position: Position | null = null;

  constructor(progress: Pick<ProjectionProgress, 'waitFor'>, projections: readonly ProjectionSchema[]) {
    this.#progress = progress;
    for (const { name, collections } of projections)
      for (const collection of collections) this.#projectionOf.set(collection.name, name);
  }

  /** The log, which records the position of every append. */
  track(log: EventLog): EventLog {
    return decorateAppend(log, async (append) => {
      const appended = await append();
      if (appended.position !== null && appended.position > (this.#position ?? ''))
        this.#position = appended.position;
      return appended;
    });
  }

  /** Resolves when a projection has applied this process's appends so far, or after a second. */
  async waitFor(projection: string): Promise<void> {
    await this.#progress.waitFor(projection, this.#position, waitMs).catch(() => {});
  }

  /** The same reads, except that each waits for the projection from which it reads. */
  consistentReads<Reads extends ReadModelReads>(reads: Reads): Reads {
    const collection = (name: string) => this.waitFor(this.#projectionOf.get(name) ?? name);
    return {
      ...reads,
      get: async (name, key) => {
        await collection(name);
        return reads.get(name, key);
      },
      getMany: async (name, keys) => {
        await collection(name);
        return reads.getMany(name, keys);
      },
      find: async (name, query) => {
        await collection(name);
        return reads.find(name, query);
      },
      chunks: async (...of) => {
        await this.waitFor('chunks');
        return reads.chunks(...of);
      },
      coverage: async (...of) => {
        await this.waitFor('chunks');
        return reads.coverage(...of);
      },
      embeddedByDocument: async (...of) => {
        await this.waitFor('chunks');
        return reads.embeddedByDocument(...of);
      },
    };
  }
}
