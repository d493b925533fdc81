/**
 * Opens the read models for writing or reading, and the state shared by instances. Records are always in the instance's
 * folder; the search index is there too, or in Redis. Server adapters are loaded only when needed, and the projections
 * only if their schemas are needed, because most threads only read a folder and start twice as fast without them.
 */

import type { Leases } from '../ports/leases.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { Build, Records } from '../ports/read-models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import { chunkPrefix, chunkProjection } from '../read-models/collections.ts';
import { FolderLeases } from '../read-models/folder-leases.ts';
import { MemoryCache } from '../read-models/memory-cache.ts';
import { MemoryLimiter } from '../read-models/memory-limiter.ts';
import { ModelsReader } from '../read-models/models-reader.ts';
import {
  type OpenedContents,
  openEmbeddedContents,
  openEmbeddedModels,
  openFileContents,
  type WrittenStore,
} from '../read-models/read-models.ts';
import { folderSecret } from '../read-models/secret.ts';
import type { IndexReader } from '../search/index-reader.ts';
import type { RedisChunkStore } from '../search/redis/chunk-store.ts';
import { openChunkSearch } from '../search/sqlite/chunk-search.ts';
import { type AdapterConfig, leasesFolder, type ReadModelsLocation, secretFile } from './adapter-config.ts';
import { computeVector } from './open-models.ts';

/** Read access to the records and the search index. */
export interface ReadSide extends Records, IndexReader {}

/** The stores that the projector writes to. */
export interface WriteSide {
  /** The records, and the search index if it is in the folder. */
  own: WrittenStore;
  /** The search index shared by instances. One of them writes it, under the lease with this name. */
  shared: { store: RedisChunkStore; leases: Leases & { close(): Promise<void> }; lease: string } | null;
}

export async function openWriteSide({ models, index }: ReadModelsLocation): Promise<WriteSide> {
  const { projections } = await import('../../projections/index.ts');
  if (typeof index === 'string')
    return { own: openEmbeddedModels({ models, index }, projections, computeVector), shared: null };
  const { openRedisChunks } = await import('../search/redis/open.ts');
  const { openRedisLeases } = await import('../read-models/redis/shared.ts');
  const chunks = projections.find(({ name }) => name === chunkProjection)!;
  return {
    own: openEmbeddedModels({ models, index: null }, projections),
    shared: {
      store: openRedisChunks(index, chunks, computeVector),
      leases: openRedisLeases(index),
      // Different program versions write different builds and do not wait for each other.
      lease: `${chunks.name}-${chunks.version}`,
    },
  };
}

/** The contents to compare with a replay of the history. */
export async function openContents({ models, index }: ReadModelsLocation): Promise<OpenedContents> {
  if (typeof index === 'string') return openEmbeddedContents({ models, index });
  const { projections } = await import('../../projections/index.ts');
  const { openRedisChunks } = await import('../search/redis/open.ts');
  const records = openFileContents(models);
  const chunks = openRedisChunks(index, projections.find(({ name }) => name === chunkProjection)!);
  const of = ({ name }: Build) => (name === chunkProjection ? chunks : records);
  return {
    builds: async () => [...(await records.builds()), ...(await chunks.found())],
    names: (build) => of(build).names(build),
    values: (build, names) => of(build).values(build, names),
    close: async () => void (await Promise.all([records.close(), chunks.close()])),
  };
}

async function openIndex(index: ReadModelsLocation['index']): Promise<IndexReader> {
  if (typeof index !== 'string') {
    const { projections } = await import('../../projections/index.ts');
    const { openRedisIndex } = await import('../search/redis/open.ts');
    return openRedisIndex(index, projections.find(({ name }) => name === chunkProjection)!);
  }
  const reader = new ModelsReader(index);
  return {
    liveIndex: async () => String(reader.liveBuild(chunkProjection)),
    openIndex: (build) => openChunkSearch(reader.db, chunkPrefix(Number(build))),
    inOneState: (work) => reader.inOneState(work),
    close: async () => reader.close(),
  };
}

export async function openReadSide({ models, index: location }: ReadModelsLocation): Promise<ReadSide> {
  const records = new ModelsReader(models);
  const index = await openIndex(location).catch((error: unknown) => {
    records.close();
    throw error;
  });
  return {
    get: async (collection, key) => records.get(collection, key),
    getMany: async (collection, keys) => records.getMany(collection, keys),
    find: async (collection, query) => records.find(collection, query),
    liveIndex: () => index.liveIndex(),
    openIndex: (build) => index.openIndex(build),
    inOneState: (work) => index.inOneState(work),
    close: async () => {
      records.close();
      await index.close();
    },
  };
}

/** State shared by the main threads of all instances: request counts, cached answers and leases. */
export interface SharedSide {
  leases: Leases;
  limiter: Limiter;
  cache: ResponseCache;
  secret(): Buffer;
  close(): Promise<void>;
}

/** Time limit for counting a request or looking up a cached answer, in ms. A request can proceed without either. */
const sharedMs = 1_000;

/**
 * Without Redis, requests and answers are counted and cached by each process, and leases are stored with the history,
 * because other processes may also write to it. `secret` is the signing secret, if it does not need to be stored. Fails
 * with `unavailable` if the secret cannot be read.
 */
export async function openSharedSide(
  { folder, log, redis }: Pick<AdapterConfig, 'folder' | 'log' | 'redis'>,
  { onTrouble, secret: given }: { onTrouble: (sentence: string) => void; secret: Buffer | null },
): Promise<SharedSide> {
  const own = new MemoryLimiter();
  if (redis === null) {
    const secret = given ?? folderSecret(secretFile(folder));
    const rest = { limiter: own, cache: new MemoryCache(), secret: () => secret };
    if ('file' in log)
      return { ...rest, leases: new FolderLeases(leasesFolder(folder)), close: async () => {} };
    const { EventStoreLeases } = await import('../log/eventstore/leases.ts');
    const leases = new EventStoreLeases(log);
    return { ...rest, leases, close: () => leases.close() };
  }
  const { openRedisShared } = await import('../read-models/redis/shared.ts');
  const shared = await openRedisShared({ ...redis, callTimeoutMs: sharedMs, onTrouble }, own);
  return given === null ? shared : { ...shared, secret: () => given };
}
