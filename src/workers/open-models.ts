/** The language models of a configuration, and the vectors that need none. */
import type { CohereOptions } from '../models/cohere/index.ts';
import type { CohereSettings } from '../models/cohere/settings.ts';
import { embedOffline, offlineEmbedder } from '../models/offline.ts';
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

/**
 * The vector of a text by a deterministic embedder, null for any other: the history names the embedder alone, whichever
 * is configured now.
 */
export const computeVector = (embedder: string, text: string): Float32Array | null =>
  embedder === offlineEmbedder.name ? embedOffline(text) : null;
