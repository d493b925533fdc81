/** What every provider's embedder does with rows of numbers. */
import { Failure } from '../failures.ts';
import { garbled } from './calls.ts';

/** What the APIs take in one call. */
const textsMax = 96;
/** Documents wait for longer than a question may. */
export const documentsMs = 60_000;

/** Of unit length, as the index compares them. Failure `unavailable` for what is no such vector. */
export function unitVector(name: string, row: unknown, dimension: number): Float32Array {
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

/** All texts through `batch`, each cut to so many UTF-16 units and none empty. */
export async function inBatches(
  texts: readonly string[],
  unitsMax: number,
  batch: (texts: string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += textsMax)
    vectors.push(
      ...(await batch(texts.slice(from, from + textsMax).map((text) => text.slice(0, unitsMax) || ' '))),
    );
  return vectors;
}
