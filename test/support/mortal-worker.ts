/** A thread that dies, hangs and fails as it is told; see test/workers/threads.test.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../src/failures.ts';
import { serveThread } from '../../src/workers/rpc.ts';

const { dead } = workerData as { dead?: boolean };
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
    wait: () => new Promise(() => {}),
    throw: (text: string) => {
      throw new TypeError(text);
    },
    refuse: () => {
      throw new Failure('conflict', 'Refused.', { retryAfterS: 3 });
    },
    close: () => {},
  };
});
