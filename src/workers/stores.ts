/**
 * The stores behind the ports: threads that run the projections, read records and retrieve, over whichever
 * adapters the configuration names.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { PoisonedEvent } from '../ports/read-models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { Research, ResearchRequest } from '../retrieval/pipeline.ts';
import type { Reads } from '../retrieval/reads.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { openLog } from './open-log.ts';
import { openSharedSide } from './open-read-models.ts';
import type { CommitNotice } from './projection-worker.ts';
import type { Thread } from './rpc.ts';
import { type OnTrouble, Threads } from './threads.ts';

export interface Stores {
  log: EventLog;
  reads: Reads;
  progress: ProjectionProgress;
  /** Counts requests, of all instances together where they share a server. */
  limiter: Limiter;
  /** Keeps answers, for all instances where they share a server. */
  cache: ResponseCache;
  /** What is signed with, the same for all instances that share a folder or a Redis; it may change while running. */
  secret(): Buffer;
  /** Builds the named projections anew beside the serving ones. */
  rebuild(projections: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Threads that retrieve, at most. Each holds the index's terms in memory (some 150 MB for 50,000 chunks), so another
 * is started only when those there are have questions waiting.
 */
const searchersMax = Math.max(2, Math.min(4, availableParallelism()));
/** So many questions waiting for one thread are reason enough for another. */
const busyAt = 8;
/** What a question makes and drops; with less a fifth of the time goes to collecting it. */
const searcherYoungMb = 32;
/** Calls a reader may have waiting; beyond it the caller is told to come back. */
const waitingMax = 256;
/** How long the start waits for read models on a server that is away; it goes on without, and they come later. */
const awayMs = 5_000;

/**
 * The stores of a configuration. Read models that are in a folder belong to the instance. `startMs`: see openLog.
 * `close` closes the threads, then the log. Failure `invalid` for an address that cannot be read, `newer_format`,
 * `unavailable`.
 */
export async function openStores(
  adapters: AdapterConfig,
  { onTrouble = () => {}, startMs }: { onTrouble?: OnTrouble; startMs?: number } = {},
): Promise<Stores> {
  const threads = new Threads();
  let log: EventLog | null = null;
  try {
    if ('file' in adapters.log || 'models' in adapters.readModels) makeFolder(adapters.folder);
    log = await openLog(adapters.log, threads, { onTrouble, ...(startMs !== undefined && { startMs }) });
    return await openOver(log, adapters, threads, onTrouble);
  } catch (error) {
    await threads.close();
    await log?.close();
    throw error;
  }
}

async function openOver(
  log: EventLog,
  adapters: AdapterConfig,
  threads: Threads,
  onTrouble: OnTrouble,
): Promise<Stores> {
  const { readModels } = adapters;
  const progress = new ProjectionProgress();
  const projector = threads.start('projection', adapters);
  projector.onNotice = (notice, value) => {
    if (notice === 'commit') {
      const { projection, checkpoint, collections } = value as CommitNotice;
      progress.committed(projection, checkpoint, collections);
    } else if (notice === 'trouble') onTrouble(`Projections wait: ${value}`);
    else if (notice === 'poison') onTrouble(poisonSentence(value as PoisonedEvent));
  };
  const ready = projector.call('ready');
  await ('url' in readModels ? Promise.race([ready, delay(awayMs, undefined, { ref: false })]) : ready);
  ready.catch((error: unknown) =>
    onTrouble(error instanceof Failure ? error.detail : 'Projections have ended.'),
  );
  const records = [threads.start('query', { adapters, searches: false })];
  const startSearcher = () => threads.start('query', { adapters, searches: true }, searcherYoungMb);
  const searching = [startSearcher()];
  const read = <T>(pool: readonly Thread[], method: string, ...args: unknown[]): Promise<T> => {
    const thread = pool.reduce((a, b) => (b.pending < a.pending ? b : a));
    if (thread.pending >= waitingMax)
      return Promise.reject(
        new Failure('unavailable', 'Too much is being asked at once, try again shortly.', { retryAfterS: 1 }),
      );
    return thread.call<T>(method, ...args);
  };
  /** The first that is not busy, so that the others need not keep up with the index; all alike when all are. */
  const search = (request: ResearchRequest): Promise<Research> => {
    const free = searching.find(({ pending }) => pending < busyAt);
    if (free) return free.call('research', request);
    if (searching.length < searchersMax) searching.push(startSearcher());
    return read(searching, 'research', request);
  };
  const clock: Clock = { now: () => new Date() };
  const shared = await openSharedSide(adapters, clock, onTrouble);
  return {
    log,
    progress,
    limiter: shared.limiter,
    cache: shared.cache,
    secret: shared.secret,
    reads: {
      get: (collection, key) => read(records, 'get', collection, key),
      getMany: (collection, keys) => read(records, 'getMany', collection, keys),
      find: (collection, query) => read(records, 'find', collection, query),
      poisoned: () => read(records, 'poisoned'),
      chunks: (docId, limit, offset, embedder) => read(records, 'chunks', docId, limit, offset, embedder),
      coverage: (embedder, docIds) => read(records, 'coverage', embedder, docIds),
      embeddedByDocument: (embedder, docIds) => read(records, 'embeddedByDocument', embedder, docIds),
      research: search,
    },
    rebuild: (names) => projector.call('rebuild', names),
    close: async () => {
      await threads.close();
      await shared.close();
      await log.close();
    },
  };
}

const poisonSentence = ({ projection, position, error }: PoisonedEvent) =>
  `The projection ${projection} set the event at ${position} aside: ${error}.`;
