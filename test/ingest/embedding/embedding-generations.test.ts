import { expect, it } from 'vitest';
import { EmbeddingGenerations } from '../../../src/ingest/embedding/embedding-generations.ts';
import type { Embedder } from '../../../src/ports/models.ts';

const embedder = (name: string): Embedder => ({
  name,
  dimension: 2,
  deterministic: false,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
});

/** Generations over ten chunks; `embedded` is how many chunks each embedder has embedded. */
function over(embedded: Record<string, number>, configured: string | null = 'new') {
  return new EmbeddingGenerations({
    reads: {
      embedders: async () => Object.keys(embedded),
      coverage: async (name) => [{ corpus_id: 'c', chunks: 10, embedded: embedded[name] ?? 0 }],
    },
    embedder: configured === null ? null : embedder(configured),
    embedderNamed: (name) => (name.startsWith('gone') ? null : embedder(name)),
  });
}

const serving = async (generations: EmbeddingGenerations) => (await generations.serving())?.name ?? null;

it.each([
  ['the configured one if there is no other', {}, 'new'],
  ['the old one until the new has caught up', { old: 10, new: 9 }, 'old'],
  ['the new one as soon as it is complete', { old: 10, new: 10 }, 'new'],
  ['never one without its model', { gone: 10, new: 1 }, 'new'],
])('the live generation is %s', async (_, embedded, expected) => {
  expect(await serving(over(embedded))).toBe(expected);
});

it('no generation is live without an embedder', async () => {
  expect(await serving(over({}, null))).toBeNull();
});

it('the progress of each generation is reported, the configured one first', async () => {
  expect(await over({ old: 10, new: 4, emptied: 0 }).all()).toEqual([
    { embedder: 'new', chunks: 10, embedded: 4, serves: false },
    { embedder: 'old', chunks: 10, embedded: 10, serves: true },
  ]);
});

it('the live generation does not change while reads fail', async () => {
  const generations = new EmbeddingGenerations({
    reads: { embedders: () => Promise.reject(new Error('away')), coverage: async () => [] },
    embedder: embedder('new'),
    embedderNamed: () => null,
  });
  expect(await serving(generations)).toBe('new');
});
