/** Waits until the read models have caught up with the end of the history as of the call. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';

export interface CatchingUpDeps {
  log: Pick<EventLog, 'head'>;
  progress: Pick<ProjectionProgress, 'hasReached' | 'waitFor'>;
  projections: readonly { name: string; late?: boolean }[];
  /** Reads something of the read models. Failure while their store is away. */
  readModels: () => Promise<unknown>;
  /** How long a store that is away is waited for, in ms; default 30,000, as the history is at the start. */
  awayMs?: number;
}

const waitMs = 10 * 60_000;
const awayMsDefault = 30_000;
const retryMs = 250;

export class CatchingUp {
  readonly #deps: CatchingUpDeps;

  constructor(deps: CatchingUpDeps) {
    this.#deps = deps;
  }

  /**
   * All of them. Failure `timeout` after so many ms, default ten minutes; `unavailable` sooner where the store of the read
   * models stays away.
   */
  all(timeoutMs = waitMs): Promise<void> {
    const { projections } = this.#deps;
    return this.#reached(projections, timeoutMs);
  }

  /** Those that questions are answered from: what is ingested is there when it can be found. Failure as `all`. */
  searchable(timeoutMs = waitMs): Promise<void> {
    const { projections } = this.#deps;
    return this.#reached(
      projections.filter(({ late }) => !late),
      timeoutMs,
    );
  }

  async #reached(wanted: CatchingUpDeps['projections'], timeoutMs: number): Promise<void> {
    const { log, progress } = this.#deps;
    const head = await log.head();
    if (wanted.every(({ name }) => progress.hasReached(name, head))) return;
    await this.#reachable();
    await Promise.all(wanted.map(({ name }) => progress.waitFor(name, head, timeoutMs)));
  }

  async #reachable(): Promise<void> {
    const { readModels, awayMs = awayMsDefault } = this.#deps;
    const until = performance.now() + awayMs;
    for (;;) {
      try {
        await readModels();
        return;
      } catch (error) {
        if (!(error instanceof Failure && error.retryable) || performance.now() >= until) throw error;
        await delay(retryMs);
      }
    }
  }
}
