/** Keeps the document metadata of each scope in use up to date with the change feed. */
import type { ChunkSearch, DocumentFacts, SearchScope } from '../../../ports/chunk-search.ts';
import { StatedFacts } from './stated-facts.ts';

/** Number of changes per read. */
const changesAtOnce = 1_000;

export class FollowedFacts {
  readonly #search: Pick<ChunkSearch, 'changes'>;
  readonly #documents = new Map<number, DocumentFacts>();
  readonly #scopes = new Map<string, { scope: SearchScope; facts: StatedFacts }>();
  #stamp = 0;
  #following: Promise<void> | null = null;

  constructor(search: Pick<ChunkSearch, 'changes'>) {
    this.#search = search;
  }

  /** Reads new changes. Concurrent calls share one read. */
  follow(): Promise<void> {
    this.#following ??= this.#takeChanges().finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  /** The metadata of the documents in a scope, as of the last call of `follow`. */
  of(scope: SearchScope): StatedFacts {
    const key = JSON.stringify([scope.corpus_id, [...scope.layers].sort()]);
    let held = this.#scopes.get(key);
    if (!held) {
      held = { scope, facts: new StatedFacts() };
      this.#scopes.set(key, held);
      for (const document of this.#documents.values()) if (isIn(document, scope)) held.facts.put(document);
    }
    return held.facts;
  }

  async #takeChanges(): Promise<void> {
    for (;;) {
      const { stamp, changed } = await this.#search.changes(this.#stamp, changesAtOnce);
      if (stamp === this.#stamp) return;
      for (const { doc_id, document } of changed) {
        if (document) this.#documents.set(doc_id, document);
        else this.#documents.delete(doc_id);
        for (const { scope, facts } of this.#scopes.values()) {
          facts.remove(doc_id);
          if (document && isIn(document, scope)) facts.put(document);
        }
      }
      this.#stamp = stamp;
    }
  }
}

const isIn = ({ corpus_id, layer }: DocumentFacts, scope: SearchScope): boolean =>
  corpus_id === scope.corpus_id && scope.layers.includes(layer);
