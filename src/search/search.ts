/**
 * Finds passages for a question. The search interprets the words of the question against the index, collects candidates
 * by words and by vectors, and ranks them (rank.ts). The ranking of the best candidates also considers neighbouring
 * passages. No part of the index is kept in memory.
 */

import type { Language } from '../domain/events.ts';
import type { ChunkSearch, IndexedChunk, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Embedder } from '../ports/models.ts';
import { type Understood, understand } from './correct-words.ts';
import { ScopeCounts } from './counts.ts';
import { contextDistance, type Features, Ranking } from './rank.ts';

/** `layers`: the layers to search in order of precedence, which decides between equally good passages. */
export interface SearchRequest extends SearchScope {
  query: string;
  /** Context of the question. Its words are searched for like those of the question. */
  story?: string;
  /** The preferred language, whose passages get a small bonus; null: no preference. */
  lang: Language | null;
  /** Maximum number of passages. */
  limit: number;
  /** The documents to search; default: all. */
  only?: ReadonlySet<number>;
  /** The vector of the question and the embedder that computed it; null or absent if there is none. */
  vector?: { embedder: string; values: Float32Array } | null;
}

export interface SearchHit extends Passage, Features {
  /** From 0 to about 1.6. Scores can be compared only within one question. */
  score: number;
  /** Cosine similarity to the question's vector; 0 if the vector search did not find the passage. */
  similarity: number;
}

export interface SearchResult extends Pick<Understood, 'query' | 'corrections'> {
  /** Best first. */
  hits: SearchHit[];
}

/** Number of candidates to score, and number of the best candidates whose neighbours are read. */
const candidateCount = 100;
const withContext = 20;
/**
 * If fewer chunks than this contain words of the question, vectors of the offline embedder may add chunks that only
 * share parts of words with it.
 */
const fewCandidates = 10;
/** A chunk without matching words is returned only if its cosine similarity is above this. */
const leastAlike = 0.2;
/**
 * Weights of the bonuses. `vector` applies to embeddings computed by a model. It was measured only with synthetic
 * vectors: if they were much worse than words, nDCG@10 fell by at most one point; if they were equally good, it rose by
 * three to five points, or by a third of that with a weight of .1. Vectors of the offline embedder only add
 * candidates; they do not affect the order, because on five of seven question sets, weights of .005 or more reduced
 * nDCG@10 by .1 to 1 point.
 */
const weights = { vector: 0.3, lang: 0.1, layer: 0.02 };

export class PassageSearch {
  readonly #search: ChunkSearch;
  readonly #embedder: Embedder | null;

  /** `embedder`: the offline embedder, used for questions without a vector; null: search by words only. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#embedder = embedder;
  }

  /** The number of chunks in a scope, and the number of them that contain each stem. */
  async frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    const counts = await ScopeCounts.of(this.#search, scope, { stems: [...new Set(stems)], prefixes: [] });
    return { documents: counts.chunks, df: new Map(stems.map((name) => [name, counts.stem(name)])) };
  }

  /** The best passages for a question; empty if nothing matches. */
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

  /** Finds candidates by words. Fetches more if too many of them belong to revisions that are not visible. */
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

  /** Reads the neighbours of chunks. Adjacent chunks have consecutive ids if they were added together. */
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

  /** Finds the chunks with the most similar vectors of the offline embedder, if there are few candidates by words. */
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
 * Scales similarities to the range from 0 (lowest) to 1 (highest), because the spread of cosines differs between models
 * and questions.
 */
function scaled(similarities: ReadonlyMap<number, number>): Map<number, number> {
  const all = [...similarities.values()];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return new Map(
    [...similarities].map(([id, one]) => [id, most > least ? (one - least) / (most - least) : 1]),
  );
}
