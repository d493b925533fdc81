/** What threads of tests do: they hang, work without end and fail as they are told. */
import { Failure } from '../../src/failures.ts';

const nobody = new Int32Array(new SharedArrayBuffer(4));

export const troubledHandlers = {
  echo: (value: unknown) => value,
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
};
