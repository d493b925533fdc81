/** Opens the configured language models, and computes the embeddings that need none. */
import type { CohereOptions } from '../models/cohere/index.ts';
import type { CohereSettings } from '../models/cohere/settings.ts';
import { embedWords, offlineEmbedder } from '../models/offline.ts';
import type { ComputeVector } from '../ports/chunk-search.ts';
import type { Embedder, Models } from '../ports/models.ts';
import type { ModelsConfig } from './adapter-config.ts';

export type { CohereSettings } from '../models/cohere/settings.ts';

export interface OpenedModels extends Models {
  /** What does not answer at the moment, for people. */
  down(): string[];
  /** An embedder that made vectors before; null where it cannot be asked. */
  embedderNamed(name: string): Embedder | null;
}

/** The models the main thread asks; those of Cohere are loaded only where there is a key. */
export async function openModels(
  cohere: CohereSettings | null,
  options: CohereOptions,
): Promise<OpenedModels> {
  if (cohere === null)
    return {
      ...{ embedder: offlineEmbedder, reranker: null, generator: null },
      ...{ down: () => [], embedderNamed: () => null },
    };
  const { openCohere } = await import('../models/cohere/index.ts');
  return openCohere(cohere, options);
}

/** The embedder that a searching thread has of its own; vectors of a model come with the question. */
export const ownEmbedder = ({ provider }: ModelsConfig): Embedder | null =>
  provider === 'offline' ? offlineEmbedder : null;

/** Of whichever embedder the history names, not of the one that is configured now. */
export const computeVector: ComputeVector = (embedder, words) =>
  embedder === offlineEmbedder.name ? embedWords(words) : null;
