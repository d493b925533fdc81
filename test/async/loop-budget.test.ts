import { expect, test } from 'vitest';
import { loopBudget } from '../../src/async/loop-budget.ts';
import { takeProcessor } from '../support/take-processor.ts';

test('pieces that are ready together let the loop turn between them, and keep their order', async () => {
  const order: string[] = [];
  const pieces = Array.from({ length: 6 }, async (_, n) => {
    await loopBudget(null);
    order.push(`piece ${n}`);
    takeProcessor(5);
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

test('of those that wait, whoever has had least of the loop goes first', async () => {
  const order: string[] = [];
  const piece = async (who: string, ms: number) => {
    await loopBudget({ who, size: 1 });
    order.push(who);
    takeProcessor(ms);
  };
  await piece('many', 20);
  await Promise.all([piece('many', 1), piece('many', 1), piece('few', 1)]);
  expect(order).toEqual(['many', 'few', 'many', 'many']);
});

test('a small piece goes before large ones of those who have had as little', async () => {
  const order: string[] = [];
  const piece = async (who: string, size: number) => {
    await loopBudget({ who, size });
    order.push(who);
    takeProcessor(5);
  };
  await Promise.all([piece('larger', 1), piece('large', 0.5), piece('small', 0.1)]);
  expect(order).toEqual(['small', 'large', 'larger']);
});

test('whoever has had much waits for those who come soon after, not for all that ever come', async () => {
  const order: string[] = [];
  const piece = async (who: string, ms: number) => {
    await loopBudget({ who, size: 1 });
    order.push(who);
    takeProcessor(ms);
  };
  await piece('much', 300);
  const waits = piece('much', 1);
  let others = 0;
  // Ever new ones keep the loop busy: without an end to it, its turn would never come.
  const busy = async (): Promise<void> => {
    if (order.filter((who) => who === 'much').length === 2) return;
    await Promise.all([piece(`other ${others++}`, 5), piece(`other ${others++}`, 5)]);
    return busy();
  };
  await Promise.all([waits, busy(), busy()]);
  expect(order.filter((who) => who === 'much')).toHaveLength(2);
});
