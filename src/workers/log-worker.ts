/**
 * The thread that writes the files of the history: the events, and the keys that seal personal text. Calls that arrive
 * during a transaction are batched into the next one and share its fsync.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failures.ts';
import { type AppendOutcome, type AppendRequest, LogStore } from '../log/sqlite/log-store.ts';
import { DiskReserve } from '../log/sqlite/reserve.ts';
import type { Destroyed, KeyPurpose, StoredKey, SubjectKey } from '../ports/subject-keys.ts';
import type { KeysFileLocation } from './adapter-config.ts';
import { openKeyFile } from './open-keys.ts';
import { type Handlers, serveThread } from './rpc.ts';

export interface LogWorkerData {
  /** If absent, the history is on a server. */
  log?: string;
  /** If absent, the keys are on a server, or nothing is sealed. */
  keys?: KeysFileLocation;
  /** Whether this thread replaces one that has died. */
  again?: boolean;
}

const { log, keys, again } = workerData as LogWorkerData;

/** `work` processes simultaneous calls together; each is settled with its own result. */
function batched<Request, Answer>(
  work: (requests: Request[]) => ((done: PromiseWithResolvers<Answer>) => void)[],
): (request: Request) => Promise<Answer> {
  let waiting: { request: Request; done: PromiseWithResolvers<Answer> }[] = [];
  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      const outcomes = work(batch.map(({ request }) => request));
      for (const [i, { done }] of batch.entries()) outcomes[i]!(done);
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  }
  return (request) => {
    const done = Promise.withResolvers<Answer>();
    if (waiting.push({ request, done }) === 1) setImmediate(flush);
    return done.promise;
  };
}

function logHandlers(path: string): Handlers {
  // An empty history must not replace one that has disappeared.
  if (again && !existsSync(path))
    throw new Failure('unavailable', 'The history is missing from the data folder.');
  const store = new LogStore(path, { reserve: new DiskReserve(`${path}-reserve`) });
  type Appended = Extract<AppendOutcome, { ok: true }>['appended'];
  const append = batched<AppendRequest, Appended>((requests) =>
    store
      .append(requests)
      .map(
        (outcome) => (done) => (outcome.ok ? done.resolve(outcome.appended) : done.reject(outcome.failure)),
      ),
  );
  return {
    append: (request: AppendRequest) => append(request),
    readStream: (stream: string, from: number, limit: number) => store.readStream(stream, from, limit),
    readAll: (after: string | null, limit: number) => store.readAll(after, limit),
    readStored: (after: string | null, limit: number) => store.readStored(after, limit),
    readStoredBefore: (before: string | null, limit: number) => store.readStoredBefore(before, limit),
    head: () => store.head(),
    lastBefore: (time: string) => store.lastBefore(time),
    degraded: () => store.degraded(),
    closeLog: () => store.close(),
  };
}

function keyHandlers(location: KeysFileLocation): Handlers {
  const file = openKeyFile(location);
  const take = batched<readonly KeyPurpose[], SubjectKey[]>((requests) => {
    const taken = file.take(requests.flat());
    return requests.map((purposes) => {
      const own = taken.splice(0, purposes.length);
      return (done) => done.resolve(own);
    });
  });
  return {
    'keys.take': (purposes: readonly KeyPurpose[]) => take(purposes),
    'keys.find': (ids: readonly string[]) => file.find(ids),
    'keys.knows': (id: string) => file.knows(id),
    'keys.giveUpMissing': () => file.giveUpMissing(),
    'keys.stored': (from: string | null) => file.stored(from),
    'keys.putBack': (put: readonly StoredKey[]) => file.putBack(put),
    'keys.destroy': (which: Destroyed) => file.destroy(which),
    /** Succeeds if the keys can be used. */
    'keys.check': () => true,
    closeKeys: () => file.close(),
  };
}

serveThread(parentPort!, () => {
  const handlers: Handlers = {
    ...(keys !== undefined && keyHandlers(keys)),
    ...(log !== undefined && logHandlers(log)),
  };
  return {
    ...handlers,
    close: () => {
      handlers.closeLog?.();
      handlers.closeKeys?.();
    },
  };
});
