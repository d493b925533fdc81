/**
 * Retrieval by words and models. The vector of the question and additional search queries add candidates, also in other
 * languages, and a reranker orders all candidates. Models are called here, on the main thread; the search threads find
 * the passages and continue with the new order. Each model has a time limit. If it is exceeded, its results are not
 * used, and the answer is marked. Questions that ask for provisions by number use no models.
 *
 * The lists of several queries are merged by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
 */
import { Lru } from '../../async/lru.ts';
import { Failure } from '../../failures.ts';
import { type Embedder, type ModelUsage, noUsage, type Reranker } from '../../ports/models.ts';
import type { ModelsUsed, RetrievalResult } from '../../reading/passages.ts';
import {
  bodyStart,
  type Hit,
  type ModelHints,
  type RetrievalRequest,
  type Retrieved,
  type Searches,
  titleOf,
} from '../../reading/passages.ts';
import { lookedAt } from './retrieve-and-match.ts';

export interface ModelRetrievalDeps {
  retrieve(request: RetrievalRequest, signal: AbortSignal): Promise<RetrievalResult>;
  candidates(
    request: RetrievalRequest,
    query: string | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Retrieved>;
  /** The embedder whose vectors are currently in use; null: none. */
  embedder(): Promise<Embedder | null>;
  reranker: Reranker | null;
}

/** `searches`: additional queries for the same question. */
export type Retrieve = (
  request: RetrievalRequest,
  signal: AbortSignal,
  searches?: Searches,
) => Promise<RetrievalResult>;

/** Number of passages to rerank: for the question, and for each of at most three additional queries. */
const rerankedMax = { question: 40, query: 20 };
/** The constant k of reciprocal rank fusion, as published. */
const fusionK = 60;
/**
 * Number of question vectors to cache, because follow-ups, comparisons and repeated questions need the same vectors.
 */
const vectorsMax = 512;

/** Returns `retrieveWithModels` for the configured models, or retrieval by words if there are none. */
export function retrieveAsConfigured(
  from: Pick<ModelRetrievalDeps, 'retrieve' | 'candidates'>,
  { embedder, reranker, embeds }: Pick<ModelRetrievalDeps, 'embedder' | 'reranker'> & { embeds: boolean },
): Retrieve {
  const isAsked = reranker !== null || embeds;
  const withModels = retrieveWithModels({
    retrieve: (...args) => from.retrieve(...args),
    candidates: (...args) => from.candidates(...args),
    embedder: isAsked ? embedder : async () => null,
    reranker,
  });
  return (request, signal, searches) =>
    isAsked || searches ? withModels(request, signal, searches) : from.retrieve(request, signal);
}

/** Calls `retrieve` with the results of models. Rejects if `retrieve` rejects, but never because of a model. */
export function retrieveWithModels({
  retrieve,
  candidates,
  embedder,
  reranker,
}: ModelRetrievalDeps): Retrieve {
  const vectors = new Lru<string, Float32Array>(vectorsMax);

  async function vectorsOf(
    model: Embedder,
    texts: readonly string[],
    signal: AbortSignal,
    onUsage: (usage: ModelUsage) => void,
  ): Promise<Float32Array[]> {
    const known = texts.map((text) => vectors.get(`${model.name}\n${text}`));
    const unknown = texts.filter((_, n) => !known[n]);
    const made = unknown.length > 0 ? await model.embed(unknown, 'query', signal, onUsage) : [];
    for (const [n, text] of unknown.entries()) vectors.set(`${model.name}\n${text}`, made[n]!);
    return texts.map((text, n) => known[n] ?? made[unknown.indexOf(text)]!);
  }

  return async (request, signal, searches) => {
    if (request.references.length > 0) return retrieve(request, signal);
    const used: ModelsUsed = { embedder: null, reranker: null, degraded: false, usage: { ...noUsage } };
    const onUsage = ({ embed_tokens, search_units }: ModelUsage) => {
      used.usage.embed_tokens += embed_tokens;
      used.usage.search_units += search_units;
    };
    /** Returns the result of a model, or null if it fails. */
    const orNull = async <T>(asked: Promise<T>): Promise<T | null> => {
      try {
        return await asked;
      } catch (error) {
        if (signal.aborted || !(error instanceof Failure)) throw error;
        used.degraded = true;
        return null;
      }
    };
    const serving = await embedder();
    // Vectors of the offline embedder carry no information beyond the words, and the search computes them itself.
    const model = serving?.deterministic ? null : serving;
    const hinted = async (texts: readonly string[]): Promise<ModelHints[]> => {
      const values = model && (await orNull(vectorsOf(model, texts, signal, onUsage)));
      if (values && texts.length > 0) used.embedder = model.name;
      return texts.map((_, n) => ({ vector: values && { embedder: model!.name, values: values[n]! } }));
    };
    const ofQuestion = hinted([request.question]);
    if (!reranker && !searches) {
      const [models] = await ofQuestion;
      return { ...(await retrieve({ ...request, models: models! }, signal)), models: used };
    }
    const byQuestion = async () => {
      const [models] = await ofQuestion;
      const limit = Math.max(request.limit, rerankedMax.question);
      return candidates({ ...request, models: models! }, null, limit, signal);
    };
    const byQueries = async (queries: readonly string[]) => {
      const hints = await hinted(queries);
      const search = (query: string, n: number) =>
        candidates({ ...request, models: hints[n]! }, query, rerankedMax.query, signal);
      return Promise.all(queries.map(search));
    };
    const [own, others] = await Promise.all([byQuestion(), searches?.().then(byQueries) ?? []]);
    const found = fused([own, ...others].map(({ hits }) => hits));
    const read = found.slice(0, rerankedMax.question + others.length * rerankedMax.query);
    const scores =
      reranker && read.length > 1
        ? await orNull(reranker.rerank(request.question, read.map(asRead), signal, onUsage))
        : null;
    if (scores) used.reranker = reranker!.name;
    const relevance = new Map(read.map((hit, n) => [hit, scores?.[n] ?? 0]));
    const of = (hit: Hit) => relevance.get(hit) ?? -1;
    const models: ModelHints = {
      vector: null,
      found: {
        ...own,
        hits: rescored(found.sort((a, b) => of(b) - of(a))).slice(0, lookedAt(request)),
        reordered: scores !== null || others.some(({ hits }) => hits.length > 0),
      },
    };
    return { ...(await retrieve({ ...request, models }, signal)), models: used };
  };
}

/** The text of a passage for a reranker. */
const asRead = (hit: Hit): string => `${titleOf(hit)}\n${hit.text.slice(bodyStart(hit))}`;

/**
 * Merges several lists of passages without duplicates, best first. If scores are equal, passages of the first list,
 * which is that of the question, come first. Passages found only by other queries have no word match with the question.
 */
function fused(lists: readonly (readonly Hit[])[]): Hit[] {
  const found = new Map<number, { hit: Hit; sum: number }>();
  for (const [list, hits] of lists.entries())
    for (const [rank, hit] of hits.entries()) {
      const one = found.get(hit.id) ?? { hit: list === 0 ? hit : { ...hit, bm25: 0 }, sum: 0 };
      found.set(hit.id, { ...one, sum: one.sum + 1 / (fusionK + rank + 1) });
    }
  return [...found.values()].sort((a, b) => b.sum - a.sum).map(({ hit }) => hit);
}

/** Assigns the existing scores to passages by rank, because later stages were trained on word scores. */
function rescored(hits: readonly Hit[]): Hit[] {
  const scores = hits.map(({ score }) => score).sort((a, b) => b - a);
  return hits.map((hit, n) => ({ ...hit, score: scores[n]! }));
}
