import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairQueue, type FairQueueOptions } from '../../src/async/fair-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const failing = (code: string) => expect.objectContaining({ name: 'Failure', code });

/** A queue with one slot, and the order in which its tasks began. */
function open(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ atOnce: 1, ...options });
  const began: string[] = [];
  const ask = (who: string, ms = 20, { signal = never, size = 1 } = {}) =>
    queue
      .take(
        { who, size },
        () => {
          began.push(who);
          return new Promise<string>((resolve) => setTimeout(() => resolve(who), ms));
        },
        signal,
      )
      .catch((error: unknown) => error);
  return { queue, began, ask };
}

test('tasks run immediately while there is room, and return the result or failure of the work', async () => {
  const { queue, began, ask } = open({ atOnce: 2 });
  const both = [ask('a'), ask('b')];
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(20);
  expect(await Promise.all(both)).toEqual(['a', 'b']);
  const broken = () => Promise.reject(new Error('no'));
  for (let n = 0; n < 3; n++)
    await expect(queue.take({ who: 'a', size: 1 }, broken, never)).rejects.toThrow('no');
});

test('the second task of a caller waits behind the first task of another', async () => {
  const { began, ask } = open();
  for (let n = 0; n < 50; n++) void ask('flood');
  await vi.advanceTimersByTimeAsync(30);
  void ask('honest');
  await vi.advanceTimersByTimeAsync(40);
  expect(began.slice(0, 4)).toEqual(['flood', 'flood', 'honest', 'flood']);
});

test('a caller that asks again immediately waits behind one that asked earlier and has read its answer', async () => {
  const { began, ask } = open();
  const again = async (who: string): Promise<void> => {
    while (began.length < 200) await ask(who);
  };
  void ask('reader');
  for (let n = 0; n < 30; n++) void again(`flood ${n}`);
  for (let n = 0; n < 2; n++) {
    await vi.advanceTimersByTimeAsync(2_000);
    const before = began.length;
    void ask('reader');
    await vi.advanceTimersByTimeAsync(40);
    expect(began.slice(before)).toContain('reader');
  }
  await vi.advanceTimersByTimeAsync(4_000);
});

test('a short task overtakes a long one, and callers of long tasks come later', async () => {
  const { began, ask } = open();
  void ask('first', 400);
  void ask('large', 20, { size: 5 });
  void ask('small');
  void ask('first');
  await vi.advanceTimersByTimeAsync(500);
  expect(began).toEqual(['first', 'small', 'first', 'large']);
});

test('a long task yields its slot to another', async () => {
  const { began, ask } = open({ longMs: 500 });
  const long = ask('long', 5_000);
  void ask('other');
  await vi.advanceTimersByTimeAsync(499);
  expect(began).toEqual(['long']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await long).toBe('long');
  void ask('a');
  void ask('b');
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(['long', 'other', 'a']);
});

test('a caller with high usage is not starved', async () => {
  const { began, ask } = open({ waitMsMax: 60_000 });
  for (let n = 0; n < 40; n++) void ask('flood');
  await vi.advanceTimersByTimeAsync(10);
  // A constant supply of tasks from new callers, as many as fit.
  for (let n = 0; n < 1_000; n++) {
    void ask(`new ${n}`);
    await vi.advanceTimersByTimeAsync(20);
  }
  const turns = began.flatMap((who, n) => (who === 'flood' ? [n] : []));
  expect(turns.length).toBeGreaterThan(10);
  expect(turns.length).toBeLessThan(30);
});

test('if too many tasks wait, one of the caller with the highest usage is rejected', async () => {
  const { began, ask } = open({ waitingMax: 2 });
  void ask('flood');
  const waiting = [ask('flood'), ask('flood')];
  void ask('honest');
  expect(await waiting[1]).toEqual(failing('unavailable'));
  await vi.advanceTimersByTimeAsync(60);
  expect(began).toEqual(['flood', 'honest', 'flood']);
});

test('a waiting task is rejected after a time limit, and dropped when its caller disconnects', async () => {
  const { queue, began, ask } = open({ waitMsMax: 100 });
  void ask('a', 900);
  const leaving = new AbortController();
  const [late, left] = [ask('b'), ask('c', 20, { signal: leaving.signal })];
  leaving.abort();
  expect(await left).toEqual(failing('cancelled'));
  expect(queue.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(await late).toEqual(failing('unavailable'));
  expect(await ask('d', 20, { signal: leaving.signal })).toEqual(failing('cancelled'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(began).toEqual(['a']);
});
