/** Embeddings of an OpenAI-compatible server. */
import type OpenAI from 'openai';
import { type Embedder, type ModelUsage, noUsage } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { billing } from '../options.ts';
import type { NamedVectors } from '../provider.ts';
import { documentsMs, inBatches, unitVector } from '../vectors.ts';
import type { OpenAiSettings } from './settings.ts';

/** What models of such servers take, 8,192 tokens, is not much more. */
const unitsMax = 20_000;

export function openAiEmbedder(
  client: OpenAI,
  calls: Calls,
  { embedMs }: Pick<OpenAiSettings, 'embedMs'>,
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
      return inBatches(texts, unitsMax, (input) =>
        calls.call({ withinMs, signal }, async (ending) => {
          const { data, usage } =
            (await client.embeddings.create(
              { model, input, encoding_format: 'float' },
              { signal: ending },
            )) ?? {};
          const rows: unknown[] = new Array(input.length).fill(null);
          for (const [n, row] of (Array.isArray(data) ? data : []).entries())
            rows[Number(row?.index ?? n)] = row?.embedding;
          if (rows.length !== input.length) throw garbled(calls.name);
          const vectors = rows.map((row) => unitVector(calls.name, row, dimension));
          const tokens = Number(usage?.prompt_tokens ?? 0);
          billed({ ...noUsage, embed_tokens: Number.isFinite(tokens) ? tokens : 0 });
          return vectors;
        }),
      );
    },
  };
}
