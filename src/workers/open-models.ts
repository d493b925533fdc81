/** Opens the configured language models, and computes embeddings without a model. */
import type { CohereSettings } from '../models/cohere/settings.ts';
import { embedWords, offlineEmbedder } from '../models/offline.ts';
import type { OpenAiSettings } from '../models/openai/settings.ts';
import type { ModelOptions, ProviderModels } from '../models/options.ts';
import type { ComputeVector } from '../ports/chunk-search.ts';
import type { Embedder } from '../ports/models.ts';
import type { ModelsConfig } from './adapter-config.ts';

/** The settings of providers. Each capability comes from at most one of them. */
export interface ModelsSettings {
  cohere: CohereSettings | null;
  openai: OpenAiSettings | null;
}

/**
 * The models that the main thread calls. A provider's client is loaded only if it is configured. If no provider
 * computes embeddings, the included embedder does, unless Cohere's was switched off.
 */
export async function openModels(
  settings: ModelsSettings | null,
  options: ModelOptions,
): Promise<ProviderModels> {
  const { cohere = null, openai = null } = settings ?? {};
  const opened: ProviderModels[] = [];
  if (openai) {
    const { openOpenAi } = await import('../models/openai/index.ts');
    opened.push(openOpenAi(openai, options));
  }
  if (cohere) {
    const { openCohere } = await import('../models/cohere/index.ts');
    opened.push(openCohere(cohere, options));
  }
  const first = <K extends keyof ProviderModels>(capability: K): ProviderModels[K] | null =>
    opened.map((models) => models[capability]).find((one) => one !== null) ?? null;
  return {
    embedder: first('embedder') ?? (cohere ? null : offlineEmbedder),
    reranker: first('reranker'),
    generator: first('generator'),
    structured: first('structured'),
    verifier: first('verifier'),
    down: () => opened.flatMap((models) => models.down()),
    embedderNamed: (name) =>
      opened.map((models) => models.embedderNamed(name)).find((one) => one !== null) ?? null,
  };
}

/** The embedder of a searching thread. If a model computes embeddings, the vectors come with the question. */
export const ownEmbedder = ({ embedsOffline }: ModelsConfig): Embedder | null =>
  embedsOffline ? offlineEmbedder : null;

/** For the embedder named in the history, which may differ from the one configured now. */
export const computeVector: ComputeVector = (embedder, words) =>
  embedder === offlineEmbedder.name ? embedWords(words) : null;
