/** Validation and batching shared by the embedders of all providers. */
import { Failure } from '../failures.ts';
import { type Embedder, type ModelUsage, noUsage } from '../ports/models.ts';
import { type Calls, garbled } from './calls.ts';
import { billing } from './options.ts';
import type { NamedVectors } from './provider.ts';

/** Maximum number of texts per API call. */
const textsMax = 96;
/** Time limit for embedding documents, which may wait longer than a question. */
const documentsMs = 60_000;

/** Normalizes to unit length, as required by the index. Fails with `unavailable` if the vector is invalid. */
function unitVector(name: string, row: unknown, dimension: number): Float32Array {
  if (!Array.isArray(row) || !row.every((value) => Number.isFinite(value))) throw garbled(name);
  if (row.length !== dimension)
    throw new Failure(
      'unavailable',
      `${name} sent vectors of length ${row.length}, but ${dimension} is configured.`,
    );
  const vector = Float32Array.from(row as number[]);
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Builds an embedder from its API call. `send` returns a row for each text, and the billed usage. */
export function embedderOf(
  calls: Calls,
  { name, dimension }: NamedVectors,
  { embedMs, unitsMax }: { embedMs: number; unitsMax: number },
  onUsage: (usage: ModelUsage) => void,
  send: (
    texts: string[],
    kind: 'document' | 'query',
    signal: AbortSignal,
  ) => Promise<{ rows: unknown; tokens: number }>,
): Embedder {
  return {
    name,
    dimension,
    deterministic: false,
    async embed(texts, kind, signal, onCallUsage) {
      const billed = billing(onUsage, onCallUsage);
      const withinMs = kind === 'query' ? embedMs : documentsMs;
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsMax) {
        // The APIs reject empty texts. Texts beyond the limit are truncated.
        const batch = texts.slice(from, from + textsMax).map((text) => text.slice(0, unitsMax) || ' ');
        const made = await calls.call({ withinMs, signal }, async (ending) => {
          const { rows, tokens } = await send(batch, kind, ending);
          if (!Array.isArray(rows) || rows.length !== batch.length) throw garbled(calls.name);
          const made = rows.map((row) => unitVector(calls.name, row, dimension));
          billed({ ...noUsage, embed_tokens: tokens });
          return made;
        });
        vectors.push(...made);
      }
      return vectors;
    },
  };
}
