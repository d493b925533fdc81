/**
 * The configuration of the adapters behind the ports, as plain data, so that the main thread and its workers open the
 * same ones. Only `open-log.ts`, `open-read-models.ts` and `open-models.ts` turn it into adapters.
 */
import { dirname, join } from 'node:path';
import type { ModelPaths } from '../stores/embedded/models.ts';

/** A server shared by deployments with different namespaces. */
export interface ServerLocation {
  url: string;
  namespace: string;
}

/** A SQLite file, or an EventStoreDB. */
export type LogLocation = { file: string } | ServerLocation;
/**
 * The records are in a SQLite file of the instance; the search index is in another one, or in a Redis shared by
 * instances.
 */
export interface ReadModelsLocation {
  models: string;
  index: string | ServerLocation;
}
/**
 * The language models in use. `offline`: those included in the service. Others are called only by the main thread,
 * which alone has the API keys.
 */
export interface ModelsConfig {
  provider: 'offline' | 'model';
  /** Whether the embedder is the built-in one, regardless of the model that writes the answers. */
  embedsOffline: boolean;
}

interface WrappedKeys {
  /** The master key, 32 bytes; null: the one stored beside the keys, created if missing. */
  master: Uint8Array | null;
}
export type KeysFileLocation = WrappedKeys & { file: string };
/** The keys that seal personal text: in a SQLite file or a Redis. */
export type KeysLocation = KeysFileLocation | (WrappedKeys & ServerLocation);

/** The history and its keys; null: personal text is stored unsealed. */
export interface HistoryConfig {
  log: LogLocation;
  keys: KeysLocation | null;
}

export interface AdapterConfig extends HistoryConfig {
  /** The folder of all data that is not on a server. */
  folder: string;
  readModels: ReadModelsLocation;
  /** Stores limits, leases, cached answers and the secret of all instances; null: they are in the folder. */
  redis: ServerLocation | null;
  models: ModelsConfig;
}

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
export const keysFile = (folder: string) => join(folder, 'keys.sqlite');
export const masterKeyFile = (keys: string) => join(dirname(keys), 'master-key');
/** The signing secret, if no Redis stores it. */
export const secretFile = (folder: string) => join(folder, 'secret');
/** Requests allowed by the processes on a folder, if no Redis counts them. */
export const limitsFolder = (folder: string) => join(folder, 'limits');
/** Leases for work that one process at a time does for all processes on the folder. */
export const leasesFolder = (folder: string) => join(folder, 'leases');
/** Temporary read models of past moments. */
export const pastFolder = (folder: string) => join(folder, 'past');
/** The read models and the search index; both can be deleted at any time and are rebuilt. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

export interface KeysOptions {
  /** The folder of the keys; without it, the folder of the history, or else Redis. */
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

/** The adapters for these addresses; `null` (the default): in the folder. */
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
