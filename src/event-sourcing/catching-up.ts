/** Waits until the read models have caught up with the end of the history as of the call. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { EventLog } from '../ports/event-log.ts';

export interface CatchingUpDeps {
  log: Pick<EventLog, 'head'>;
  progress: Pick<ProjectionProgress, 'waitFor'>;
  projections: readonly { name: string; late?: boolean }[];
}

const waitMs = 10 * 60_000;

export class CatchingUp {
  readonly #deps: CatchingUpDeps;

  constructor(deps: CatchingUpDeps) {
    this.#deps = deps;
  }

  /** All of them. Failure `timeout` after so many ms, default ten minutes; `unavailable`. */
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
    await Promise.all(wanted.map(({ name }) => progress.waitFor(name, head, timeoutMs)));
  }
}
