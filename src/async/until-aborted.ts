/** Waits for a promise until a signal aborts; the underlying work continues. */
import { cancelled } from '../failures.ts';

/** Settles like the promise, or fails with `cancelled` as soon as the signal aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(cancelled());
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * Yields the items until the signal aborts, then throws Failure `cancelled`. The iterator's `return` is not awaited.
 */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let stopWaiting: (() => void) | null = null;
  const abort = () => stopWaiting?.();
  // Use a single listener for all items, because an answer has hundreds of them.
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      if (signal.aborted) throw cancelled();
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        stopWaiting = () => reject(cancelled());
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    iterator.return?.()?.catch(() => {});
  }
}
