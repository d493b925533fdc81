import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../src/failures.ts';
import { Thread } from '../../src/workers/rpc.ts';
import { SupervisedThread, type ThreadOptions } from '../../src/workers/threads.ts';
import { callsContract, failing } from './calls.contract.ts';

const entry = new URL('../support/mortal-worker.ts', import.meta.url);

// Timers and the clock advance only when a test advances them; messages between threads continue.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  vi.useRealTimers();
});

const pools: SupervisedThread[] = [];

/** A thread whose restarts are counted; `data`: the data of each start, in order. */
function open(options: ThreadOptions = {}, data: (n: number) => object = () => ({})) {
  const troubles: string[] = [];
  const started: Thread[] = [];
  const trouble = { next: Promise.withResolvers<string>() };
  const pool = new SupervisedThread(
    () => {
      const thread = new Thread(entry, data(started.length));
      started.push(thread);
      return thread;
    },
    {
      name: 'test',
      onTrouble: (sentence) => {
        troubles.push(sentence);
        trouble.next.resolve(sentence);
        trouble.next = Promise.withResolvers();
      },
      ...options,
    },
  );
  pools.push(pool);
  return { pool, troubles, started, nextTrouble: () => trouble.next.promise };
}

describe('a thread that dies', () => {
  it('fails its pending calls, and a new thread answers immediately', async () => {
    const { pool, troubles, started } = open();
    await expect(pool.call('die')).rejects.toEqual(failing('unavailable'));
    expect(await pool.call('echo', 'still here')).toBe('still here');
    expect(started).toHaveLength(2);
    expect(troubles).toEqual(['A test thread has ended (exit status 7).']);
  });

  it('is restarted later the more often it dies, and callers are told when to retry', async () => {
    const { pool, started } = open();
    const retryAfter: number[] = [];
    for (const waitMs of [0, 1_000, 2_000, 4_000]) {
      await pool.call('die').catch(() => {});
      if (waitMs === 0) continue;
      const refused = await pool.call('echo').catch((error: Failure) => error);
      retryAfter.push((refused as Failure).retryAfterS!);
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      await expect(pool.call('echo')).rejects.toEqual(failing('unavailable'));
      await vi.advanceTimersByTimeAsync(1);
      expect(await pool.call('echo', waitMs)).toBe(waitMs);
    }
    expect(retryAfter).toEqual([1, 2, 4]);
    expect(started).toHaveLength(5);
  });

  it('is restarted immediately if it had lived for a while', async () => {
    const { pool } = open();
    for (let round = 0; round < 4; round++) {
      await pool.call('die').catch(() => {});
      expect(await pool.call('echo', round)).toBe(round);
      await vi.advanceTimersByTimeAsync(61_000);
    }
  });

  it('is given up if no replacement is usable', async () => {
    const lost = Promise.withResolvers<void>();
    const { pool, troubles, nextTrouble } = open({ probe: 'echo', onLost: () => lost.resolve() }, (n) => ({
      dead: n > 0,
    }));
    void pool.call('die').catch(() => {});
    await nextTrouble();
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await nextTrouble();
      await vi.advanceTimersByTimeAsync(waitMs);
    }
    await lost.promise;
    expect(troubles).toEqual([
      'A test thread has ended (exit status 7).',
      ...Array(4).fill('A test thread has ended (it cannot be used).'),
      'No test thread can be started.',
    ]);
    await expect(pool.call('echo')).rejects.toEqual(failing('unavailable'));
  });
});

describe('threads', () => {
  it('are up or down according to their heartbeats', async () => {
    const { pool, started } = open();
    await pool.call('echo');
    expect(pool.state).toBe('ok');
    const hung = pool.call('hang').catch(() => {});
    await vi.advanceTimersByTimeAsync(6_000);
    expect(pool.state).toBe('degraded');
    started[0]!.terminate();
    await hung;
  });

  it('send unsolicited messages', async () => {
    const said = Promise.withResolvers<unknown>();
    const { pool } = open({ onNotice: (notice, value) => said.resolve([notice, value]) });
    await pool.call('say', 'news');
    expect(await said.promise).toEqual(['news', 'said']);
  });
});

callsContract(open);
