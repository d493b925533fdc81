/** Follows the live build of the search index on behalf of a reader. */
import { Failure } from '../failures.ts';
import type { ReadSide } from '../stores/read-side.ts';

/** Builds that one reading may outlive. */
const attemptsMax = 3;

export class CurrentIndex<T> {
  readonly #side: Pick<ReadSide, 'liveIndex'>;
  readonly #open: (build: string) => T;
  #opened: { build: string; index: T } | null = null;

  /** `open`: what is kept of a build for as long as it serves. */
  constructor(side: Pick<ReadSide, 'liveIndex'>, open: (build: string) => T) {
    this.#side = side;
    this.#open = open;
  }

  /**
   * Reads the build that serves. What was read of one that has gone meanwhile may lack anything, or the reading failed
   * for that: it is read again. Failure `unavailable` where builds go faster than they are read.
   */
  async read<R>(work: (index: T) => Promise<R>): Promise<R> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const build = await this.#side.liveIndex();
      if (this.#opened?.build !== build) this.#opened = { build, index: this.#open(build) };
      const [outcome] = await Promise.allSettled([work(this.#opened.index)]);
      if ((await this.#side.liveIndex()) !== build) continue;
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    }
    throw new Failure('unavailable', 'The search index is being built, try again shortly.', {
      retryAfterS: 1,
    });
  }
}
