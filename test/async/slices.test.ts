import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { inSlices } from '../../src/async/slices.ts';

const alternating = ['caller 1', 'iteration 1', 'caller 2', 'iteration 2', 'caller 3', 'iteration 3'];

/** The order in which three callers proceed and three iterations of the event loop pass. */
async function orderOf(turn: () => Promise<void>, work = () => {}): Promise<string[]> {
  const order: string[] = [];
  const callers = [1, 2, 3].map(async (n) => {
    await turn();
    work();
    order.push(`caller ${n}`);
  });
  const iterations = async () => {
    for (const n of [1, 2, 3]) {
      await setImmediate();
      order.push(`iteration ${n}`);
    }
  };
  await Promise.all([...callers, iterations()]);
  return order;
}

test('callers proceed in order of arrival, within one event loop iteration if they fit its slice', async () => {
  const turn = inSlices(60_000);
  const order: number[] = [];
  const callers = [1, 2, 3].map(async (n) => {
    await turn();
    order.push(n);
  });
  await setImmediate();
  await Promise.all(callers);
  expect(order).toEqual([1, 2, 3]);
});

test('after a slice, the rest waits for the next iteration, where other events come first', async () => {
  expect(await orderOf(inSlices(0))).toEqual(alternating);
});

test('a caller proceeds only when the one before has done all it can do without waiting for an event', async () => {
  const turn = inSlices(60_000);
  const order: string[] = [];
  const callers = [1, 2, 3].map(async (n) => {
    await turn();
    order.push(`caller ${n} begins`);
    for (let hop = 0; hop < 10; hop++) await null;
    order.push(`caller ${n} ends`);
  });
  await Promise.all(callers);
  expect(order).toEqual([1, 2, 3].flatMap((n) => [`caller ${n} begins`, `caller ${n} ends`]));
});

test('a caller that exceeds the slice is the last one in its iteration', async () => {
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ms);
  const order = await orderOf(inSlices(5), () => {
    ms += 20;
  });
  expect(order).toEqual(alternating);
});

test('a slice begins again after all callers have proceeded', async () => {
  const turn = inSlices();
  await turn();
  await expect(turn()).resolves.toBeUndefined();
});
