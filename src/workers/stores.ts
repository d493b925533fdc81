/**
 * The stores behind the ports: threads that run the projections, read records and retrieve, over whatever places the
 * history and the read models are kept in.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ProjectionProgress } from '../../projections/progress.ts';
import { MemoryLimiter } from '../access/limiter.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { PoisonedEvent } from '../ports/read-models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { Research, ResearchRequest } from '../retrieval/pipeline.ts';
import type { Reads } from '../retrieval/reads.ts';
import { MemoryCache } from '../stores/embedded/cache.ts';
import type { LogPlace, ModelsPlace, ServerPlace } from './open-store.ts';
import type { CommitNotice } from './projection-worker.ts';
import { Thread } from './rpc.ts';

export interface Stores {
  log: EventLog;
  reads: Reads;
  progress: ProjectionProgress;
  /** Counts requests, of all instances together where they share a server. */
  limiter: Limiter;
  /** Keeps answers, for all instances where they share a server. */
  cache: ResponseCache;
  /** Builds the named projections anew beside the serving ones. */
  rebuild(projections: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Told what could not be done and will be tried again: a sentence without personal content. */
export type OnTrouble = (sentence: string) => void;

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

const entry = (name: string) => new URL(`./${name}-worker.ts`, import.meta.url);

/** The threads of one process, closed in the reverse order. */
export class Threads {
  readonly #started: Thread[] = [];

  start(name: string, data: unknown, youngMb?: number): Thread {
    const thread = new Thread(entry(name), data, youngMb);
    this.#started.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    for (const thread of this.#started.toReversed()) await thread.close();
  }
}

/** `close` of the stores closes the threads, then the log. Failure `newer_format`, `unavailable`. */
export async function openStores(
  log: EventLog,
  places: { log: LogPlace; models: ModelsPlace },
  threads: Threads,
  onTrouble: OnTrouble,
): Promise<Stores> {
  const progress = new ProjectionProgress();
  const projector = threads.start('projection', places);
  projector.onNotice = (notice, value) => {
    if (notice === 'commit') {
      const { projection, checkpoint, collections } = value as CommitNotice;
      progress.committed(projection, checkpoint, collections);
    } else if (notice === 'trouble') onTrouble(`Projections wait: ${value}`);
    else if (notice === 'poison') onTrouble(poisonSentence(value as PoisonedEvent));
  };
  const ready = projector.call('ready');
  await ('url' in places.models ? Promise.race([ready, delay(awayMs, undefined, { ref: false })]) : ready);
  ready.catch((error: unknown) =>
    onTrouble(error instanceof Failure ? error.detail : 'Projections have ended.'),
  );
  const records = [threads.start('query', { models: places.models, searches: false })];
  const startSearcher = () =>
    threads.start('query', { models: places.models, searches: true }, searcherYoungMb);
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
  const shared = 'url' in places.models ? await openShared(places.models, clock, onTrouble) : null;
  return {
    log,
    progress,
    limiter: shared?.limiter ?? new MemoryLimiter({ clock }),
    cache: shared?.cache ?? new MemoryCache(),
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
      await shared?.close();
      await log.close();
    },
  };
}

/** A request waits no longer for its count or a kept answer, in ms: both can be done without. */
const sharedMs = 1_000;

/** What the instances share besides the read models, over a connection of the main thread. */
async function openShared(place: ServerPlace, clock: Clock, onTrouble: OnTrouble) {
  const { openRedisShared } = await import('../stores/server/redis.ts');
  return openRedisShared(
    { ...place, callTimeoutMs: sharedMs, onTrouble },
    clock,
    new MemoryLimiter({ clock }),
  );
}

const poisonSentence = ({ projection, position, error }: PoisonedEvent) =>
  `The projection ${projection} set the event at ${position} aside: ${error}.`;
