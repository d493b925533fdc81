import fc from 'fast-check';
import { expect, it } from 'vitest';
import { embedOffline, offlineEmbedder } from '../../src/models/offline.ts';

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, n) => sum + value * b[n]!, 0);

it('vectors have unit length, and are always the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const vector = embedOffline(text);
      expect(vector).toHaveLength(offlineEmbedder.dimension);
      const length = Math.sqrt(cosine(vector, vector));
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      expect(await offlineEmbedder.embed([text], 'query')).toEqual([vector]);
    }),
  );
});

it('texts with common stems have similar vectors', () => {
  const near = cosine(embedOffline('налоговая ставка'), embedOffline('ставки налогов'));
  const far = cosine(embedOffline('налоговая ставка'), embedOffline('погода на завтра'));
  expect(near).toBeGreaterThan(0.5);
  expect(far).toBeLessThan(0.25);
});

it('text without content words has a zero vector', () => {
  expect(embedOffline('и не the').every((value) => value === 0)).toBe(true);
});
