/** The splits of a corpus' graph, kept in step with what other processes append. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import { apartIn, type GraphSplitsState } from '../domain/graph-splits.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import { StampedCache } from '../reads/stamped-cache.ts';

export class FreshGraphSplits {
  readonly #loaded: StampedCache<'splits', GraphSplitsState>;

  constructor(splits: Commands['graphSplits'], progress: Pick<ProjectionProgress, 'changes'>) {
    // Whatever other processes part or join again stands in the audit log.
    this.#loaded = new StampedCache(
      () => progress.changes('audit'),
      () => splits.load(),
    );
  }

  /** The keys of a corpus that administrators have parted, sorted. Failure `unavailable`. */
  async apart(corpusId: string): Promise<string[]> {
    return apartIn(await this.#loaded.get('splits'), corpusId);
  }
}
