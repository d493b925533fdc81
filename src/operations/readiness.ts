/** Whether questions can be answered: not while the search index is behind what the history held at the start. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';

/** How long opening waits for the search index before it lets questions be refused. */
const settleMs = 300;
const retryAfterS = 5;

export class Readiness {
  readonly #progress: ProjectionProgress;
  readonly #headAtStart: Position | null;

  constructor(progress: ProjectionProgress, headAtStart: Position | null) {
    this.#progress = progress;
    this.#headAtStart = headAtStart;
  }

  /** What was appended since the last commit is passed over in moments; nobody should be turned away for that. */
  async settle(): Promise<void> {
    await this.#progress.waitFor('chunks', this.#headAtStart, settleMs).catch(() => {});
  }

  get rebuilding(): boolean {
    return !this.#progress.hasReached('chunks', this.#headAtStart) || this.#progress.isBehindItself('chunks');
  }

  /** Failure `unavailable` while the index is being built. */
  check(): void {
    if (this.rebuilding)
      throw new Failure('unavailable', 'The search index is being built, try again shortly.', {
        retryAfterS,
      });
  }
}
