/**
 * The events that record vectors. A model's vectors are split across events that fit into an append. For a
 * deterministic embedder only the number of vectors is recorded, because the read models recompute them from the texts.
 */
import { embeddedText } from '../../domain/chunk-text.ts';
import type { EmbeddingBatch } from '../../domain/document.ts';
import type { Chunk } from '../../domain/events.ts';
import { encodeVectors } from '../../domain/vectors.ts';
import { Failure } from '../../failures.ts';
import type { Embedder } from '../../ports/models.ts';

/** Maximum number of chunks per event. It keeps projection commits short; 64 vectors of 1,536 floats take 524 KB. */
export const embeddingsMax = 64;

/** A run of consecutive chunks in a revision; `first` is the index of the first chunk, counted from 0. */
export interface ChunkRun {
  title: string;
  first: number;
  chunks: readonly { chunk: Chunk; text: string }[];
}

/**
 * Returns the events for each run's vectors in order, with at most `embeddingsMax` chunks each. Empty without an
 * embedder. The model is called once for all runs. Fails with the model's Failure, or with `internal` if the vectors
 * have an unexpected size.
 */
export async function embeddingsOf(
  embedder: Embedder | null,
  runs: readonly ChunkRun[],
  signal?: AbortSignal,
): Promise<EmbeddingBatch[][]> {
  if (embedder === null) return runs.map(() => []);
  const { name, dimension, deterministic } = embedder;
  const pieces = (run: ChunkRun, encode: (from: number, to: number) => string | null): EmbeddingBatch[] => {
    const found: EmbeddingBatch[] = [];
    for (let from = 0; from < run.chunks.length; from += embeddingsMax) {
      const count = Math.min(embeddingsMax, run.chunks.length - from);
      const vectors = encode(from, from + count);
      found.push({ embedder: name, dimension, first: run.first + from, count, vectors });
    }
    return found;
  };
  if (deterministic) return runs.map((run) => pieces(run, () => null));
  const texts = runs.flatMap(({ title, chunks }) =>
    chunks.map(({ chunk, text }) => embeddedText(title, chunk, text)),
  );
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, 'document', signal);
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimension))
    throw new Failure(
      'internal',
      `The model ${name} did not return one vector of length ${dimension} for each text.`,
    );
  let taken = 0;
  return runs.map((run) => {
    const own = vectors.slice(taken, taken + run.chunks.length);
    taken += run.chunks.length;
    return pieces(run, (from, to) => encodeVectors(own.slice(from, to)));
  });
}
