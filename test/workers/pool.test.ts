import { afterEach, describe, expect, it } from 'vitest';
import { type PoolOptions, WorkerPool } from '../../src/workers/pool.ts';
import { callsContract, failing } from './calls.contract.ts';

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

describe('a pool', () => {
  it('answers with the data and calls of its threads, two calls on two threads', async () => {
    const { pool } = open({ threadsMax: 2 });
    expect(await pool.call('data')).toBe('given');
    const waiting = pool.call('wait').catch(() => {});
    expect(await pool.call('echo', 'beside')).toBe('beside');
    await pool.close();
    await waiting;
  });

  it('runs several calls simultaneously in one thread if allowed', async () => {
    const { pool } = open({ atOnce: 2 });
    const waiting = pool.call('wait').catch(() => {});
    expect(await pool.call('echo', 'beside')).toBe('beside');
    await pool.close();
    await waiting;
  });

  it('limits the number of waiting calls', async () => {
    const { pool } = open();
    const waiting = Array.from({ length: 257 }, () => pool.call('wait').catch(() => {}));
    await expect(pool.call('echo')).rejects.toThrow('Too many requests at once');
    await pool.close();
    await Promise.all(waiting);
  });
});

describe('a thread', () => {
  it('that hangs is ended at the deadline, and another one answers the waiting calls', async () => {
    const { pool } = open({ deadlineMs: 1_500 });
    expect(await pool.call('echo', 'there')).toBe('there');
    await expect(pool.call('hang')).rejects.toEqual(failing('timeout'));
    expect(await pool.call('echo', 'again')).toBe('again');
  });

  it('that runs out of memory fails its call, is reported, and is replaced', async () => {
    const { pool, troubles } = open({ oldMb: 40 });
    await expect(pool.call('exhaust')).rejects.toEqual(failing('unavailable'));
    expect(troubles).toEqual([
      expect.stringMatching(/^A test thread has ended \(.*ERR_WORKER_OUT_OF_MEMORY/),
    ]);
    expect(await pool.call('echo', 'again')).toBe('again');
  });
});

callsContract(open);
