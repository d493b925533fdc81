/**
 * Reading one's own writes: read models follow the history by some milliseconds, and whoever asks and then looks into
 * the query log expects the question there. What this process has appended is waited for, shortly; what others have is
 * not, and a read model that lags far behind is shown as it is.
 */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { ProjectionSchema } from '../ports/read-models.ts';
import type { Reads } from '../retrieval/reads.ts';
import { withAppend } from './event-log-decorators.ts';

/** The longest a reader is held up, in ms. */
const waitMs = 1_000;

export class OwnWrites {
  readonly #progress: Pick<ProjectionProgress, 'waitFor'>;
  readonly #projectionOf = new Map<string, string>();
  /** The furthest event this process has appended. */
  #position: Position | null = null;

  constructor(progress: Pick<ProjectionProgress, 'waitFor'>, projections: readonly ProjectionSchema[]) {
    this.#progress = progress;
    for (const { name, collections } of projections)
      for (const collection of collections) this.#projectionOf.set(collection.name, name);
  }

  /** The log, its appends noted. */
  noting(log: EventLog): EventLog {
    return withAppend(log, async (...append) => {
      const appended = await log.append(...append);
      if (appended.position !== null && appended.position > (this.#position ?? ''))
        this.#position = appended.position;
      return appended;
    });
  }

  /** Resolves when a projection holds what this process has appended so far, or after a second. */
  async shownBy(projection: string): Promise<void> {
    await this.#progress.waitFor(projection, this.#position, waitMs).catch(() => {});
  }

  /** Reads that wait for it. */
  readsOf(reads: Reads): Reads {
    const collection = (name: string) => this.shownBy(this.#projectionOf.get(name) ?? name);
    return {
      ...reads,
      get: async (name, key) => {
        await collection(name);
        return reads.get(name, key);
      },
      find: async (name, query) => {
        await collection(name);
        return reads.find(name, query);
      },
      chunks: async (...of) => {
        await this.shownBy('chunks');
        return reads.chunks(...of);
      },
      coverage: async (...of) => {
        await this.shownBy('chunks');
        return reads.coverage(...of);
      },
      embeddedByDocument: async (...of) => {
        await this.shownBy('chunks');
        return reads.embeddedByDocument(...of);
      },
    };
  }
}
