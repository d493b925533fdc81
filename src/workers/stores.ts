/**
 * The stores behind the ports: threads that run the projections, read records and retrieve, using the configured
 * adapters.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { Graphs } from '../graph/graph-reads.ts';
import type { VerificationProgress, VerificationReport } from '../history/report.ts';
import type { TreeHead } from '../history/sealed-log.ts';
import type { Position } from '../ports/event-log.ts';
import { type PoisonedEvent, poisonSentence } from '../ports/read-models.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { type LogOptions, type MainLog, openMainLog } from './main-log.ts';
import { openSharedSide, type SharedSide } from './open-read-models.ts';
import { WorkerPool } from './pool.ts';
import { callsAtOnce, openReads, readerEntry } from './pooled-reads.ts';
import type { CommitNotice } from './projection-worker.ts';
import type { OnTrouble } from './rpc.ts';
import { type SupervisedThread, Threads } from './threads.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Threads for reading and searching when there are many users. */
const readersMax = Math.max(2, Math.min(4, availableParallelism()));
/**
 * Number of questions processed concurrently. Local reads keep a processor busy: while one question is looked up,
 * another is interpreted. Reads from servers mostly wait.
 */
const questionsAtOnce = { here: 2 * readersMax, elsewhere: 16 * readersMax };
/** The graph has a separate thread while in use, because a single question may read thousands of records. */
const graphPool = { name: 'graph', threadsMax: 1, deadlineMs: 30_000 };
/** How long startup waits for a search index on an unavailable server, in ms. After that, the index is added later. */
const awayMs = 5_000;
/** Pause before retrying an unreachable server. */
const retryMs = 1_000;

export interface StoresOptions extends LogOptions {
  /**
   * Whether questions are expected. If so, a thread is started and reads the index before the first question. Default:
   * true.
   */
  searchesSoon?: boolean;
  /** Whether concurrent questions are expected. If so, further threads are started under load. Default: false. */
  searchesMany?: boolean;
  /** The signing secret. If absent, the one stored in Redis or otherwise in the folder is used. */
  secret?: Buffer | null;
}

/**
 * The stores of a configuration. The read models belong to the instance, except for a search index in Redis. `startMs`:
 * see openMainLog. `close` closes the threads, then the log. Fails with `invalid` (an invalid address), `newer_format`
 * or `unavailable`.
 */
export async function openStores(
  adapters: AdapterConfig,
  {
    onTrouble = () => {},
    searchesSoon = true,
    searchesMany = false,
    secret = null,
    ...options
  }: StoresOptions = {},
) {
  const threads = new Threads(onTrouble);
  let main: MainLog | null = null;
  try {
    makeFolder(adapters.folder);
    main = await openMainLog(adapters, threads, { onTrouble, ...options });
    return await openOver(main, adapters, threads, { onTrouble, searchesSoon, searchesMany, secret });
  } catch (error) {
    await threads.close();
    await main?.close();
    throw error;
  }
}

async function openOver(
  { log, keys, close }: MainLog,
  adapters: AdapterConfig,
  threads: Threads,
  {
    onTrouble,
    searchesSoon,
    searchesMany,
    secret,
  }: { onTrouble: OnTrouble; searchesSoon: boolean; searchesMany: boolean; secret: Buffer | null },
) {
  /** Whether the search index is in Redis. */
  const isShared = adapters.redis !== null;
  const progress = new ProjectionProgress();
  const onNotice = (notice: string, value: unknown) => {
    if (notice === 'commit') {
      const { projection, checkpoint, collections } = value as CommitNotice;
      progress.committed(projection, checkpoint, collections);
    } else if (notice === 'trouble') onTrouble(`Projections are paused: ${value}`);
    else if (notice === 'poison') onTrouble(poisonSentence(value as PoisonedEvent));
    else if (notice === 'forgotten') void letGo();
  };
  let closing = false;
  const sharing = Promise.withResolvers<SharedSide>();
  /** Cached answers may repeat what a person asked, so they are deleted after a person is forgotten. */
  async function letGo(): Promise<void> {
    const { cache } = await sharing.promise;
    while (!closing) {
      try {
        return await cache.clear();
      } catch {
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }
  const projector = threads.start('projection', adapters, { onNotice, probe: 'ready' });
  const ready = projector.call('ready');
  await (isShared ? Promise.race([ready, delay(awayMs, undefined, { ref: false })]) : ready);
  ready.catch((error: unknown) =>
    onTrouble(error instanceof Failure ? error.detail : 'The projections have stopped.'),
  );
  const reads = openReads(adapters, {
    name: 'reading',
    // Each additional thread takes about 50 MB with 50,000 chunks, so it is started only when all others are busy.
    threadsMin: searchesSoon ? 1 : 0,
    threadsMax: searchesMany ? readersMax : 1,
    onTrouble,
  });
  const graphThread = new WorkerPool(readerEntry, {
    ...graphPool,
    data: adapters,
    onTrouble,
    ...(isShared && { atOnce: callsAtOnce }),
  });
  const graphs: Graphs = {
    query: (scope, question) => graphThread.call('graphQuery', scope, question),
    figures: (scope, top) => graphThread.call('graphFigures', scope, top),
    whole: (scope) => graphThread.call('graphWhole', scope),
  };
  const shared = await openSharedSide(adapters, { onTrouble, secret });
  sharing.resolve(shared);
  /** A separate thread, because a long history keeps it busy and answers never depend on it. */
  const background = new Threads(onTrouble);
  let history: SupervisedThread | null = null;
  const historyThread = () => {
    history ??= background.start('history', adapters);
    return history;
  };
  return {
    log,
    /** The keys that seal personal text in the history. If null, it is not sealed. */
    keys,
    progress,
    /** Counts requests, across instances if they share a server. */
    limiter: shared.limiter,
    /** Leases for work that one instance at a time does for all instances that share a folder or server. */
    leases: shared.leases,
    /** Caches answers, across instances if they share a server. */
    cache: shared.cache,
    /**
     * The signing secret, which is the same for all instances that share a folder or Redis server or were configured
     * with the same secret. A secret stored in Redis may change at run time.
     */
    secret: shared.secret,
    reads,
    graphs,
    /** State of the threads as of the last `ping`. */
    threads,
    /** Number of questions to process concurrently. Above this number, each takes longer and none finishes sooner. */
    atOnce: questionsAtOnce[!isShared && adapters.models.provider === 'offline' ? 'here' : 'elsewhere'],
    /**
     * The events on which projections failed. It is fast and rejects while the read models are unreachable, so it is
     * also used as a health probe. It runs in the projections' thread, so that it delays no questions.
     */
    poisoned: () => projector.call<PoisonedEvent[]>('poisoned'),
    /** Rebuilds all read models next to the live ones. */
    rebuild: () => projector.call<void>('rebuild'),
    /**
     * Resolves when the read models contain no data of the subjects who were forgotten up to a position of the history.
     */
    renewed: (position: Position) => projector.call<void>('renewed', position),
    /** Compares the contents of the live builds with a replay of the history. See src/history. */
    verify: (onProgress?: (progress: VerificationProgress) => void, signal?: AbortSignal) =>
      background.once<VerificationReport>('history', adapters, 'verify', {
        ...(signal && { signal }),
        onNotice: (_, value) => onProgress?.(value as VerificationProgress),
      }),
    /** The current head of the history's Merkle tree. The first call starts a thread that reads the whole history. */
    treeHead: (signal: AbortSignal) => historyThread().callUntil<TreeHead>(signal, 'treeHead'),
    /**
     * A proof that an event is in the sealed history. Reads the whole history. May fail with `not_found` or `cancelled`.
     */
    proveEvent: (eventId: string, signal: AbortSignal) =>
      historyThread().callUntil<string>(signal, 'proveEvent', eventId),
    close: async () => {
      closing = true;
      await reads.close();
      await graphThread.close();
      await background.close();
      await threads.close();
      await shared.close();
      await close();
    },
  };
}
