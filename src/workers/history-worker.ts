/** A low-priority thread for long-running work over the history. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ChangesRequest } from '../history/past.ts';
import { proveEvent } from '../history/proofs.ts';
import { SealedLog } from '../history/sealed-log.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { giveWay } from './give-way.ts';
import { changesOf, type MomentJob, makeMoment, verify } from './history-jobs.ts';
import { openReadLog } from './open-log.ts';
import { serveThread } from './rpc.ts';

const adapters = workerData as AdapterConfig;

giveWay();
serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let log: EventLog | null = null;
  let sealed: SealedLog | null = null;
  return {
    /** The head of the history's Merkle tree. The first call reads the whole history. */
    treeHead: async (asked: AbortSignal) => {
      log ??= await openReadLog({ log: adapters.log, keys: null });
      sealed ??= new SealedLog(log);
      return sealed.head(asked);
    },
    /** Reads the whole history. See src/history/proofs.ts. */
    proveEvent: async (eventId: string) => {
      log ??= await openReadLog({ log: adapters.log, keys: null });
      return proveEvent(log, eventId);
    },
    makeMoment: (job: Omit<MomentJob, 'adapters'>) =>
      makeMoment({ ...job, adapters }, signal, (events) => notify('events', events)),
    changes: (first: string, second: string, request: ChangesRequest) => changesOf(first, second, request),
    verify: () => verify(adapters, signal, (progress) => notify('progress', progress)),
    stop: () => stopping.abort(),
    close: () => log?.close(),
  };
});
