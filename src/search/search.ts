/**
 * Finds the passages for a question: what its words may mean in this index, candidates by words and by vectors, then
 * the ranking of rank.ts over the hundred best and what stands around the best of them. Nothing of the index is held
 * in memory.
 */
import type { ChunkSearch, IndexedChunk, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Embedder } from '../ports/models.ts';
import type { Language } from '../text/languages/index.ts';
import { ScopeCounts } from './counts.ts';
import { contextDistance, type Features, Ranking } from './rank.ts';
import { type Understood, understand } from './understand.ts';

/** `layers`: those searched, the leading one first; between passages equally good the leading layer wins. */
export interface SearchRequest extends SearchScope {
  query: string;
  /** What was written around the question: its words find passages as those of the question do. */
  story?: string;
  /** Passages of this language are preferred a little; null: no preference. */
  lang: Language | null;
  /** Passages wanted. */
  limit: number;
  /** Documents whose passages alone are wanted; all where absent. */
  only?: ReadonlySet<number>;
  /** The question's vector, and by which embedder; null or absent: a model has made none. */
  vector?: { embedder: string; values: Float32Array } | null;
}

export interface SearchHit extends Passage, Features {
  /** 0 to about 1.6; comparable within one question only. */
  score: number;
  /** Cosine with the question's vector, 0 where vectors did not find the passage. */
  similarity: number;
}

export interface SearchResult extends Pick<Understood, 'query' | 'corrections'> {
  /** Best first. */
  hits: SearchHit[];
}

/** Chunks that are scored in full, and of these the best whose neighbours are looked at. */
const candidateCount = 100;
const withContext = 20;
/** With fewer found by text, vectors without a weight of their own may add what only pieces of words have in common. */
const fewCandidates = 10;
/** The cosine from which on such a vector says that they have. */
const leastAlike = 0.2;
/**
 * `vector`: for embeddings of a language model, which come with the question. Measured with made vectors alone: ones
 * much worse than words cost a point of nDCG@10 or less, ones as good gain three to five, and at .1 they gain a third of
 * that. Those of the offline embedder do not reorder what text has found (any weight from .005 on cost .1 to 1 point on
 * five of seven sets): they only bring in further candidates, so that fusion is never worse than text alone.
 */
const weights = { vector: 0.3, lang: 0.1, layer: 0.02 };

export class PassageSearch {
  readonly #search: ChunkSearch;
  readonly #embedder: Embedder | null;

  /** `embedder`: a deterministic one, for questions that come without a vector of a model; null: text alone. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#embedder = embedder;
  }

  /** How many chunks a scope has, and in how many of them each stem stands. */
  async frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    const counts = await ScopeCounts.of(this.#search, scope, { stems: [...new Set(stems)], prefixes: [] });
    return { documents: counts.chunks, df: new Map(stems.map((name) => [name, counts.stem(name)])) };
  }

  /** The best passages for a question; none where nothing matches. */
  async find(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    const { layers, lang, only, vector } = request;
    const scope: SearchScope = { corpus_id: request.corpus_id, layers };
    const understood = await understand(this.#search, scope, request);
    if (understood === null) return { hits: [], query: request.query, corrections: [] };
    const { query, corrections, question, terms } = understood;
    signal?.throwIfAborted();
    const candidates = await this.#candidates(scope, terms, only);
    const similarities = vector
      ? await this.#nearest(scope, vector.embedder, vector.values)
      : await this.#similar(scope, query, candidates.length, signal);
    const known = new Set(candidates.map(({ id }) => id));
    const further = await this.#search.indexed([...similarities.keys()].filter((id) => !known.has(id)));
    signal?.throwIfAborted();
    const ranking = new Ranking(question);
    ranking.read([...candidates, ...further.filter(({ doc_id }) => only?.has(doc_id) ?? true)]);
    const nearness = scaled(similarities);
    const top = ranking
      .ranked(await this.#neighbours(ranking.best(withContext)))
      .filter(({ chunk, bm25 }) => bm25 > 0 || vector || similarities.get(chunk.id)! > leastAlike)
      .map(({ chunk, score, ...features }) => ({
        id: chunk.id,
        ...features,
        similarity: similarities.get(chunk.id) ?? 0,
        score:
          score +
          (vector ? weights.vector * (nearness.get(chunk.id) ?? 0) : 0) +
          (chunk.lang === lang ? weights.lang : 0) +
          weights.layer * (1 - layers.indexOf(chunk.layer) / layers.length),
      }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, request.limit);
    const byId = new Map(top.map((hit) => [hit.id, hit]));
    const passages = await this.#search.passages([...byId.keys()]);
    return {
      hits: passages.map((passage) => ({ ...passage, ...byId.get(passage.id)! })),
      query,
      corrections,
    };
  }

  /** The candidates by words; asks for more while too many are of revisions not visible. */
  async #candidates(
    scope: SearchScope,
    terms: Understood['terms'],
    only: ReadonlySet<number> | undefined,
  ): Promise<IndexedChunk[]> {
    for (let asked = candidateCount; ; asked *= 4) {
      const ids = await this.#search.candidates(scope, terms, asked, only);
      const visible = await this.#search.indexed(ids);
      if (visible.length >= candidateCount || ids.length < asked) return visible.slice(0, candidateCount);
    }
  }

  /** What stands around chunks: ids of adjacent chunks follow each other where they were added together. */
  #neighbours(chunks: readonly IndexedChunk[]): Promise<IndexedChunk[]> {
    const own = new Set(chunks.map(({ id }) => id));
    const around = new Set<number>();
    for (const { id } of chunks)
      for (let offset = -contextDistance; offset <= contextDistance; offset++)
        if (id + offset > 0 && !own.has(id + offset)) around.add(id + offset);
    return this.#search.indexed([...around]);
  }

  async #nearest(scope: SearchScope, embedder: string, vector: Float32Array): Promise<Map<number, number>> {
    const nearest = await this.#search.nearest(scope, embedder, vector, candidateCount / 2);
    return new Map(nearest.map(({ id, similarity }) => [id, similarity]));
  }

  /** The chunks whose vectors are most like the question's, where text has found too little. */
  async #similar(
    scope: SearchScope,
    query: string,
    foundByText: number,
    signal?: AbortSignal,
  ): Promise<Map<number, number>> {
    const embedder = this.#embedder;
    if (!embedder || foundByText >= fewCandidates) return new Map();
    const [vector] = await embedder.embed([query], 'query', signal);
    return vector ? this.#nearest(scope, embedder.name, vector) : new Map();
  }
}

/**
 * Similarities from 0 for the least of the nearest to 1 for the most: how far apart cosines lie differs from model to
 * model, and from question to question.
 */
function scaled(similarities: ReadonlyMap<number, number>): Map<number, number> {
  const all = [...similarities.values()];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return new Map(
    [...similarities].map(([id, one]) => [id, most > least ? (one - least) / (most - least) : 1]),
  );
}
