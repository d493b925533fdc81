import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gathered } from '../../src/async/gathered.ts';

const join = (before: string, next: string) => (before.length + next.length > 3 ? null : before + next);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('items that arrive one by one are passed on one by one', async () => {
  async function* letters() {
    for (const letter of 'abcd') {
      yield letter;
      await setImmediate();
      await setImmediate();
    }
  }
  expect(await all(gathered(letters(), join))).toEqual(['a', 'b', 'c', 'd']);
});

test('items that arrive while the reader is busy are joined as far as possible', async () => {
  async function* letters() {
    yield* 'abcdefgh';
  }
  const list: string[] = [];
  for await (const item of gathered(letters(), join)) {
    list.push(item);
    await setImmediate();
  }
  expect(list.join('')).toBe('abcdefgh');
  expect(list.length).toBeLessThan(8);
  expect(Math.max(...list.map(({ length }) => length))).toBe(3);
});

test('an error is delivered after all the items that preceded it', async () => {
  async function* breaking() {
    yield 'a';
    throw new Error('broken');
  }
  const list: string[] = [];
  await expect(
    (async () => {
      for await (const item of gathered(breaking(), join)) list.push(item);
    })(),
  ).rejects.toThrow('broken');
  expect(list).toEqual(['a']);
});

test('the iterator is closed when its reader stops', async () => {
  const { promise: returned, resolve } = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) {
        yield 'a';
        await setImmediate();
      }
    } finally {
      resolve();
    }
  }
  for await (const _ of gathered(endless(), () => null)) break;
  await returned;
});

test('a source that never pauses does not block other tasks', async () => {
  async function* endless() {
    for (;;) yield 'a';
  }
  let turns = 0;
  for await (const _ of gathered(endless(), () => null)) if (turns++ === 300) break;
  await setImmediate();
});
