/** The thread that owns the encryption keys. Keys requested at the same time are created in one transaction. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Destroyed, KeyPurpose, StoredKey, SubjectKey } from '../ports/subject-keys.ts';
import type { KeysFileLocation } from './adapter-config.ts';
import { openKeyFile } from './open-keys.ts';
import { serveThread } from './rpc.ts';

serveThread(parentPort!, () => {
  const keys = openKeyFile(workerData as KeysFileLocation);
  let waiting: { purposes: readonly KeyPurpose[]; done: PromiseWithResolvers<SubjectKey[]> }[] = [];

  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      const taken = keys.take(batch.flatMap(({ purposes }) => purposes));
      for (const { purposes, done } of batch) done.resolve(taken.splice(0, purposes.length));
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  }

  return {
    take: (purposes: readonly KeyPurpose[]) => {
      const done = Promise.withResolvers<SubjectKey[]>();
      if (waiting.push({ purposes, done }) === 1) setImmediate(flush);
      return done.promise;
    },
    find: (ids: readonly string[]) => keys.find(ids),
    knows: (id: string) => keys.knows(id),
    giveUpMissing: () => keys.giveUpMissing(),
    stored: (from: string | null) => keys.stored(from),
    putBack: (put: readonly StoredKey[]) => keys.putBack(put),
    destroy: (which: Destroyed) => keys.destroy(which),
    /** Answered where the keys can be used. */
    check: () => true,
    close: () => keys.close(),
  };
});
