/**
 * Which adapters stand behind the ports, as plain data: the main thread and its workers open the same ones from it.
 * `open-log.ts`, `open-read-models.ts` and `open-models.ts` are the only places that turn it into adapters.
 */
import { join } from 'node:path';
import type { ModelPaths } from '../stores/embedded/models.ts';

/** A server shared by deployments with different namespaces. */
export interface ServerLocation {
  url: string;
  namespace: string;
}

/** A SQLite file, or an EventStoreDB. */
export type LogLocation = { file: string } | ServerLocation;
/** Two SQLite files, or a Redis. */
export type ReadModelsLocation = ModelPaths | ServerLocation;
/**
 * Which language models are used. `offline`: those that come with the service. With Cohere's the main thread alone asks
 * them, and alone has the key.
 */
export interface ModelsConfig {
  provider: 'offline' | 'cohere';
}

export interface AdapterConfig {
  /** Holds whatever is not on a server. */
  folder: string;
  log: LogLocation;
  readModels: ReadModelsLocation;
  models: ModelsConfig;
}

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
/** What the service signs with, where no Redis keeps it. */
export const secretFile = (folder: string) => join(folder, 'secret');
/** What the processes on a folder let through, where no Redis counts it. */
export const limitsFolder = (folder: string) => join(folder, 'limits');
/** What one process at a time does of all that share the folder. */
export const leasesFolder = (folder: string) => join(folder, 'leases');
/** The read models, and the search index: both can be deleted at any time and are built again. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

/** The adapters for these addresses; `null` (and the default): in the folder. */
export function adapterConfig({
  folder,
  eventstoreUrl = null,
  redisUrl = null,
  namespace = 'docent',
  provider = 'offline',
}: {
  folder: string;
  eventstoreUrl?: string | null;
  redisUrl?: string | null;
  namespace?: string;
  provider?: ModelsConfig['provider'];
}): AdapterConfig {
  return {
    folder,
    log: eventstoreUrl === null ? { file: historyFile(folder) } : { url: eventstoreUrl, namespace },
    readModels: redisUrl === null ? modelPaths(folder) : { url: redisUrl, namespace },
    models: { provider },
  };
}
