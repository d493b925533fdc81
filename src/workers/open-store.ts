/**
 * Where the history and the read models are kept, as plain data for a thread, and how a thread opens them. Adapters
 * of servers are loaded only where one is used.
 */
import { projections } from '../../projections/index.ts';
import type { WrittenModels } from '../../projections/runner.ts';
import { embedOffline, offlineModels } from '../models/offline.ts';
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Doc, PoisonedEvent, Query } from '../ports/read-models.ts';
import { openChunkSearch } from '../stores/embedded/chunk-search.ts';
import { directLog, EmbeddedLog } from '../stores/embedded/log.ts';
import { LogStore } from '../stores/embedded/log-store.ts';
import { type ModelPaths, openEmbeddedModels } from '../stores/embedded/models.ts';
import { chunkPrefix, chunkProjection, ModelsReader } from '../stores/embedded/models-store.ts';

/** A server shared by deployments with different namespaces. */
export interface ServerPlace {
  url: string;
  namespace: string;
}

export type LogPlace = { file: string } | ServerPlace;
export type ModelsPlace = ModelPaths | ServerPlace;

/** What the projector reads of the history. `follows`: `subscribe` tells of new events, so it need not look often. */
export interface LogSide extends Pick<EventLog, 'readAll' | 'head' | 'subscribe' | 'close'> {
  follows: boolean;
}

export async function openLogSide(place: LogPlace): Promise<LogSide> {
  const log = await openLog(place);
  return {
    readAll: (after, limit) => log.readAll(after, limit),
    head: () => log.head(),
    subscribe: (after, signal) => log.subscribe(after, signal),
    close: () => log.close(),
    follows: 'url' in place,
  };
}

async function openLog(place: LogPlace): Promise<EventLog> {
  if ('file' in place) return new EmbeddedLog(directLog(new LogStore(place.file, { readOnly: true })));
  const { EventStoreLog } = await import('../stores/server/eventstore.ts');
  return EventStoreLog.open(place);
}

/** What the projector writes to. */
export interface WriteSide extends WrittenModels {
  /** Deletes up to `limit` records nobody sees any more; false when there was nothing to do. */
  sweep(limit: number): Promise<boolean>;
  close(): Promise<void>;
  /** It can be gone at any moment, and must be looked after. */
  volatile: boolean;
}

const compute = (embedder: string, text: string) =>
  embedder === offlineModels.embedder?.name ? embedOffline(text) : null;

export async function openWriteSide(place: ModelsPlace): Promise<WriteSide> {
  if ('models' in place) {
    const models = openEmbeddedModels(place, projections, compute);
    return {
      ...models,
      sweep: async (limit) => models.sweep(limit),
      close: async () => models.closeFiles(),
      volatile: false,
    };
  }
  const { openRedisWriter } = await import('../stores/server/redis.ts');
  const models = openRedisWriter(place, projections, compute);
  return {
    builds: () => models.builds(),
    startBuild: (projection) => models.startBuild(projection),
    goLive: (build) => models.goLive(build),
    commit: (build, checkpoint, writes, poisoned) => models.commit(build, checkpoint, writes, poisoned),
    markComplete: (build) => models.markComplete(build),
    prefetch: (build, writes) => models.prefetch(build, writes),
    commitBudget: () => models.commitBudget(),
    sweep: (limit) => models.sweep(limit),
    close: () => models.close(),
    volatile: true,
  };
}

/** What a reader reads from. */
export interface ReadSide {
  get(collection: string, key: string): Promise<Doc | null>;
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  poisoned(): Promise<PoisonedEvent[]>;
  /** Which build of the search index serves. Failure `unavailable` while there is none, or not all of it. */
  liveIndex(): Promise<string>;
  openIndex(build: string): ChunkSearch;
  close(): Promise<void>;
}

export async function openReadSide(place: ModelsPlace): Promise<ReadSide> {
  if (!('models' in place)) {
    const { openRedisReader } = await import('../stores/server/redis.ts');
    return openRedisReader(place, projections);
  }
  const records = new ModelsReader(place.models);
  const index = new ModelsReader(place.index);
  return {
    get: async (collection, key) => records.get(collection, key),
    getMany: async (collection, keys) => records.getMany(collection, keys),
    find: async (collection, query) => records.find(collection, query),
    poisoned: async () => [...records.poisoned(), ...index.poisoned()],
    liveIndex: async () => String(index.liveBuild(chunkProjection)),
    openIndex: (build) => openChunkSearch(index.db, chunkPrefix(Number(build))),
    close: async () => {
      records.close();
      index.close();
    },
  };
}
