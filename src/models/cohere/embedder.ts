/** Cohere's embeddings. */
import type { CohereClientV2 } from 'cohere-ai';
import type { Embedder, ModelUsage } from '../../ports/models.ts';
import type { Calls } from '../calls.ts';
import type { NamedVectors } from '../provider.ts';
import { embedderOf } from '../vectors.ts';
import { requestOptions } from './client.ts';
import type { CohereSettings } from './settings.ts';

/** The API truncates texts at 128,000 tokens; do not pay for more. */
const unitsMax = 100_000;

export function cohereEmbedder(
  client: CohereClientV2,
  calls: Calls,
  { embedMs }: Pick<CohereSettings, 'embedMs'>,
  vectors: NamedVectors,
  onUsage: (usage: ModelUsage) => void,
): Embedder {
  const { model, dimension: outputDimension } = vectors;
  return embedderOf(calls, vectors, { embedMs, unitsMax }, onUsage, async (texts, kind, signal) => {
    const inputType = kind === 'query' ? 'search_query' : 'search_document';
    const { embeddings, meta } =
      (await client.embed(
        { model, texts, inputType, outputDimension, embeddingTypes: ['float'] },
        requestOptions(signal),
      )) ?? {};
    return { rows: embeddings?.float, tokens: meta?.billedUnits?.inputTokens ?? 0 };
  });
}
