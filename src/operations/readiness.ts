/**
 * Whether questions can be answered. They cannot while the read models used for answers lack events that existed at
 * startup.
 */
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';

/** How long startup waits for the read models before questions are refused. */
const settleMs = 300;
const retryAfterS = 5;

/** The projections used for answers. */
const answeredFrom = ['chunks', 'corpora', 'documents', 'faq'];

export class Readiness {
  readonly #progress: ProjectionProgress;
  readonly #headAtStart: Position | null;

  constructor(progress: ProjectionProgress, headAtStart: Position | null) {
    this.#progress = progress;
    this.#headAtStart = headAtStart;
  }

  /** Waits briefly, so that questions are not refused because of a few events since the last commit. */
  async settle(): Promise<void> {
    const waits = answeredFrom.map((name) => this.#progress.waitFor(name, this.#headAtStart, settleMs));
    await Promise.allSettled(waits);
  }

  get rebuilding(): boolean {
    return answeredFrom.some(
      (name) => !this.#progress.hasReached(name, this.#headAtStart) || this.#progress.isBehindItself(name),
    );
  }

  /** Fails with `unavailable` while they are being rebuilt. */
  check(): void {
    if (this.rebuilding)
      throw new Failure('unavailable', 'The read models are being built; try again shortly.', {
        retryAfterS,
      });
  }
}
