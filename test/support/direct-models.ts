import type { BuildStore } from '../../src/ports/read-models.ts';
import type { ModelsStore } from '../../src/read-models/models-store.ts';

/** One database file, used in the same thread. */
export function directModels(store: ModelsStore): BuildStore {
  return {
    builds: async () => store.builds(),
    startBuild: async (projection) => store.startBuild(projection),
    goLive: async (build) => store.goLive(build),
    poisoned: async () => store.poisoned(),
    commit: async (build, checkpoint, writes, poisoned) => store.commit(build, checkpoint, writes, poisoned),
  };
}
