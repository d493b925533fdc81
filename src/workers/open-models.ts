/** The language models of a configuration, and the vectors that need none. */
import { embedOffline, offlineEmbedder } from '../models/offline.ts';
import type { Models } from '../ports/models.ts';
import type { ModelsConfig } from './adapter-config.ts';

const open: Record<ModelsConfig['provider'], () => Models> = {
  offline: () => ({ embedder: offlineEmbedder, reranker: null, generator: null }),
};

export function openModels({ provider }: ModelsConfig): Models {
  return open[provider]();
}

/**
 * The vector of a text by a deterministic embedder, null for any other: the history names the embedder alone, whichever
 * is configured now.
 */
export const computeVector = (embedder: string, text: string): Float32Array | null =>
  embedder === offlineEmbedder.name ? embedOffline(text) : null;
