/** A thread of a pool that dies, hangs and fails as it is told; see test/workers/pool.test.ts. */
import { Failure } from '../../src/failures.ts';
import { servePool } from '../../src/workers/pool.ts';

const nobody = new Int32Array(new SharedArrayBuffer(4));

export default servePool((data: string) => ({
  data: () => data,
  echo: (value: unknown) => value,
  exhaust: () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, Math.random));
  },
  hang: () => Atomics.wait(nobody, 0, 0),
  wait: () => new Promise(() => {}),
  /** Works without yielding until it is given up; how often it has begun is told. */
  work: (begun: Int32Array, signal: AbortSignal) => {
    Atomics.add(begun, 0, 1);
    Atomics.notify(begun, 0);
    for (;;) {
      signal.throwIfAborted();
      Atomics.wait(nobody, 0, 0, 1);
    }
  },
  throw: (text: string) => {
    throw new TypeError(text);
  },
  refuse: () => {
    throw new Failure('conflict', 'Refused.', { retryAfterS: 3 });
  },
}));
