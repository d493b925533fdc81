/** A thread that dies, hangs and fails as it is told; see test/workers/thread-pool.test.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../src/failures.ts';
import { serveThread } from '../../src/workers/rpc.ts';

const { dead, cold } = workerData as { dead?: boolean; cold?: boolean };
const nobody = new Int32Array(new SharedArrayBuffer(4));

serveThread(parentPort!, (notify) => {
  if (dead) throw new Failure('unavailable', 'It cannot be opened.');
  return {
    echo: (value: unknown) => value,
    say: (notice: string) => notify(notice, 'said'),
    die: () => process.exit(7),
    hang: () => Atomics.wait(nobody, 0, 0),
    /** Works without yielding until it is given up; how often it has begun is told. */
    work: (begun: Int32Array, signal: AbortSignal) => {
      Atomics.add(begun, 0, 1);
      Atomics.notify(begun, 0);
      for (;;) {
        signal.throwIfAborted();
        Atomics.wait(nobody, 0, 0, 1);
      }
    },
    /** Works, and answers others meanwhile, until it is given up; that it has ended is told. */
    workBeside: async (ended: Int32Array, signal: AbortSignal) => {
      while (!signal.aborted) await new Promise((resolve) => setImmediate(resolve));
      Atomics.store(ended, 0, 1);
      Atomics.notify(ended, 0);
    },
    wait: () => new Promise(() => {}),
    warm: () => (cold ? new Promise(() => {}) : undefined),
    throw: (text: string) => {
      throw new TypeError(text);
    },
    refuse: () => {
      throw new Failure('conflict', 'Refused.', { retryAfterS: 3 });
    },
    close: () => {},
  };
});
