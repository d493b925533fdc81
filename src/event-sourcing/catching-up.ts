/** Waits until the read models include everything that was in the history when the call was made. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';

export interface CatchingUpDeps {
  log: Pick<EventLog, 'head'>;
  progress: Pick<ProjectionProgress, 'checkpoint' | 'hasReached' | 'waitFor'>;
  projections: readonly { name: string; late?: boolean }[];
  /** Rejects with Failure while the store of the read models is unreachable. */
  readModels: () => Promise<unknown>;
  /** How long to wait for an unreachable store, in ms. Default: 30,000, the same as for the history at startup. */
  awayMs?: number;
}

/**
 * A read model without progress for this long counts as stopped. Its lag is irrelevant, because a history may be large.
 */
const stillMs = 10 * 60_000;
const awayMsDefault = 30_000;
const retryMs = 250;

export class CatchingUp {
  readonly #deps: CatchingUpDeps;

  constructor(deps: CatchingUpDeps) {
    this.#deps = deps;
  }

  /**
   * Waits for all read models. Fails with `timeout` if one has made no progress for ten minutes or has not caught up
   * after `limitMs` (default: no limit), and with `unavailable` if their store stays unreachable.
   */
  all(limitMs?: number): Promise<void> {
    return this.#reached(this.#deps.projections, limitMs);
  }

  /** Waits for the read models used to answer questions, so that ingested documents can be found. Fails like `all`. */
  searchable(): Promise<void> {
    return this.#reached(this.#deps.projections.filter(({ late }) => !late));
  }

  async #reached(wanted: CatchingUpDeps['projections'], limitMs?: number): Promise<void> {
    const { log, progress } = this.#deps;
    const head = await log.head();
    if (wanted.every(({ name }) => progress.hasReached(name, head))) return;
    await this.#reachable();
    await Promise.all(
      wanted.map(({ name }) =>
        limitMs === undefined ? this.#passed(name, head) : progress.waitFor(name, head, limitMs),
      ),
    );
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

  async #passed(name: string, position: Position | null): Promise<void> {
    const { progress } = this.#deps;
    for (;;) {
      const before = progress.checkpoint(name);
      try {
        return await progress.waitFor(name, position, stillMs);
      } catch (error) {
        const moved = progress.checkpoint(name) !== before;
        if (!(error instanceof Failure && error.code === 'timeout' && moved)) throw error;
      }
    }
  }
}
