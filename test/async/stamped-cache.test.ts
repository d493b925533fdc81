import { expect, test } from 'vitest';
import { pages } from '../../src/async/pages.ts';
import { StampedCache } from '../../src/async/stamped-cache.ts';

function counted() {
  const state = { stamp: 1, made: [] as string[], fails: false };
  const cache = new StampedCache<string, string>(
    () => state.stamp,
    async (key) => {
      const value = `${key}${state.made.push(key)}`;
      if (state.fails) throw new Error('away');
      return value;
    },
  );
  return { state, cache };
}

test('a value is computed once for all callers, separately for each key, until the stamp changes', async () => {
  const { state, cache } = counted();
  expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).toEqual(['a1', 'a1', 'b2']);
  expect(await cache.get('a')).toBe('a1');
  state.stamp = 2;
  expect(await cache.get('a')).toBe('a3');
  cache.clear();
  expect(await cache.get('a')).toBe('a4');
});

test('a value in progress when the stamp changes is not kept for the new stamp', async () => {
  const gates: PromiseWithResolvers<string>[] = [];
  let stamp = 1;
  const cache = new StampedCache<string, string>(
    () => stamp,
    () => {
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return gate.promise;
    },
  );
  const old = cache.get('a');
  stamp = 2;
  const fresh = cache.get('a');
  gates[1]!.resolve('new');
  gates[0]!.resolve('old');
  expect([await old, await fresh, await cache.get('a')]).toEqual(['old', 'new', 'new']);
});

test('a failed value is computed again', async () => {
  const { state, cache } = counted();
  state.fails = true;
  await expect(cache.get('a')).rejects.toThrow('away');
  state.fails = false;
  expect(await cache.get('a')).toBe('a2');
});

test('pages are read until one is not full', async () => {
  const all = [1, 2, 3, 4, 5];
  const offsets: number[] = [];
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    offsets.push(offset);
    return { items: all.slice(offset, offset + limit) };
  };
  const found: number[] = [];
  for await (const items of pages(read, 2)) found.push(...items);
  expect([found, offsets]).toEqual([all, [0, 2, 4]]);
});
