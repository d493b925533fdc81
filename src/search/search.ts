/**
 * Finds the passages for a question. It interprets the question's words in this index, collects candidates by words and
 * by vectors, and ranks the best hundred with rank.ts, using the neighbours of the top ones. No part of the index is
 * kept in memory.
 */
import type { ChunkSearch, IndexedChunk, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Embedder } from '../ports/models.ts';
import type { Language } from '../text/languages/index.ts';
import { ScopeCounts } from './counts.ts';
import { contextDistance, type Features, Ranking } from './rank.ts';
import { type Understood, understand } from './understand.ts';

/** `layers`: the layers to search, the leading one first; between equally good passages the leading layer wins. */
export interface SearchRequest extends SearchScope {
  query: string;
  /** Context around the question. Its words find passages just as those of the question do. */
  story?: string;
  /** Gives passages of this language a small bonus; null: no preference. */
  lang: Language | null;
  /** Maximum number of passages. */
  limit: number;
  /** Restricts the search to these documents; absent: all. */
  only?: ReadonlySet<number>;
  /** The question's vector and its embedder; null or absent if no model has computed one. */
  vector?: { embedder: string; values: Float32Array } | null;
}

export interface SearchHit extends Passage, Features {
  /** 0 to about 1.6; comparable only within one question. */
  score: number;
  /** Cosine with the question's vector; 0 if the vector search did not return the passage. */
  similarity: number;
}

export interface SearchResult extends Pick<Understood, 'query' | 'corrections'> {
  /** Best first. */
  hits: SearchHit[];
}

/** Number of candidates scored in full, and number of the best ones whose neighbours are read. */
const candidateCount = 100;
const withContext = 20;
/**
 * With fewer text candidates than this, the offline embedder's vectors may add chunks that only share parts of words.
 */
const fewCandidates = 10;
/** A chunk without matching words needs a cosine above this. */
const leastAlike = 0.2;
/**
 * `vector` applies to embeddings of a language model, which are sent with the question. It was measured with synthetic
 * vectors only: vectors much worse than words cost a point of nDCG@10 or less, equally good ones gain three to five
 * points, and a weight of .1 gains a third of that. Vectors of the offline embedder do not reorder the text results
 * (any weight from .005 up cost .1 to 1 point on five of seven sets). They only add candidates, so fusion is never
 * worse than text alone.
 */
const weights = { vector: 0.3, lang: 0.1, layer: 0.02 };

export class PassageSearch {
  readonly #search: ChunkSearch;
  readonly #embedder: Embedder | null;

  /** `embedder`: a deterministic one, for questions without a model's vector; null: text only. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#embedder = embedder;
  }

  /** The number of chunks in a scope, and for each stem the number that contain it. */
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

  /** The candidates by words. Fetches more if too many belong to revisions that are not visible. */
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

  /** The neighbours of chunks: adjacent chunks have consecutive ids if they were added together. */
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

  /** The chunks whose vectors are most similar to the question's; used only if words find too little. */
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
 * Scales similarities to 0 for the lowest and 1 for the highest, because the spread of cosines differs between models
 * and between questions.
 */
function scaled(similarities: ReadonlyMap<number, number>): Map<number, number> {
  const all = [...similarities.values()];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return new Map(
    [...similarities].map(([id, one]) => [id, most > least ? (one - least) / (most - least) : 1]),
  );
}
