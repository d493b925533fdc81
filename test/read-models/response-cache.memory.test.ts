import { expect, it } from 'vitest';
import { MemoryCache } from '../../src/read-models/memory-cache.ts';
import { kept } from '../support/memory.ts';
import { responseCacheContract } from './response-cache.contract.ts';

responseCacheContract('in memory', async () => ({ instances: [new MemoryCache()], close: async () => {} }));

it('keeps the most recently used answers, up to a total size', async () => {
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

it('keeps only the answers, and no other data of their computation', async () => {
  const cache = new URL('../../src/read-models/memory-cache.ts', import.meta.url);
  const [keptMb, madeMb, cached] = await kept(
    { MemoryCache: cache },
    `
    const cache = new MemoryCache();
    const never = new AbortController().signal;
    const before = mb('arrayBuffers');
    let beside = 0;
    for (let n = 0; n < 1_000; n++) {
      await cache.once('k' + n, async () => ({ value: (n + ' ').repeat(500), keep: true }), never);
      for (let k = 0; k < 20; k++) beside += Buffer.from((k + ' ').repeat(500)).length;
    }
    const keptMb = mb('arrayBuffers') - before;
    const again = await cache.once('k0', async () => ({ value: '', keep: false }), never);
    print(keptMb, beside / 2 ** 20, again.cached);`,
  );
  expect(madeMb).toBeGreaterThan(20);
  // Two megabytes of answers.
  expect(keptMb).toBeLessThan(4);
  expect(cached).toBe(true);
});
