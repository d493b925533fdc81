/** The catalog, including changes by other processes. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import { StampedCache } from '../async/stamped-cache.ts';
import type { CatalogState, CorpusState } from '../domain/catalog.ts';
import type { Commands } from './commands.ts';

export class FreshCatalog {
  readonly #catalog: Commands['catalog'];
  readonly #loaded: StampedCache<'catalog', CatalogState>;

  constructor(catalog: Commands['catalog'], progress: Pick<ProjectionProgress, 'changes'>) {
    this.#catalog = catalog;
    this.#loaded = new StampedCache(
      () => progress.changes('corpora'),
      () => catalog.load(),
    );
  }

  /** Reads the end of the catalog's stream if another process may have changed it. May fail with `unavailable`. */
  async load(): Promise<CatalogState> {
    await this.#loaded.get('catalog');
    return this.#catalog.state;
  }

  /** From the catalog as last loaded; null for an unknown corpus. */
  corpus(corpusId: string): CorpusState | null {
    return this.#catalog.state.corpora.get(corpusId) ?? null;
  }
}
