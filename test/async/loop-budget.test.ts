import { expect, test } from 'vitest';
import { loopBudget } from '../../src/async/loop-budget.ts';

/** Holds the thread, as work does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('pieces that are ready together let the loop turn between them, and keep their order', async () => {
  const order: string[] = [];
  const pieces = Array.from({ length: 6 }, async (_, n) => {
    await loopBudget();
    order.push(`piece ${n}`);
    work(5);
  });
  // What comes in meanwhile is not kept waiting for all of them.
  const other = new Promise<void>((resolve) =>
    setImmediate(() => {
      order.push('other');
      resolve();
    }),
  );
  await Promise.all([...pieces, other]);
  expect(order.filter((one) => one !== 'other')).toEqual([0, 1, 2, 3, 4, 5].map((n) => `piece ${n}`));
  expect(order.indexOf('other')).toBeLessThan(3);
});
