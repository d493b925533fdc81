import { expect, test } from 'vitest';
import { orAborted, untilAborted } from '../../src/async/until-aborted.ts';
import { within } from '../../src/async/within.ts';

const never = new Promise<never>(() => {});

test('what comes in time is what it is, also when it fails', async () => {
  expect(await within(Promise.resolve(7), 60_000, () => null)).toBe(7);
  await expect(within(Promise.reject(new Error('broken')), 60_000, () => null)).rejects.toThrow('broken');
});

test('what does not come is what stands in for it', async () => {
  expect(await within(never, 0, () => null)).toBeNull();
  const late = within(never, 0, () => {
    throw new Error('late');
  });
  await expect(late).rejects.toThrow('late');
});

test('waiting ends when the signal aborts', async () => {
  const controller = new AbortController();
  const waiting = orAborted(never, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(orAborted(never, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('items end with the signal, and whoever makes them is told', async () => {
  const returned = Promise.withResolvers<void>();
  async function* items() {
    try {
      yield 1;
      yield 2;
    } finally {
      returned.resolve();
    }
  }
  const controller = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const item of untilAborted(items(), controller.signal)) {
      seen.push(item);
      controller.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  await returned.promise;
  expect(seen).toEqual([1]);
});
