/** The contract for calls to a thread, whether single or in a pool. */
import { describe, expect, it } from 'vitest';
import type { WorkerPool } from '../../src/workers/pool.ts';
import { eventually } from '../support/eventually.ts';

export const failing = (code: string) => expect.objectContaining({ name: 'Failure', code });

type Calls = Pick<WorkerPool, 'call' | 'callUntil'>;

/** `open` starts a thread with the troubled handlers, and returns messages to the operator, including its death. */
export function callsContract(open: () => { pool: Calls; troubles: string[] }): void {
  describe('a call whose caller disconnects', () => {
    it('fails immediately, and the thread stops its work and continues with the next call', async () => {
      const { pool, troubles } = open();
      const begun = new Int32Array(new SharedArrayBuffer(4));
      const [first, second] = [new AbortController(), new AbortController()];
      const working = pool.callUntil(first.signal, 'work', begun);
      await Atomics.waitAsync(begun, 0, 0).value;
      // It waits behind the other one, and is dropped before it begins.
      const waiting = pool.callUntil(second.signal, 'work', begun);
      second.abort();
      await expect(waiting).rejects.toEqual(failing('cancelled'));
      first.abort();
      await expect(working).rejects.toEqual(failing('cancelled'));
      expect(await pool.call('echo', 'free')).toBe('free');
      expect(Atomics.load(begun, 0)).toBe(1);
      expect(troubles).toEqual([]);
    });

    it('is not made if the caller has already disconnected', async () => {
      const { pool } = open();
      const begun = new Int32Array(new SharedArrayBuffer(4));
      await expect(pool.callUntil(AbortSignal.abort(), 'work', begun)).rejects.toEqual(failing('cancelled'));
      expect(await pool.call('echo', 'free')).toBe('free');
      expect(Atomics.load(begun, 0)).toBe(0);
    });
  });

  describe('a call that fails', () => {
    it('does not reveal the text of an unexpected error', async () => {
      const { pool, troubles } = open();
      await expect(pool.call('throw', 'who asked\n    at what')).rejects.toMatchObject({
        code: 'internal',
        detail: 'An internal error occurred; it has been logged.',
      });
      await eventually(() => expect(troubles).toHaveLength(1));
      expect(troubles[0]).toMatch(
        /^Unexpected error in a test thread: throw: TypeError at .*troubled-handlers\.ts/,
      );
      expect(troubles[0]).not.toMatch(/who asked|at what/);
    });

    it('fails with the failure of its method', async () => {
      const { pool } = open();
      const refused = { code: 'conflict', detail: 'Refused.', retryAfterS: 3 };
      await expect(pool.call('refuse')).rejects.toMatchObject(refused);
    });
  });
}
