/** Handlers for test threads: they hang, work endlessly and fail on demand. */
import { Failure } from '../../src/failures.ts';

const nobody = new Int32Array(new SharedArrayBuffer(4));

export const troubledHandlers = {
  echo: (value: unknown) => value,
  hang: () => Atomics.wait(nobody, 0, 0),
  wait: () => new Promise(() => {}),
  /** Works without yielding until it is cancelled; reports how often it has begun. */
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
};
