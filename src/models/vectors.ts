/** What every provider's embedder does with rows of numbers. */
import { Failure } from '../failures.ts';
import { type Embedder, type ModelUsage, noUsage } from '../ports/models.ts';
import { type Calls, garbled } from './calls.ts';
import { billing } from './options.ts';
import type { NamedVectors } from './provider.ts';

/** What the APIs take in one call. */
const textsMax = 96;
/** Documents wait for longer than a question may. */
const documentsMs = 60_000;

/** Of unit length, as the index compares them. Failure `unavailable` for what is no such vector. */
function unitVector(name: string, row: unknown, dimension: number): Float32Array {
  if (!Array.isArray(row) || !row.every((value) => Number.isFinite(value))) throw garbled(name);
  if (row.length !== dimension)
    throw new Failure(
      'unavailable',
      `${name} sends vectors of ${row.length} numbers where ${dimension} are configured.`,
    );
  const vector = Float32Array.from(row as number[]);
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** One of which only the call is particular: `send` gives a row for each text, and what it was billed as. */
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
    ...{ name, dimension, deterministic: false },
    async embed(texts, kind, signal, onCallUsage) {
      const billed = billing(onUsage, onCallUsage);
      const withinMs = kind === 'query' ? embedMs : documentsMs;
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsMax) {
        // None is empty, and none longer than is read.
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
