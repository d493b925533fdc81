/** ReadModels over the SQLite file: written directly by the thread that owns it, read through reader threads. */
import type { Doc, PoisonedEvent, Query, ReadModels } from '../../ports.ts';
import type { ModelsStore } from './models-store.ts';

/** The writing half, over a store in the same thread. */
export function directModels(
  store: ModelsStore,
): Pick<ReadModels, 'builds' | 'startBuild' | 'goLive' | 'commit'> {
  return {
    builds: async () => store.builds(),
    startBuild: async (projection) => store.startBuild(projection),
    goLive: async (build) => store.goLive(build),
    commit: async (build, checkpoint, writes, poisoned) => store.commit(build, checkpoint, writes, poisoned),
  };
}

/** The reading half, as it is called over a thread. */
export interface ReaderCalls {
  get(collection: string, key: string): Promise<Doc | null>;
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  poisoned(): Promise<PoisonedEvent[]>;
}
