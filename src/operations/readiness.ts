/** Whether questions can be answered: not while what they are answered from is behind what the history held at the start. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';

/** How long opening waits for the read models before it lets questions be refused. */
const settleMs = 300;
const retryAfterS = 5;

/** The projections that questions are answered from. */
const answeredFrom = ['chunks', 'corpora', 'documents', 'faq'];

export class Readiness {
  readonly #progress: ProjectionProgress;
  readonly #headAtStart: Position | null;

  constructor(progress: ProjectionProgress, headAtStart: Position | null) {
    this.#progress = progress;
    this.#headAtStart = headAtStart;
  }

  /** Waits briefly, so that no question is refused over the few events since the last commit. */
  async settle(): Promise<void> {
    const waits = answeredFrom.map((name) => this.#progress.waitFor(name, this.#headAtStart, settleMs));
    await Promise.allSettled(waits);
  }

  get rebuilding(): boolean {
    return answeredFrom.some(
      (name) => !this.#progress.hasReached(name, this.#headAtStart) || this.#progress.isBehindItself(name),
    );
  }

  /** Failure `unavailable` while they are being built. */
  check(): void {
    if (this.rebuilding)
      throw new Failure('unavailable', 'The read models are being built, try again shortly.', {
        retryAfterS,
      });
  }
}
