import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

it('keeps nothing but the answers: what was made beside them goes', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heldMb = () => {
    collect();
    return process.memoryUsage().arrayBuffers / 2 ** 20;
  };
  const cache = new MemoryCache();
  const before = heldMb();
  let beside = 0;
  for (let n = 0; n < 1_000; n++) {
    const make = async () => ({ value: `${n} `.repeat(500), keep: true });
    await cache.once(`k${n}`, make, new AbortController().signal);
    for (let k = 0; k < 20; k++) beside += Buffer.from(`${k} `.repeat(500)).length;
  }
  expect(beside).toBeGreaterThan(0);
  // Two megabytes of answers.
  expect(heldMb() - before).toBeLessThan(8);
  expect(
    (await cache.once('k0', async () => ({ value: '', keep: false }), AbortSignal.timeout(60_000))).cached,
  ).toBe(true);
});
