import { expect, it } from 'vitest';
import { MemoryCache } from '../../src/stores/embedded/cache.ts';
import { responseCacheContract } from './response-cache.contract.ts';

responseCacheContract('in memory', async () => ({ instances: [new MemoryCache()], close: async () => {} }));

it('keeps the answers that were used last, by what they take', async () => {
  const cache = new MemoryCache(100_000);
  const once = (key: string, length = 9_700) =>
    cache.once(key, async () => ({ value: 'x'.repeat(length), keep: true }), new AbortController().signal);
  for (let i = 0; i < 10; i++) await once(`k${i}`);
  expect((await once('k0')).cached).toBe(true);
  await once('one more');
  expect((await once('k0')).cached).toBe(true);
  expect((await once('k1')).cached).toBe(false);
  await once('larger than all', 200_000);
  expect((await once('k0')).cached).toBe(false);
});
