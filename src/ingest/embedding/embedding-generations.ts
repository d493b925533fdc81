/**
 * Manages the vectors of several embedders side by side. Changing the model or dimension starts a new generation. Until
 * it catches up, the generation with more chunks stays in use, and questions are embedded with its embedder.
 */

import type { Embedder } from '../../ports/models.ts';
import type { ReadModelReads } from '../../ports/read-model-reads.ts';

export interface Generation {
  embedder: string;
  chunks: number;
  embedded: number;
  /** Whether questions are compared with these embeddings. */
  serves: boolean;
}

export interface EmbeddingGenerationsDeps {
  reads: Pick<ReadModelReads, 'embedders' | 'coverage'>;
  /** The configured embedder. */
  embedder: Embedder | null;
  /** The embedder that computed the earlier vectors; null if it is no longer available. */
  embedderNamed(name: string): Embedder | null;
}

/** How long the choice of generation is cached, in ms. */
const settledMs = 2_000;

export class EmbeddingGenerations {
  readonly #deps: EmbeddingGenerationsDeps;
  #serving: Embedder | null;
  #looked: Promise<void> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: EmbeddingGenerationsDeps) {
    this.#deps = deps;
    this.#serving = deps.embedder;
  }

  /**
   * The embedder of the generation in use. The result may be slightly outdated; only the first call waits for a
   * lookup.
   */
  async serving(): Promise<Embedder | null> {
    if (performance.now() - this.#lookedAt > settledMs) {
      const isFirst = this.#lookedAt === Number.NEGATIVE_INFINITY;
      this.#lookedAt = performance.now();
      this.#looked = this.all().then(
        () => {},
        () => {},
      );
      if (isFirst) await this.#looked;
    } else await this.#looked;
    return this.#serving;
  }

  /** All generations, with the configured one first. Rejects if a read fails. */
  async all(): Promise<Generation[]> {
    const { reads, embedder } = this.#deps;
    const wanted = embedder?.name ?? null;
    const names = [...new Set([...(wanted === null ? [] : [wanted]), ...(await reads.embedders())])];
    const counted = await Promise.all(
      names.map(async (name) => {
        const rows = await reads.coverage(name);
        return {
          embedder: name,
          chunks: rows.reduce((sum, { chunks }) => sum + chunks, 0),
          embedded: rows.reduce((sum, row) => sum + row.embedded, 0),
        };
      }),
    );
    const held = counted.filter(({ embedder: name, embedded }) => name === wanted || embedded > 0);
    const models = held.flatMap(({ embedder: name, embedded }) => {
      const model = name === wanted ? embedder : this.#deps.embedderNamed(name);
      return model ? [{ model, embedded }] : [];
    });
    // On a tie the configured generation wins, because it comes first.
    const best = models.reduce(
      (a, b) => (b.embedded > a.embedded ? b : a),
      models[0] ?? { model: null, embedded: 0 },
    );
    this.#serving = best.model;
    return held.map((one) => ({ ...one, serves: one.embedder === best.model?.name }));
  }
}
