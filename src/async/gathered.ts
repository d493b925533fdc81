/** Joins items that arrive faster than they are read. */
import { setImmediate } from 'node:timers/promises';

/** Maximum number of items read ahead. */
const aheadMax = 100;

/**
 * Yields items as they arrive. Items that arrive while the reader is busy are joined to the preceding item if `join`
 * allows it, so a slow reader gets larger items instead of more and more of them.
 *
 * At most a hundred items are read ahead. When the reader stops, the iterator's `return` is called but not awaited; a
 * slow source must be ended by its own signal.
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
  // The rejection is handled where the promise is awaited, after the preceding items.
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
