import { expect, it } from 'vitest';
import { Budget, Throttle } from '../../connectors/rate-limits.ts';
import { VirtualTime } from '../support/virtual-time.ts';

it('a budget limits the number of calls in any window, and delays further calls in order', async () => {
  const time = new VirtualTime();
  const budget = new Budget(3, 1_000, time);
  expect(budget.tryTake(2)).toBe(true);
  expect(budget.tryTake(2)).toBe(false);
  const at: number[] = [];
  const take = () => budget.take().then(() => at.push(time.ms));
  await time.until(Promise.all([take(), take(), take(), take(), take(), take()]));
  expect(at).toEqual([0, 0, 1_000, 1_000, 1_000, 2_000]);
});

it('a budget skips optional calls while others wait', async () => {
  const time = new VirtualTime();
  const budget = new Budget(2, 1_000, time);
  const taken = Promise.all([budget.take(), budget.take(), budget.take()]);
  const spare = time.sleep(1_000).then(() => budget.tryTake());
  await time.until(Promise.all([taken, spare]));
  expect(await spare).toBe(false);
  expect(budget.tryTake()).toBe(true);
});

it('a throttle shows the first change after a moment, later ones at intervals, and always the last', async () => {
  const time = new VirtualTime();
  const shown: [number, number][] = [];
  let value = 0;
  const throttle = new Throttle(async () => void shown.push([time.ms, value]), {
    firstMs: 100,
    intervalMs: () => 1_000,
    time,
  });
  const change = async (to: number, atMs: number) => {
    await time.sleep(atMs);
    value = to;
    throttle.changed();
  };
  await time.until(
    Promise.all([change(1, 0), change(2, 50), change(3, 150), change(4, 200), time.sleep(3_000)]),
  );
  expect(shown).toEqual([
    [100, 2],
    [1_100, 4],
  ]);
  await throttle.end();
});
