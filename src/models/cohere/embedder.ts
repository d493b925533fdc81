/** Cohere's embeddings. */
import type { CohereClientV2 } from 'cohere-ai';
import { type Embedder, type ModelUsage, noUsage } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { billing } from '../options.ts';
import type { NamedVectors } from '../provider.ts';
import { documentsMs, inBatches, unitVector } from '../vectors.ts';
import { requestOptions } from './client.ts';
import type { CohereSettings } from './settings.ts';

/** Longer texts are cut by the API all the same, at 128,000 tokens: nobody is to pay for them. */
const unitsMax = 100_000;

export function cohereEmbedder(
  client: CohereClientV2,
  calls: Calls,
  { embedMs }: Pick<CohereSettings, 'embedMs'>,
  { name, model, dimension }: NamedVectors,
  onUsage: (usage: ModelUsage) => void,
): Embedder {
  return {
    name,
    dimension,
    deterministic: false,
    async embed(texts, kind, signal, onCallUsage) {
      const billed = billing(onUsage, onCallUsage);
      const withinMs = kind === 'query' ? embedMs : documentsMs;
      const inputType = kind === 'query' ? 'search_query' : 'search_document';
      return inBatches(texts, unitsMax, (batch) =>
        calls.call({ withinMs, signal }, async (ending) => {
          const { embeddings, meta } =
            (await client.embed(
              { model, texts: batch, inputType, outputDimension: dimension, embeddingTypes: ['float'] },
              requestOptions(ending),
            )) ?? {};
          const rows: unknown = embeddings?.float;
          if (!Array.isArray(rows) || rows.length !== batch.length) throw garbled(calls.name);
          const vectors = rows.map((row) => unitVector(calls.name, row, dimension));
          billed({ ...noUsage, embed_tokens: meta?.billedUnits?.inputTokens ?? 0 });
          return vectors;
        }),
      );
    },
  };
}
