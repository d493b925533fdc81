/**
 * The thread that writes the history. Appends that arrive while one is being written are batched into the next
 * transaction, and so share one fsync.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failures.ts';
import { type AppendOutcome, type AppendRequest, LogStore } from '../stores/embedded/log-store.ts';
import { DiskReserve } from '../stores/embedded/reserve.ts';
import { serveThread } from './rpc.ts';

const { path, again } = workerData as { path: string; again?: boolean };

serveThread(parentPort!, () => {
  // An empty history in the place of one that has gone would be taken for it.
  if (again && !existsSync(path))
    throw new Failure('unavailable', 'The history is missing from the data folder.');
  const store = new LogStore(path, { reserve: new DiskReserve(`${path}-reserve`) });
  let waiting: { request: AppendRequest; resolve: (outcome: AppendOutcome) => void }[] = [];

  function flush(): void {
    const batch = waiting;
    waiting = [];
    const outcomes = store.append(batch.map(({ request }) => request));
    for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i]!);
  }

  return {
    append: async (request: AppendRequest) => {
      const { promise, resolve } = Promise.withResolvers<AppendOutcome>();
      if (waiting.push({ request, resolve }) === 1) setImmediate(flush);
      const outcome = await promise;
      if (!outcome.ok) throw outcome.failure;
      return outcome.appended;
    },
    readStream: (stream: string, from: number, limit: number) => store.readStream(stream, from, limit),
    readAll: (after: string | null, limit: number) => store.readAll(after, limit),
    readStored: (after: string | null, limit: number) => store.readStored(after, limit),
    readStoredBefore: (before: string | null, limit: number) => store.readStoredBefore(before, limit),
    head: () => store.head(),
    lastBefore: (time: string) => store.lastBefore(time),
    degraded: () => store.degraded(),
    close: () => store.close(),
  };
});
