/** Waits until the read models have caught up with the end of the history as of the call. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';

export interface CatchingUpDeps {
  log: Pick<EventLog, 'head'>;
  progress: Pick<ProjectionProgress, 'checkpoint' | 'hasReached' | 'waitFor'>;
  projections: readonly { name: string; late?: boolean }[];
  /** Reads something of the read models. Failure while their store is away. */
  readModels: () => Promise<unknown>;
  /** How long a store that is away is waited for, in ms; default 30,000, as the history is at the start. */
  awayMs?: number;
}

/** A read model that has not moved for so long has stopped. How far it has to go is no matter: a history may be large. */
const stillMs = 10 * 60_000;
const awayMsDefault = 30_000;
const retryMs = 250;

export class CatchingUp {
  readonly #deps: CatchingUpDeps;

  constructor(deps: CatchingUpDeps) {
    this.#deps = deps;
  }

  /**
   * All of them. Failure `timeout` where one has not moved for ten minutes, or is not there after `limitMs` (default: it
   * may take any time); `unavailable` sooner where the store of the read models stays away.
   */
  all(limitMs?: number): Promise<void> {
    return this.#reached(this.#deps.projections, limitMs);
  }

  /** Those that questions are answered from: what is ingested is there when it can be found. Failure as `all`. */
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
