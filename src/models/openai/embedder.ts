/** Embeddings from an OpenAI-compatible server. */
import type OpenAI from 'openai';
import type { Embedder, ModelUsage } from '../../ports/models.ts';
import type { Calls } from '../calls.ts';
import type { NamedVectors } from '../provider.ts';
import { embedderOf } from '../vectors.ts';
import type { OpenAiSettings } from './settings.ts';

/** Models on such servers accept at most 8,192 tokens. */
const unitsMax = 20_000;

export function openAiEmbedder(
  client: OpenAI,
  calls: Calls,
  { embedMs }: Pick<OpenAiSettings, 'embedMs'>,
  vectors: NamedVectors,
  onUsage: (usage: ModelUsage) => void,
): Embedder {
  const { model } = vectors;
  return embedderOf(calls, vectors, { embedMs, unitsMax }, onUsage, async (input, _kind, signal) => {
    const { data, usage } =
      (await client.embeddings.create({ model, input, encoding_format: 'float' }, { signal })) ?? {};
    const rows: unknown[] = new Array(input.length).fill(null);
    for (const [n, row] of (Array.isArray(data) ? data : []).entries())
      rows[Number(row?.index ?? n)] = row?.embedding;
    const tokens = Number(usage?.prompt_tokens ?? 0);
    return { rows, tokens: Number.isFinite(tokens) ? tokens : 0 };
  });
}
