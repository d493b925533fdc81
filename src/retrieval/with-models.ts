/**
 * RetrievalResult with language models beside the words: the question's vector brings in candidates, also of other languages,
 * and a reranker orders the best of them. Both are asked here, on the main thread; the threads that search get what they
 * said. Each has its time; after it the words alone stand, and the answer says so.
 *
 * Who asks for a provision by its number asks no model.
 */
import { Failure } from '../failures.ts';
import { type Embedder, type ModelUsage, noUsage, type Reranker } from '../ports/models.ts';
import type { ModelHints, RetrievalRequest } from './passages.ts';
import type { Candidate, ModelsUsed, RetrievalResult } from './pipeline.ts';

export interface ModelRetrievalDeps {
  retrieve(request: RetrievalRequest, signal: AbortSignal): Promise<RetrievalResult>;
  candidates(request: RetrievalRequest, limit: number, signal: AbortSignal): Promise<Candidate[]>;
  /** The embedder whose vectors serve at the moment; null: none does. */
  embedder(): Promise<Embedder | null>;
  reranker: Reranker | null;
}

/** Passages that are reranked. */
const rerankedMax = 40;
/** Vectors of questions that are kept: a follow-up, a comparison and a repeated question look up the same again. */
const vectorsMax = 512;

/** As `retrieveWithModels`, and words alone where no model has anything to say. */
export function retrieveAsConfigured(
  from: Pick<ModelRetrievalDeps, 'retrieve' | 'candidates'>,
  models: Pick<ModelRetrievalDeps, 'embedder' | 'reranker'> & { embeds: boolean },
): ModelRetrievalDeps['retrieve'] {
  const retrieve: ModelRetrievalDeps['retrieve'] = (request, signal) => from.retrieve(request, signal);
  if (!models.reranker && !models.embeds) return retrieve;
  return retrieveWithModels({
    ...models,
    retrieve,
    candidates: (request, limit, signal) => from.candidates(request, limit, signal),
  });
}

/** `retrieve` with what models say of the question. Rejects as it does, never for a model. */
export function retrieveWithModels({
  retrieve,
  candidates,
  embedder,
  reranker,
}: ModelRetrievalDeps): ModelRetrievalDeps['retrieve'] {
  const vectors = new Map<string, Float32Array>();

  async function vectorOf(
    model: Embedder,
    question: string,
    signal: AbortSignal,
    onUsage: (usage: ModelUsage) => void,
  ): Promise<Float32Array> {
    const key = `${model.name}\n${question}`;
    const kept = vectors.get(key);
    if (kept) return kept;
    const [vector] = await model.embed([question], 'query', signal, onUsage);
    vectors.set(key, vector!);
    for (const oldest of vectors.keys()) {
      if (vectors.size <= vectorsMax) break;
      vectors.delete(oldest);
    }
    return vector!;
  }

  return async (request, signal) => {
    if (request.references.length > 0) return retrieve(request, signal);
    const used: ModelsUsed = { embedder: null, reranker: null, degraded: false, usage: { ...noUsage } };
    const onUsage = ({ embed_tokens, search_units }: ModelUsage) => {
      used.usage.embed_tokens += embed_tokens;
      used.usage.search_units += search_units;
    };
    /** What a model says; null where it does not. */
    const orNull = async <T>(asked: Promise<T>): Promise<T | null> => {
      try {
        return await asked;
      } catch (error) {
        if (signal.aborted || !(error instanceof Failure)) throw error;
        used.degraded = true;
        return null;
      }
    };
    const model = await embedder();
    const values = model && (await orNull(vectorOf(model, request.question, signal, onUsage)));
    const vector = model && values && { embedder: model.name, values };
    if (vector) used.embedder = vector.embedder;
    const models: ModelHints = { vector, relevance: [] };
    const found = reranker ? await candidates({ ...request, models }, rerankedMax, signal) : [];
    if (reranker && found.length > 1) {
      const texts = found.map(({ text }) => text);
      const scores = await orNull(reranker.rerank(request.question, texts, signal, onUsage));
      if (scores) {
        used.reranker = reranker.name;
        models.relevance = found.map(({ id }, n) => [id, scores[n]!]);
      }
    }
    return { ...(await retrieve({ ...request, models }, signal)), models: used };
  };
}
