/**
 * The read models of a data folder, in two files: one for records and one for the search index, written by the thread
 * that owns them. They are separate because every commit makes all readers of that file reload its pages. For the index
 * that would add milliseconds to each question, and nearly every question changes the query log.
 */
import { Failure } from '../failures.ts';
import type { ComputeVector } from '../ports/chunk-search.ts';
import type { Build, BuildContents, BuildStore, ProjectionSchema } from '../ports/read-models.ts';
import { chunkProjection } from './collections.ts';
import { ModelsReader } from './models-reader.ts';
import { ModelsStore } from './models-store.ts';

export interface ModelPaths {
  models: string;
  index: string;
}

/** A build store that this process writes. */
export interface WrittenStore extends BuildStore {
  /** Deletes up to `limit` chunks that are no longer visible. Returns false if there were none. */
  sweep(limit: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Writes to the index touch pages throughout the file, whereas records are mostly appended. */
const indexCacheKiB = 32_768;

/**
 * Opens the files for writing. `index` is null if the search index is elsewhere. `compute` computes the vectors of a
 * deterministic embedder. Fails with `newer_format` if a file was written by a later program version.
 */
export function openEmbeddedModels(
  { models, index }: { models: string; index: string | null },
  projections: readonly ProjectionSchema[],
  compute?: ComputeVector,
): WrittenStore {
  const isChunks = ({ name }: ProjectionSchema) => name === chunkProjection;
  const records = new ModelsStore(
    models,
    projections.filter((one) => !isChunks(one)),
  );
  const stores = [records];
  try {
    if (index !== null)
      stores.push(new ModelsStore(index, projections.filter(isChunks), { compute, cacheKiB: indexCacheKiB }));
  } catch (error) {
    records.close();
    throw error;
  }
  const of = (projection: string): ModelsStore => {
    const store = stores[projection === chunkProjection ? 1 : 0];
    if (store === undefined || !projections.some((p) => p.name === projection))
      throw new Failure('not_found', `There is no projection ${projection}.`);
    return store;
  };
  return {
    builds: async () => stores.flatMap((store) => store.builds()),
    startBuild: async (projection) => of(projection).startBuild(projection),
    goLive: async (build) => of(build.name).goLive(build),
    commit: async (build, checkpoint, writes, poisoned) =>
      of(build.name).commit(build, checkpoint, writes, poisoned),
    poisoned: async () => stores.flatMap((store) => store.poisoned()),
    sweep: async (limit) => {
      records.emptyJournal();
      return stores[1]?.sweep(limit) ?? false;
    },
    close: async () => {
      for (const store of stores) store.close();
    },
  };
}

/** Read access to the contents of builds, entry by entry. */
export interface OpenedContents extends BuildContents {
  /** Approximate number of entries in a build; absent where counting is slow. */
  sizeOf?: (build: Build) => number;
  close(): Promise<void>;
}

/** The read-only contents of a file. Fails with `not_found` if the file is missing. */
export function openFileContents(path: string): Required<OpenedContents> {
  const reader = new ModelsReader(path);
  return {
    builds: async () => reader.builds(),
    async *names(build) {
      yield* reader.names(build);
    },
    values: async (build, names) => reader.values(build, names),
    sizeOf: (build) => reader.size(build),
    close: async () => reader.close(),
  };
}

/** The read-only contents of both files in a folder. Fails with `not_found` if a file is missing. */
export function openEmbeddedContents({ models, index }: ModelPaths): Required<OpenedContents> {
  const files = [openFileContents(models), openFileContents(index)] as const;
  const of = ({ name }: Build) => files[name === chunkProjection ? 1 : 0];
  return {
    builds: async () => (await Promise.all(files.map((file) => file.builds()))).flat(),
    names: (build) => of(build).names(build),
    values: (build, names) => of(build).values(build, names),
    sizeOf: (build) => of(build).sizeOf(build),
    close: async () => void (await Promise.all(files.map((file) => file.close()))),
  };
}
