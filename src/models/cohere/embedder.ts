/** Cohere's embeddings. */
import type { CohereClientV2 } from 'cohere-ai';
import { type Embedder, type ModelUsage, noUsage } from '../../ports/models.ts';
import { type Calls, garbled, requestOptions } from './calls.ts';
import type { CohereSettings } from './settings.ts';

/** What the API takes in one call. */
const textsMax = 96;
/** Documents wait for longer than a question may. */
const documentsMs = 60_000;
/** Longer texts are cut by the API all the same, at 128,000 tokens: nobody is to pay for them. */
const unitsMax = 100_000;

/** `name` says model and dimension: vectors of two are never compared. */
export const embedderName = (model: string, dimension: number): string => `cohere:${model}:${dimension}`;

/** What a name says; null for one that is not of Cohere's. */
export function namedEmbedder(name: string): { model: string; dimension: number } | null {
  const [, model, dimension] = /^cohere:(.+):(\d+)$/.exec(name) ?? [];
  return model === undefined ? null : { model, dimension: Number(dimension) };
}

export function cohereEmbedder(
  client: CohereClientV2,
  calls: Calls,
  { embedMs }: Pick<CohereSettings, 'embedMs'>,
  { model, dimension }: { model: string; dimension: number },
  onUsage: (usage: ModelUsage) => void,
): Embedder {
  const name = embedderName(model, dimension);

  async function embedBatch(
    texts: string[],
    kind: 'document' | 'query',
    signal: AbortSignal | undefined,
    billed: (usage: ModelUsage) => void,
  ): Promise<Float32Array[]> {
    const withinMs = kind === 'query' ? embedMs : documentsMs;
    const inputType = kind === 'query' ? 'search_query' : 'search_document';
    return calls.call({ withinMs, signal }, async (ending) => {
      const { embeddings, meta } =
        (await client.embed(
          { model, texts, inputType, outputDimension: dimension, embeddingTypes: ['float'] },
          requestOptions(ending),
        )) ?? {};
      const rows: unknown = embeddings?.float;
      if (!Array.isArray(rows) || rows.length !== texts.length) throw garbled("Cohere's embed");
      const vectors = rows.map((row) => unitVector(row, dimension));
      billed({ ...noUsage, embed_tokens: meta?.billedUnits?.inputTokens ?? 0 });
      return vectors;
    });
  }

  return {
    name,
    dimension,
    deterministic: false,
    async embed(texts, kind, signal, onCallUsage = () => {}) {
      const billed = (usage: ModelUsage) => {
        onUsage(usage);
        onCallUsage(usage);
      };
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsMax) {
        const batch = texts.slice(from, from + textsMax).map((text) => text.slice(0, unitsMax) || ' ');
        vectors.push(...(await embedBatch(batch, kind, signal, billed)));
      }
      return vectors;
    },
  };
}

/** Of unit length, as the index compares them. Failure `unavailable` for what is no such vector. */
function unitVector(row: unknown, dimension: number): Float32Array {
  if (!Array.isArray(row) || row.length !== dimension || !row.every((value) => Number.isFinite(value)))
    throw garbled("Cohere's embed");
  const vector = Float32Array.from(row as number[]);
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
