/**
 * The stores behind the ports: threads that run the projections, read records and retrieve, over whichever
 * adapters the configuration names.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionProgress } from '../../projections/progress.ts';
import type { Reads } from '../answering/reads.ts';
import { Failure } from '../failures.ts';
import type { Graphs } from '../graph/graph-reads.ts';
import type { VerificationProgress, VerificationReport } from '../history/report.ts';
import type { TreeHead } from '../history/sealed-log.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { Leases } from '../ports/leases.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { PoisonedEvent } from '../ports/read-models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { type LogOptions, type MainLog, openMainLog } from './main-log.ts';
import { openSharedSide, type SharedSide } from './open-read-models.ts';
import { WorkerPool } from './pool.ts';
import { callsAtOnce, openReads, readerEntry } from './pooled-reads.ts';
import type { CommitNotice } from './projection-worker.ts';
import type { OnTrouble } from './rpc.ts';
import { type SupervisedThread, Threads } from './threads.ts';

export interface Stores {
  log: EventLog;
  /** What people's words in the history are sealed with; null: they are not. */
  keys: SubjectKeys | null;
  reads: Reads;
  graphs: Graphs;
  progress: ProjectionProgress;
  /** Counts requests, of all instances together where they share a server. */
  limiter: Limiter;
  /** What one instance at a time does, of all that share a folder or a server. */
  leases: Leases;
  /** Keeps answers, for all instances where they share a server. */
  cache: ResponseCache;
  /**
   * What is signed with, the same for all instances that share a folder or a Redis, or are given the same; one that is
   * kept in Redis may change while running.
   */
  secret(): Buffer;
  /** Rebuilds all read models beside the live ones. */
  rebuild(): Promise<void>;
  /** Resolves when the read models hold nothing of whoever was forgotten up to a position of the history. */
  renewed(position: Position): Promise<void>;
  /** Compares what the builds that serve hold with what a replay of the history makes. See src/history. */
  verify(
    onProgress?: (progress: VerificationProgress) => void,
    signal?: AbortSignal,
  ): Promise<VerificationReport>;
  /** What the history's Merkle tree is now. The first call starts a thread, which reads the whole of it. */
  treeHead(signal: AbortSignal): Promise<TreeHead>;
  /** Whether the threads are there, as of the last `ping`. */
  threads: Pick<Threads, 'ping' | 'state'>;
  /** Questions worth working on at once: more take longer each, and none is done sooner. */
  atOnce: number;
  close(): Promise<void>;
}

/** Threads that read and search where many ask. */
const readersMax = Math.max(2, Math.min(4, availableParallelism()));
/**
 * Questions worked on at once. What is read here keeps a processor busy: while one is looked up, another is understood.
 * Servers are waited for.
 */
const questionsAtOnce = {
  here: 2 * readersMax,
  elsewhere: 16 * readersMax,
};
/** The graph is read in a thread of its own while it is asked: one question may read thousands of records. */
const graphPool = { name: 'graph', threadsMax: 1, deadlineMs: 30_000 };
/** How long the start waits for a search index on a server that is away, in ms; then it continues without, and it comes later. */
const awayMs = 5_000;
/** After a server was away, the next try. */
const retryMs = 1_000;

export interface StoresOptions extends LogOptions {
  /** Questions are to be expected: a thread for them is started, and reads the index, before the first. Default true. */
  searchesSoon?: boolean;
  /** Questions of many at once are to be expected: several threads read. Default false. */
  searchesMany?: boolean;
  /** What is signed with; absent: the one that is kept in Redis, else in the folder. */
  secret?: Buffer | null;
}

/**
 * The stores of a configuration. The read models belong to the instance, except a search index in Redis. `startMs`: see
 * openMainLog.
 * `close` closes the threads, then the log. Failure `invalid` for an address that cannot be read, `newer_format`,
 * `unavailable`.
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
): Promise<Stores> {
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
): Promise<Stores> {
  /** The search index is in Redis. */
  const isShared = adapters.redis !== null;
  const progress = new ProjectionProgress();
  const onNotice = (notice: string, value: unknown) => {
    if (notice === 'commit') {
      const { projection, checkpoint, collections } = value as CommitNotice;
      progress.committed(projection, checkpoint, collections);
    } else if (notice === 'trouble') onTrouble(`Projections are waiting: ${value}`);
    else if (notice === 'poison') onTrouble(poisonSentence(value as PoisonedEvent));
    else if (notice === 'forgotten') void letGo();
  };
  let closing = false;
  const sharing = Promise.withResolvers<SharedSide>();
  /** Answers that are kept may repeat what somebody asked. */
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
    onTrouble(error instanceof Failure ? error.detail : 'Projections have ended.'),
  );
  const readers = searchesMany ? readersMax : 1;
  const reads = openReads(adapters, {
    name: 'reading',
    // A call that comes while a thread starts would wait for it, though another is free: so all start together.
    threadsMin: searchesSoon ? readers : 0,
    threadsMax: readers,
    onTrouble,
  });
  const graphs = new WorkerPool(readerEntry, {
    ...{ ...graphPool, data: adapters, onTrouble },
    ...(isShared && { atOnce: callsAtOnce }),
  });
  const shared = await openSharedSide(adapters, { onTrouble, secret });
  sharing.resolve(shared);
  /** Apart from the others: a long history keeps it busy, and nothing that answers waits for it. */
  const background = new Threads(onTrouble);
  let history: SupervisedThread | null = null;
  return {
    log,
    keys,
    progress,
    limiter: shared.limiter,
    leases: shared.leases,
    cache: shared.cache,
    secret: shared.secret,
    reads,
    graphs: {
      query: (scope, question) => graphs.call('graphQuery', scope, question),
      figures: (scope, top) => graphs.call('graphFigures', scope, top),
      whole: (scope) => graphs.call('graphWhole', scope),
    },
    threads,
    atOnce: questionsAtOnce[!isShared && adapters.models.provider === 'offline' ? 'here' : 'elsewhere'],
    rebuild: () => projector.call('rebuild'),
    renewed: (position) => projector.call('renewed', position),
    verify: (onProgress, signal) =>
      background.once<VerificationReport>('history', adapters, 'verify', {
        ...(signal && { signal }),
        onNotice: (_, value) => onProgress?.(value as VerificationProgress),
      }),
    treeHead: (signal) => {
      history ??= background.start('history', adapters);
      return history.callUntil(signal, 'treeHead');
    },
    close: async () => {
      closing = true;
      await reads.close();
      await graphs.close();
      await background.close();
      await threads.close();
      await shared.close();
      await close();
    },
  };
}

const poisonSentence = ({ projection, position, error }: PoisonedEvent) =>
  `The projection ${projection} set the event at ${position} aside: ${error}.`;
