/**
 * Vectors of several embedders side by side. A change of model or dimension begins a generation of vectors; until it
 * has caught up, the one that holds more chunks serves: questions are embedded as its chunks were.
 */
import type { Embedder } from '../../ports/models.ts';

export interface Generation {
  embedder: string;
  chunks: number;
  embedded: number;
  /** Whether questions are compared with these embeddings. */
  serves: boolean;
}

export interface EmbeddingGenerationsDeps {
  reads: {
    embedders(): Promise<string[]>;
    coverage(embedder: string): Promise<{ chunks: number; embedded: number }[]>;
  };
  /** The configured one. */
  embedder: Embedder | null;
  /** One that made vectors before; null where it cannot be asked any more. */
  embedderNamed(name: string): Embedder | null;
}

/** How long what serves is taken for settled, in ms. */
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

  /** Whose vectors serve, as of a moment ago: a question waits for the first look alone. */
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

  /** The generations there are, the configured one first. Rejects as reading does. */
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
    // Between equals the configured one, which stands first.
    const best = models.reduce(
      (a, b) => (b.embedded > a.embedded ? b : a),
      models[0] ?? { model: null, embedded: 0 },
    );
    this.#serving = best.model;
    return held.map((one) => ({ ...one, serves: one.embedder === best.model?.name }));
  }
}
