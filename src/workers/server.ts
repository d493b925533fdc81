/**
 * The stores where the history, the read models or both are on servers. Adapters of servers are loaded only when they
 * are used. What is not on a server stays in the data folder: read models there belong to the instance.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { historyFile, makeFolder, modelPaths, openHistory } from './embedded.ts';
import { type OnTrouble, openStores, type Stores, Threads } from './stores.ts';

export interface ServerOptions {
  /** null: the history is in the folder. */
  eventstoreUrl: string | null;
  /** null: the read models are in the folder. */
  redisUrl: string | null;
  namespace: string;
  folder: string;
  onTrouble?: OnTrouble;
  /** How long an EventStoreDB that is away at the start is waited for, in ms; default 30,000. */
  startMs?: number;
}

const startMsDefault = 30_000;
const retryMs = 500;

/** Failure `invalid` for an address that cannot be read, `newer_format`, `unavailable`. */
export async function openServer(options: ServerOptions): Promise<Stores> {
  const { eventstoreUrl, redisUrl, namespace, folder, onTrouble = () => {} } = options;
  if (eventstoreUrl === null || redisUrl === null) makeFolder(folder);
  const threads = new Threads();
  let log: EventLog | null = null;
  try {
    log =
      eventstoreUrl === null
        ? await openHistory(folder, threads)
        : await openEventStore(eventstoreUrl, namespace, options.startMs ?? startMsDefault, onTrouble);
    const places = {
      log: eventstoreUrl === null ? { file: historyFile(folder) } : { url: eventstoreUrl, namespace },
      models: redisUrl === null ? modelPaths(folder) : { url: redisUrl, namespace },
    };
    return await openStores(log, places, threads, onTrouble);
  } catch (error) {
    await threads.close();
    await log?.close();
    throw error;
  }
}

/** Servers that are started together come up in any order: one that is away is waited for. */
async function openEventStore(
  url: string,
  namespace: string,
  startMs: number,
  onTrouble: OnTrouble,
): Promise<EventLog> {
  const { EventStoreLog } = await import('../stores/server/eventstore.ts');
  const log = EventStoreLog.open({ url, namespace });
  const until = performance.now() + startMs;
  for (let told = false; ; told = true) {
    try {
      await log.head();
      return log;
    } catch (error) {
      if (!(error instanceof Failure && error.retryable) || performance.now() > until) {
        await log.close();
        throw error;
      }
      if (!told) onTrouble('EventStoreDB cannot be reached, it is waited for.');
      await delay(retryMs);
    }
  }
}

/** One history alone: an EventStoreDB address, else a data folder. */
export async function openLogAt(
  place: string,
  namespace: string,
): Promise<{ log: EventLog; close(): Promise<void> }> {
  if (/^esdb(?:\+discover)?:\/\//.test(place)) {
    const log = await openEventStore(place, namespace, 0, () => {});
    return { log, close: () => log.close() };
  }
  makeFolder(place);
  const threads = new Threads();
  const log = await openHistory(place, threads);
  return { log, close: () => threads.close() };
}
