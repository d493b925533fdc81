import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../src/failures.ts';
import { Thread } from '../../src/workers/rpc.ts';
import { type PoolOptions, ThreadPool } from '../../src/workers/thread-pool.ts';

const entry = new URL('../support/mortal-worker.ts', import.meta.url);

// Timers and the clock stand still until a test moves them; messages between threads go on.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  vi.useRealTimers();
});

const pools: ThreadPool[] = [];

/** A pool whose threads are kept count of; `data`: of each thread, by the order they are started in. */
function open(options: Partial<PoolOptions> = {}, data: (n: number) => object = () => ({})) {
  const troubles: string[] = [];
  const started: Thread[] = [];
  const trouble = { next: Promise.withResolvers<string>() };
  const pool = new ThreadPool({
    name: 'test',
    start: () => {
      const thread = new Thread(entry, data(started.length));
      started.push(thread);
      return thread;
    },
    onTrouble: (sentence) => {
      troubles.push(sentence);
      trouble.next.resolve(sentence);
      trouble.next = Promise.withResolvers();
    },
    ...options,
  });
  pools.push(pool);
  return { pool, troubles, started, nextTrouble: () => trouble.next.promise };
}
const failing = (code: string) => expect.objectContaining({ name: 'Failure', code });

describe('a pool that starts when it is asked', () => {
  it('has no thread until then, and does not get one any more once it is closed', async () => {
    const { pool, started } = open({ startsWhenAsked: true });
    expect(started).toHaveLength(0);
    expect(pool.state).toBe('ok');
    expect(await pool.call('echo', 'here')).toBe('here');
    expect(started).toHaveLength(1);
    const closed = open({ startsWhenAsked: true });
    await closed.pool.close();
    await expect(closed.pool.call('echo')).rejects.toEqual(failing('unavailable'));
    expect(closed.started).toHaveLength(0);
  });
});

describe('a pool whose threads rest', () => {
  it('ends one that was asked nothing for a while, and starts another with the next call', async () => {
    const { pool, started, troubles } = open({ startsWhenAsked: true, idleMs: 1_000 });
    for (let n = 0; n < 3; n++) {
      expect(await pool.call('echo', n)).toBe(n);
      vi.advanceTimersByTime(900);
    }
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(await pool.call('echo', 'again')).toBe('again');
    expect(started).toHaveLength(2);
    const waiting = pool.call('wait');
    vi.advanceTimersByTime(60_000);
    expect(await pool.call('echo', 'still')).toBe('still');
    expect([started.length, troubles]).toEqual([2, []]);
    started[1]!.terminate();
    await expect(waiting).rejects.toEqual(failing('unavailable'));
  });
});

describe('a thread that dies', () => {
  it('refuses what it was asked, and another answers at once', async () => {
    const { pool, troubles, started } = open();
    await expect(pool.call('die')).rejects.toEqual(failing('unavailable'));
    expect(await pool.call('echo', 'still here')).toBe('still here');
    expect(started).toHaveLength(2);
    expect(troubles).toEqual(['A test thread has ended (exit status 7).']);
  });

  it('is started again later the oftener it dies, and callers are told when to come back', async () => {
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

  it('is started again at once where it had lived for a while', async () => {
    const { pool } = open();
    for (let round = 0; round < 4; round++) {
      await pool.call('die').catch(() => {});
      expect(await pool.call('echo', round)).toBe(round);
      await vi.advanceTimersByTimeAsync(61_000);
    }
  });

  it('leaves the questions of the others alone', async () => {
    const { pool, started } = open({ sizeMax: 2, busyAt: 1 });
    const waiting = pool.call('wait');
    await expect(pool.call('die')).rejects.toEqual(failing('unavailable'));
    expect(await pool.call('echo', 1)).toBe(1);
    expect(started).toHaveLength(3);
    void waiting.catch(() => {});
    started[0]!.terminate();
  });

  it('is given up where none that takes its place can be used', async () => {
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

describe('a thread that is started beside others', () => {
  it('is asked nothing while it is being warmed up and another answers', async () => {
    const { pool, started } = open({ sizeMax: 3, busyAt: 1, warmUp: 'warm' }, (n) => ({ cold: n > 0 }));
    await pool.call('echo');
    const waiting = pool.call('wait').catch(() => {});
    expect(await pool.call('echo', 'beside')).toBe('beside');
    expect(await pool.call('echo', 'again')).toBe('again');
    expect(started.map(({ pending }) => pending)).toEqual([1, 1]);
    for (const thread of started) thread.terminate();
    await waiting;
  });
});

describe('a second thread', () => {
  it('is got ready after so many calls, though one has time for all of them', async () => {
    const { pool, started } = open({ sizeMax: 3, secondAfter: 3, warmUp: 'warm' });
    const sizes: number[] = [];
    for (let n = 0; n < 6; n++) {
      await pool.call('echo');
      sizes.push(started.length);
    }
    expect(sizes).toEqual([1, 1, 2, 2, 2, 2]);
  });

  it('is got ready before anything is asked where so much is to come, when the first is warm', async () => {
    const { pool, started } = open({ sizeMax: 3, secondAfter: 0, warmUp: 'warm' });
    expect(started).toHaveLength(1);
    // Answered after it has warmed up.
    await pool.call('echo');
    expect(started).toHaveLength(2);
  });

  it('is not, where there is to be one only', async () => {
    const { pool, started } = open({ secondAfter: 1 });
    for (let n = 0; n < 3; n++) await pool.call('echo');
    expect(started).toHaveLength(1);
  });
});

describe('a thread that hangs', () => {
  it('is replaced at the deadline; what waited behind it is answered elsewhere', async () => {
    const { pool, troubles, started } = open({ deadlineMs: 10_000 });
    await pool.call('echo');
    const hung = pool.call('hang').catch((error) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    const behind = pool.call('echo', 'behind');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await hung).toEqual(failing('timeout'));
    expect(await behind).toBe('behind');
    expect(troubles).toEqual(['A test thread did not respond for 10000 ms and is replaced.']);
    expect(started).toHaveLength(2);
  });

  it('is not replaced for one call that takes long while it answers others', async () => {
    const { pool, started } = open({ deadlineMs: 10_000 });
    const long = pool.call('wait').catch((error) => error);
    await vi.advanceTimersByTimeAsync(9_999);
    await pool.call('echo');
    await vi.advanceTimersByTimeAsync(1);
    expect(await long).toEqual(failing('timeout'));
    expect(started).toHaveLength(1);
    started[0]!.terminate();
  });

  it('ends the work on a call that took too long while it answered others', async () => {
    const { pool, started } = open({ deadlineMs: 10_000 });
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const asker = new AbortController();
    const long = pool.callUntil(asker.signal, 'workBeside', ended).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(9_999);
    await pool.call('echo');
    await vi.advanceTimersByTimeAsync(1);
    expect(await long).toEqual(failing('timeout'));
    // Were the work to go on, this would not be told for ever.
    await Atomics.waitAsync(ended, 0, 0, 20_000).value;
    expect(started).toHaveLength(1);
    started[0]!.terminate();
    expect(Atomics.load(ended, 0)).toBe(1);
  });

  it('is passed over as soon as it has been silent for a moment', async () => {
    const { pool, started } = open({ sizeMax: 2, deadlineMs: 10_000 });
    await pool.call('echo');
    const hung = pool.call('hang').catch((error) => error);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await pool.call('echo', 'beside')).toBe('beside');
    expect(started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(8_900);
    expect(await hung).toEqual(failing('timeout'));
  });

  it('may take longer while it warms up', async () => {
    const { pool, started } = open({ deadlineMs: 10_000, warmUp: 'wait' });
    const cold = pool.call('wait').catch((error) => error);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(await pool.call('echo', 'cold')).toBe('cold');
    await vi.advanceTimersByTimeAsync(1);
    expect(await cold).toEqual(failing('timeout'));
    started[0]!.terminate();
  });
});

describe('threads', () => {
  it('are started as there is work for them, and no more wait than may', async () => {
    const { pool, started } = open({ sizeMax: 2, busyAt: 2, waitingMax: 3 });
    const waiting = Array.from({ length: 6 }, () => pool.call('wait').catch(() => {}));
    expect(started.map(({ pending }) => pending)).toEqual([3, 3]);
    await expect(pool.call('echo')).rejects.toThrow('Too much is being asked at once');
    for (const thread of started) thread.terminate();
    await Promise.all(waiting);
  });

  it('are there, partly there or not, as their signs of life say', async () => {
    const { pool, started } = open({ sizeMax: 2, busyAt: 1 });
    await Promise.all([pool.call('echo'), pool.call('echo')]);
    expect(pool.state).toBe('ok');
    const hung = pool.call('hang').catch(() => {});
    await vi.advanceTimersByTimeAsync(6_000);
    expect(pool.state).toBe('down');
    pool.ping();
    await pool.call('echo');
    expect(pool.state).toBe('degraded');
    for (const thread of started) thread.terminate();
    await hung;
  });

  it('keep the words of an error nobody expected to themselves', async () => {
    const { pool, troubles, nextTrouble } = open();
    const trouble = nextTrouble();
    const error = await pool.call('throw', 'who asked\n    at what').catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'internal',
      detail: 'Something went wrong here; it has been logged.',
    });
    await trouble;
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(
      /^A test thread met an unexpected error: throw: TypeError at .*mortal-worker\.ts/,
    );
    expect(troubles[0]).not.toMatch(/who asked|at what/);
    await expect(pool.call('refuse')).rejects.toMatchObject({
      code: 'conflict',
      detail: 'Refused.',
      retryAfterS: 3,
    });
  });

  it('say what they say unasked', async () => {
    const said = Promise.withResolvers<unknown>();
    const { pool } = open({ onNotice: (notice, value) => said.resolve([notice, value]) });
    await pool.call('say', 'news');
    expect(await said.promise).toEqual(['news', 'said']);
  });
});

describe('a call whose caller leaves', () => {
  it('fails at once, and the thread ends its work and goes on with the next', async () => {
    const { pool, started, troubles } = open();
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const [first, second] = [new AbortController(), new AbortController()];
    const working = pool.callUntil(first.signal, 'work', begun);
    await Atomics.waitAsync(begun, 0, 0).value;
    // It waits behind the other, and is given up before it has begun.
    const waiting = pool.callUntil(second.signal, 'work', begun);
    second.abort();
    await expect(waiting).rejects.toEqual(failing('cancelled'));
    first.abort();
    await expect(working).rejects.toEqual(failing('cancelled'));
    expect(await pool.call('echo', 'free')).toBe('free');
    expect(Atomics.load(begun, 0)).toBe(1);
    expect(started).toHaveLength(1);
    expect(troubles).toEqual([]);
  });

  it('is not made for one that has left already', async () => {
    const { pool } = open();
    const begun = new Int32Array(new SharedArrayBuffer(4));
    await expect(pool.callUntil(AbortSignal.abort(), 'work', begun)).rejects.toEqual(failing('cancelled'));
    expect(await pool.call('echo', 'free')).toBe('free');
    expect(Atomics.load(begun, 0)).toBe(0);
  });
});
