/** Tracks the live build of the search index for a reader. */
import { Failure } from '../failures.ts';
import type { ReadSide } from './open-read-models.ts';

/** Maximum number of builds to try per read. */
const attemptsMax = 3;

export class CurrentIndex<T> {
  readonly #side: Pick<ReadSide, 'liveIndex'>;
  readonly #open: (build: string) => T;
  #opened: { build: string; index: T } | null = null;

  /** `open` creates the object that is cached for a build while it is live. */
  constructor(side: Pick<ReadSide, 'liveIndex'>, open: (build: string) => T) {
    this.#side = side;
    this.#open = open;
  }

  /**
   * Reads the live build. If the build was dropped in the meantime, the result may be incomplete or the read may have
   * failed, so it is repeated. Fails with `unavailable` if builds are replaced faster than they are read.
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
    throw new Failure('unavailable', 'The search index is being built; try again shortly.', {
      retryAfterS: 1,
    });
  }
}
