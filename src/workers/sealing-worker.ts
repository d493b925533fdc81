/** A thread that follows the history for the sealer. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EventLog } from '../ports/event-log.ts';
import { SealedLog } from '../transparency/sealed-log.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { giveWay } from './give-way.ts';
import { openReadLog } from './open-log.ts';
import { serveThread } from './rpc.ts';

const { log: location } = workerData as AdapterConfig;

giveWay();
serveThread(parentPort!, () => {
  let log: EventLog | null = null;
  let sealed: SealedLog | null = null;
  return {
    head: async (signal: AbortSignal) => {
      log ??= await openReadLog({ log: location, keys: null });
      sealed ??= new SealedLog(log);
      return sealed.head(signal);
    },
    close: () => log?.close(),
  };
});
