import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeVectors, encodeVectors } from '../../../src/domain/vectors.ts';
import { embeddingsMax, embeddingsOf } from '../../../src/ingest/embedding/embeddings.ts';
import type { Embedder } from '../../../src/ports/models.ts';
import { chunkOf } from '../../support/revision.ts';

const chunk = chunkOf(0, 1, { heading: 'H', path: ['H'] });
const run = (count: number, first = 0) => ({
  title: 'T',
  first,
  chunks: Array.from({ length: count }, (_, i) => ({ chunk, text: `text ${first + i}` })),
});

/** A model whose vector encodes the number at the end of the text. */
function numbers(): Embedder & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    name: 'numbers',
    dimension: 2,
    deterministic: false,
    async embed(texts) {
      asked.push([...texts]);
      return texts.map((text) => Float32Array.of(1, Number(/\d+$/.exec(text)?.[0])));
    },
  };
}

describe('vectors in events', () => {
  it('round-trip unchanged, regardless of their values', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 9 })
          .chain((dimension) =>
            fc.record({
              dimension: fc.constant(dimension),
              vectors: fc.array(fc.float32Array({ minLength: dimension, maxLength: dimension })),
            }),
          ),
        ({ dimension, vectors }) => {
          expect(decodeVectors(encodeVectors(vectors), dimension)).toEqual(vectors);
        },
      ),
    );
  });

  it('are little-endian floats', () => {
    expect(encodeVectors([Float32Array.of(1)])).toBe(Buffer.from([0, 0, 0x80, 0x3f]).toString('base64'));
  });
});

describe('recorded vectors', () => {
  it('are empty without an embedder', async () => {
    expect(await embeddingsOf(null, [run(3), run(0)])).toEqual([[], []]);
  });

  it('are only counted for a deterministic embedder, which is not called', async () => {
    const embedder: Embedder = {
      name: 'd',
      dimension: 256,
      deterministic: true,
      embed: async () => {
        throw new Error('asked');
      },
    };
    const of = (first: number, count: number) => ({
      embedder: 'd',
      dimension: 256,
      first,
      count,
      vectors: null,
    });
    expect(await embeddingsOf(embedder, [run(embeddingsMax + 1, 5), run(2)])).toEqual([
      [of(5, embeddingsMax), of(5 + embeddingsMax, 1)],
      [of(0, 2)],
    ]);
  });

  it('are requested from a model together, and recorded in pieces', async () => {
    const embedder = numbers();
    const pieces = (await embeddingsOf(embedder, [run(2), run(embeddingsMax + 2, 100), run(0)])).map((list) =>
      list.map(({ first, count, vectors }) => ({
        first,
        count,
        last: decodeVectors(vectors!, 2).at(-1)![1],
      })),
    );
    expect(pieces).toEqual([
      [{ first: 0, count: 2, last: 1 }],
      [
        { first: 100, count: embeddingsMax, last: 99 + embeddingsMax },
        { first: 100 + embeddingsMax, count: 2, last: 101 + embeddingsMax },
      ],
      [],
    ]);
    expect(embedder.asked).toHaveLength(1);
    expect(embedder.asked[0]![0]).toBe('T H \ntext 0');
  });

  it('are rejected if the model returns too few, or another dimension', async () => {
    const failing = (vectors: Float32Array[]): Embedder => ({ ...numbers(), embed: async () => vectors });
    const refused = expect.objectContaining({ code: 'internal' });
    await expect(embeddingsOf(failing([Float32Array.of(1, 2)]), [run(2)])).rejects.toEqual(refused);
    await expect(embeddingsOf(failing([Float32Array.of(1)]), [run(1)])).rejects.toEqual(refused);
  });
});
