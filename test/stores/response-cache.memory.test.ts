import { expect, it } from 'vitest';
import { MemoryCache } from '../../src/stores/embedded/cache.ts';
import { responseCacheContract } from './response-cache.contract.ts';

responseCacheContract('in memory', async () => ({ instances: [new MemoryCache()], close: async () => {} }));

it('keeps the thousand answers that were used last', async () => {
  const cache = new MemoryCache();
  const once = (key: string) =>
    cache.once(key, async () => ({ value: key, keep: true }), new AbortController().signal);
  for (let i = 0; i < 1000; i++) await once(`k${i}`);
  expect((await once('k0')).cached).toBe(true);
  await once('one more');
  expect((await once('k0')).cached).toBe(true);
  expect((await once('k1')).cached).toBe(false);
});
