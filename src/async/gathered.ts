import { setImmediate } from 'node:timers/promises';

/** Items read while none is handed on. */
const aheadMax = 100;

/**
 * Items as they come, handed on when all that came in meanwhile has been read. What came for the same reader by then is
 * joined to the item before it where `join` can: who falls behind has longer items to do, not ever more of them.
 *
 * A hundred items are read ahead at most. When the reader leaves, the iterator is told to return and not waited for:
 * whoever makes items that may take long ends them by a signal of its own.
 */
export async function* gathered<T>(
  items: AsyncIterable<T>,
  join: (before: T, next: T) => T | null,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let waiting: T[] = [];
  let ahead = 0;
  let ended = false;
  let came = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();
  const read = async () => {
    try {
      for (let next = await iterator.next(); !next.done && !ended; next = await iterator.next()) {
        const before = waiting.at(-1);
        const joined = before === undefined ? null : join(before, next.value);
        if (joined === null) waiting.push(next.value);
        else waiting[waiting.length - 1] = joined;
        came.resolve();
        if (++ahead >= aheadMax) await taken.promise;
      }
    } finally {
      ended = true;
      came.resolve();
    }
  };
  const reader = read();
  // Met where it is awaited, when all before it has been handed on.
  reader.catch(() => {});
  try {
    for (;;) {
      await came.promise;
      await setImmediate();
      const all = waiting;
      waiting = [];
      ahead = 0;
      if (!ended) came = Promise.withResolvers();
      taken.resolve();
      taken = Promise.withResolvers();
      yield* all;
      if (ended && waiting.length === 0) return await reader;
    }
  } finally {
    ended = true;
    taken.resolve();
    iterator.return?.()?.catch(() => {});
  }
}
