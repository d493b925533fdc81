/**
 * How a thread opens the read models, to write or to read them, and what instances share beside them. Adapters of
 * servers are loaded only where one is used, and the projections only where their schemas are needed: most threads
 * read a folder, and start in half the time without.
 */
import type { WrittenModels } from '../../projections/runner.ts';
import { MemoryLimiter } from '../access/limiter.ts';
import type { Leases } from '../ports/leases.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { Build, BuildChecks, BuildContents, ProjectionLeases } from '../ports/read-models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import { MemoryCache } from '../stores/embedded/cache.ts';
import { openChunkSearch } from '../stores/embedded/chunk-search.ts';
import { FolderLeases } from '../stores/embedded/leases.ts';
import { FolderLimiter } from '../stores/embedded/limiter.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../stores/embedded/models.ts';
import { chunkPrefix, chunkProjection, ModelsReader } from '../stores/embedded/models-store.ts';
import { folderSecret } from '../stores/embedded/secret.ts';
import type { ReadSide } from '../stores/read-side.ts';
import {
  type AdapterConfig,
  leasesFolder,
  limitsFolder,
  type ReadModelsLocation,
  secretFile,
} from './adapter-config.ts';
import { computeVector } from './open-models.ts';

/** What the projector writes to. */
export interface WriteSide extends WrittenModels, BuildChecks {
  /** Records what does not hold within a build. False: another is live in its place by now. */
  markBroken(build: Build, fault: string): Promise<boolean>;
  /** Deletes up to `limit` records that are no longer visible; false when there was nothing to do. */
  sweep(limit: number): Promise<boolean>;
  close(): Promise<void>;
  /** It can be gone at any moment, and must be looked after. */
  volatile: boolean;
  /** Where other processes write to the same: which of them runs a projection. */
  leases?: ProjectionLeases;
}

export async function openWriteSide(location: ReadModelsLocation): Promise<WriteSide> {
  const { projections } = await import('../../projections/index.ts');
  if ('models' in location) {
    const models = openEmbeddedModels(location, projections, computeVector);
    const contents = openEmbeddedContents(location, projections);
    return {
      ...models,
      faults: (build) => contents.faults(build),
      sweep: async (limit) => models.sweep(limit),
      close: async () => {
        contents.closeFiles();
        models.closeFiles();
      },
      volatile: false,
    };
  }
  const { openRedisWriter } = await import('../stores/server/redis.ts');
  const { models, leases } = openRedisWriter(location, projections, computeVector);
  return {
    builds: () => models.builds(),
    startBuild: (projection) => models.startBuild(projection),
    goLive: (build) => models.goLive(build),
    commit: (build, checkpoint, writes, poisoned) => models.commit(build, checkpoint, writes, poisoned),
    markComplete: (build) => models.markComplete(build),
    prefetch: (build, writes) => models.prefetch(build, writes),
    commitBudget: () => models.commitBudget(),
    faults: (build) => models.faults(build),
    markBroken: (build, fault) => models.markBroken(build, fault),
    sweep: (limit) => models.sweep(limit),
    close: () => models.close(),
    volatile: true,
    leases,
  };
}

/** What is compared with what the history makes. */
export interface OpenedContents extends BuildContents, BuildChecks {
  /** Approximate number of entries of a build; absent where counting is slow. */
  sizeOf?: (build: Build) => number;
  close(): Promise<void>;
}

export async function openContents(location: ReadModelsLocation): Promise<OpenedContents> {
  const { projections } = await import('../../projections/index.ts');
  if ('models' in location) {
    const { closeFiles, ...contents } = openEmbeddedContents(location, projections);
    return { ...contents, close: async () => closeFiles() };
  }
  const { openRedisContents } = await import('../stores/server/redis.ts');
  return openRedisContents(location, projections);
}

export async function openReadSide(location: ReadModelsLocation): Promise<ReadSide> {
  if (!('models' in location)) {
    const { projections } = await import('../../projections/index.ts');
    const { openRedisReader } = await import('../stores/server/redis.ts');
    return openRedisReader(location, projections);
  }
  const records = new ModelsReader(location.models);
  const index = new ModelsReader(location.index);
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

/** What the main threads of all instances share: counts of requests, kept answers, leases. */
export interface SharedSide {
  leases: Leases;
  limiter: Limiter;
  cache: ResponseCache;
  secret(): Buffer;
  close(): Promise<void>;
}

/** A request waits no longer for its count or a kept answer, in ms: both can be done without. */
const sharedMs = 1_000;

/**
 * In memory and in the folder where the read models are in files, but for leases: those are where the history is, which
 * others may write to as well. `secret`: what is signed with, where it need not be kept. Failure `unavailable`: the
 * secret cannot be had.
 */
export async function openSharedSide(
  { folder, log, readModels }: Pick<AdapterConfig, 'folder' | 'log' | 'readModels'>,
  { onTrouble, secret: given }: { onTrouble: (sentence: string) => void; secret: Buffer | null },
): Promise<SharedSide> {
  const own = new MemoryLimiter();
  if ('models' in readModels) {
    const secret = given ?? folderSecret(secretFile(folder));
    const limiter = new FolderLimiter({ folder: limitsFolder(folder), secret, limiter: own });
    const cache = new MemoryCache();
    const rest = { limiter, cache, secret: () => secret };
    if ('file' in log) {
      const leases = new FolderLeases(leasesFolder(folder));
      return { ...rest, leases, close: () => limiter.close() };
    }
    const { EventStoreLeases } = await import('../stores/server/eventstore-leases.ts');
    const leases = new EventStoreLeases(log);
    return {
      ...rest,
      leases,
      close: async () => void (await Promise.all([limiter.close(), leases.close()])),
    };
  }
  const { openRedisShared } = await import('../stores/server/redis.ts');
  const shared = await openRedisShared({ ...readModels, callTimeoutMs: sharedMs, onTrouble }, own);
  return given === null ? shared : { ...shared, secret: () => given };
}
