/**
 * The configuration of the adapters behind the ports, as plain data, so that the main thread and its workers open the
 * same ones. Only this folder turns it into adapters.
 */
import { dirname, join } from 'node:path';
import type { ModelPaths } from '../read-models/read-models.ts';

/** A server shared by deployments with different namespaces. */
export interface ServerLocation {
  url: string;
  namespace: string;
}

/** An SQLite file, or an EventStoreDB server. */
export type LogLocation = { file: string } | ServerLocation;
/**
 * The records are in an SQLite file of the instance. The search index is in another file, or in a Redis server shared
 * by instances.
 */
export interface ReadModelsLocation {
  models: string;
  index: string | ServerLocation;
}
/**
 * The language models in use. `offline`: the models included in the service. All others are called only by the main
 * thread, because only it has the API keys.
 */
export interface ModelsConfig {
  provider: 'offline' | 'model';
  /** Whether the built-in embedder is used, regardless of the model that writes the answers. */
  embedsOffline: boolean;
}

interface WrappedKeys {
  /** The 32-byte master key. If null, the key stored next to the other keys is used, and is created if missing. */
  master: Uint8Array | null;
}
export type KeysFileLocation = WrappedKeys & { file: string };
/** The keys that seal personal text, in an SQLite file or in Redis. */
export type KeysLocation = KeysFileLocation | (WrappedKeys & ServerLocation);

/** The history and its keys. If the keys are null, personal text is stored unsealed. */
export interface HistoryConfig {
  log: LogLocation;
  keys: KeysLocation | null;
}

export interface AdapterConfig extends HistoryConfig {
  /** The folder for all data that is not on a server. */
  folder: string;
  readModels: ReadModelsLocation;
  /**
   * Stores the limits, leases, cached answers and secret of all instances. If null, limits and cached answers are in the
   * process, leases with the history, and the secret is in the folder.
   */
  redis: ServerLocation | null;
  models: ModelsConfig;
}

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
export const keysFile = (folder: string) => join(folder, 'keys.sqlite');
export const masterKeyFile = (keys: string) => join(dirname(keys), 'master-key');
/** The signing secret, if it is not stored in Redis. */
export const secretFile = (folder: string) => join(folder, 'secret');
/** Leases for work that one process at a time does for all processes that share the folder. */
export const leasesFolder = (folder: string) => join(folder, 'leases');
/** Temporary read models of past moments. */
export const pastFolder = (folder: string) => join(folder, 'past');
/** Files of uploads while they are read. */
export const uploadFolder = (folder: string) => join(folder, 'uploads');
/** The read models and the search index; both can be deleted at any time and are rebuilt. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

export interface KeysOptions {
  /** The folder of the keys. By default, they are in the folder of the history, or otherwise in Redis. */
  keysFolder?: string | null;
  /** Stores the keys of a history that is not in a folder. */
  redisUrl?: string | null;
  masterKey?: Uint8Array | null;
}

/** A history in EventStoreDB if an address is given, otherwise in a folder. */
export function historyConfig(
  location: string,
  namespace: string,
  { keysFolder = null, redisUrl = null, masterKey: master = null }: KeysOptions = {},
): HistoryConfig {
  const isServer = /^esdb(?:\+discover)?:\/\//.test(location);
  const folder = keysFolder ?? (isServer ? null : location);
  let keys: KeysLocation | null = null;
  if (folder !== null) keys = { file: keysFile(folder), master };
  else if (redisUrl !== null) keys = { url: redisUrl, namespace, master };
  return { log: isServer ? { url: location, namespace } : { file: historyFile(location) }, keys };
}

/** The adapters for these addresses. For an address that is null (the default), the folder is used. */
export function adapterConfig({
  folder,
  eventstoreUrl = null,
  redisUrl = null,
  namespace = 'docent',
  provider = 'offline',
  embedsOffline = provider === 'offline',
  ...keys
}: {
  folder: string;
  eventstoreUrl?: string | null;
  namespace?: string;
  provider?: ModelsConfig['provider'];
  embedsOffline?: boolean;
} & KeysOptions): AdapterConfig {
  const redis = redisUrl === null ? null : { url: redisUrl, namespace };
  return {
    folder,
    ...historyConfig(eventstoreUrl ?? folder, namespace, { ...keys, redisUrl }),
    readModels: redis === null ? modelPaths(folder) : { ...modelPaths(folder), index: redis },
    redis,
    models: { provider, embedsOffline },
  };
}
