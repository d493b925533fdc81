/**
 * The read models of a data folder as two files, written by the thread that owns them. The search index is
 * separate: a commit makes every reader of the same file fetch its pages again, and of the index that costs milliseconds
 * a question, while nearly every question changes the query log.
 */
import { Failure } from '../../failures.ts';
import type { ComputeVector } from '../../ports/chunk-search.ts';
import type {
  Build,
  BuildChecks,
  BuildContents,
  ProjectionSchema,
  ReadModels,
} from '../../ports/read-models.ts';
import { chunkProjection, ModelsReader, ModelsStore } from './models-store.ts';

export interface ModelPaths {
  models: string;
  index: string;
}

export interface EmbeddedModels extends Pick<ReadModels, 'builds' | 'startBuild' | 'goLive' | 'commit'> {
  /** Records what does not hold within a build. False: another is live in its place by now. */
  markBroken(build: Build, fault: string): Promise<boolean>;
  /** Deletes up to `limit` chunks that are no longer visible; false when there was nothing to do. */
  sweep(limit: number): boolean;
  closeFiles(): void;
}

/** Words and full text are written all over the index; records mostly one after the other. */
const indexCacheKiB = 32_768;

/** Opens both files. Failure `newer_format` when either was written by a later program. */
export function openEmbeddedModels(
  paths: ModelPaths,
  projections: readonly ProjectionSchema[],
  compute?: ComputeVector,
): EmbeddedModels {
  const models = new ModelsStore(
    paths.models,
    projections.filter((p) => p.name !== chunkProjection),
  );
  let index: ModelsStore;
  try {
    index = new ModelsStore(
      paths.index,
      projections.filter((p) => p.name === chunkProjection),
      { compute, cacheKiB: indexCacheKiB },
    );
  } catch (error) {
    models.close();
    throw error;
  }
  const of = (projection: string): ModelsStore => {
    if (!projections.some((p) => p.name === projection))
      throw new Failure('not_found', `There is no projection ${projection}.`);
    return projection === chunkProjection ? index : models;
  };
  return {
    builds: async () => [...models.builds(), ...index.builds()],
    startBuild: async (projection) => of(projection).startBuild(projection),
    goLive: async (build) => of(build.name).goLive(build),
    commit: async (build, checkpoint, writes, poisoned) =>
      of(build.name).commit(build, checkpoint, writes, poisoned),
    markBroken: async (build, fault) => of(build.name).markBroken(build, fault),
    sweep: (limit) => {
      models.emptyJournal();
      return index.sweep(limit);
    },
    closeFiles: () => {
      models.close();
      index.close();
    },
  };
}

export interface EmbeddedContents extends BuildContents, BuildChecks {
  /** How many entries a build holds, about. */
  sizeOf(build: Build): number;
  closeFiles(): void;
}

/** What both files hold, read-only. Failure `not_found` for a missing one. */
export function openEmbeddedContents(
  { models, index }: ModelPaths,
  projections: readonly ProjectionSchema[],
): EmbeddedContents {
  const readers = [new ModelsReader(models), new ModelsReader(index)] as const;
  const of = ({ name }: Build): ModelsReader => readers[name === chunkProjection ? 1 : 0];
  return {
    builds: async () => readers.flatMap((reader) => reader.builds()),
    async *names(build) {
      yield* of(build).names(build);
    },
    values: async (build, names) => of(build).values(build, names),
    async *faults(build) {
      yield* of(build).faults(build, projections.find(({ name }) => name === build.name)?.balance);
    },
    sizeOf: (build) => of(build).size(build),
    closeFiles: () => {
      for (const reader of readers) reader.close();
    },
  };
}
