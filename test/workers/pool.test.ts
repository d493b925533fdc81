import { afterEach, describe, expect, it } from 'vitest';
import { type PoolOptions, WorkerPool } from '../../src/workers/pool.ts';

const entry = new URL('../support/pool-worker.ts', import.meta.url);
const pools: WorkerPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function open(options: Partial<PoolOptions> = {}) {
  const troubles: string[] = [];
  const onTrouble = (sentence: string) => troubles.push(sentence);
  const pool = new WorkerPool(entry, {
    name: 'test',
    data: 'given',
    deadlineMs: 60_000,
    onTrouble,
    ...options,
  });
  pools.push(pool);
  return { pool, troubles };
}
const failing = (code: string) => expect.objectContaining({ name: 'Failure', code });

describe('a pool', () => {
  it('answers with what its threads were given and asked, two calls on two threads', async () => {
    const { pool } = open({ threadsMax: 2 });
    expect(await pool.call('data')).toBe('given');
    const waiting = pool.call('wait').catch(() => {});
    expect(await pool.call('echo', 'beside')).toBe('beside');
    await pool.close();
    await waiting;
  });

  it('works on several calls at once in one thread where it may', async () => {
    const { pool } = open({ atOnce: 2 });
    const waiting = pool.call('wait').catch(() => {});
    expect(await pool.call('echo', 'beside')).toBe('beside');
    await pool.close();
    await waiting;
  });

  it('lets no more calls wait than may', async () => {
    const { pool } = open({ waitingMax: 2 });
    const waiting = Array.from({ length: 3 }, () => pool.call('wait').catch(() => {}));
    await expect(pool.call('echo')).rejects.toThrow('Too much is being asked at once');
    await pool.close();
    await Promise.all(waiting);
  });

  it('keeps the words of an error nobody expected to itself', async () => {
    const { pool, troubles } = open();
    await expect(pool.call('throw', 'who asked\n    at what')).rejects.toMatchObject({
      code: 'internal',
      detail: 'Something went wrong here; it has been logged.',
    });
    expect(troubles).toEqual([
      expect.stringMatching(/^A test thread met an unexpected error: throw: TypeError at .*pool-worker\.ts/),
    ]);
    expect(troubles[0]).not.toMatch(/who asked|at what/);
    const refused = { code: 'conflict', detail: 'Refused.', retryAfterS: 3 };
    await expect(pool.call('refuse')).rejects.toMatchObject(refused);
  });
});

describe('a thread', () => {
  it('that hangs is ended at the deadline; what waited behind it is answered by another', async () => {
    const { pool } = open({ deadlineMs: 1_500 });
    expect(await pool.call('echo', 'there')).toBe('there');
    await expect(pool.call('hang')).rejects.toEqual(failing('timeout'));
    expect(await pool.call('echo', 'again')).toBe('again');
  });

  it('that runs out of memory refuses its call, is told of, and is replaced', async () => {
    const { pool, troubles } = open({ oldMb: 40 });
    await expect(pool.call('exhaust')).rejects.toEqual(failing('unavailable'));
    expect(troubles).toEqual([
      expect.stringMatching(/^A test thread has ended \(.*ERR_WORKER_OUT_OF_MEMORY/),
    ]);
    expect(await pool.call('echo', 'again')).toBe('again');
  });
});

describe('a call whose caller leaves', () => {
  it('fails at once, and the thread ends its work and goes on with the next', async () => {
    const { pool, troubles } = open();
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
    expect(troubles).toEqual([]);
  });
});
