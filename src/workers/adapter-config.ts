/**
 * Which adapters stand behind the ports, as plain data: the main thread and its workers open the same ones from it.
 * `open-log.ts`, `open-read-models.ts` and `open-models.ts` are the only places that turn it into adapters.
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
/** A SQLite file of the instance for the records; another for the search index, or a Redis that instances share. */
export interface ReadModelsLocation {
  models: string;
  index: string | ServerLocation;
}
/**
 * Which language models are used. `offline`: those that come with the service. Others are asked by the main thread alone,
 * which alone has the keys.
 */
export interface ModelsConfig {
  provider: 'offline' | 'model';
  /** Vectors are those that come with the service, whoever writes the answers. */
  embedsOffline: boolean;
}

interface WrappedKeys {
  /** What wraps them, 32 bytes; null: what lies beside them, made where it is missing. */
  master: Uint8Array | null;
}
export type KeysFileLocation = WrappedKeys & { file: string };
/** The keys that people's words are sealed with: a SQLite file, or a Redis. */
export type KeysLocation = KeysFileLocation | (WrappedKeys & ServerLocation);

/** The history and the keys to read it with; null: it is written as it is. */
export interface HistoryConfig {
  log: LogLocation;
  keys: KeysLocation | null;
}

export interface AdapterConfig extends HistoryConfig {
  /** Holds whatever is not on a server. */
  folder: string;
  readModels: ReadModelsLocation;
  /** Holds limits, leases, kept answers and the secret of all instances; null: the folder does. */
  redis: ServerLocation | null;
  models: ModelsConfig;
}

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
export const keysFile = (folder: string) => join(folder, 'keys.sqlite');
export const masterKeyFile = (keys: string) => join(dirname(keys), 'master-key');
/** What the service signs with, where no Redis keeps it. */
export const secretFile = (folder: string) => join(folder, 'secret');
/** What the processes on a folder let through, where no Redis counts it. */
export const limitsFolder = (folder: string) => join(folder, 'limits');
/** What one process at a time does of all that share the folder. */
export const leasesFolder = (folder: string) => join(folder, 'leases');
/** Read models of past moments, while they are looked at. */
export const pastFolder = (folder: string) => join(folder, 'past');
/** The read models, and the search index: both can be deleted at any time and are built again. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

export interface KeysOptions {
  /** The folder the keys lie in; without it that of the history, else they are in Redis. */
  keysFolder?: string | null;
  /** Holds the keys of a history that is in no folder. */
  redisUrl?: string | null;
  masterKey?: Uint8Array | null;
}

/** A history at an EventStoreDB address, else in a folder. */
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

/** The adapters for these addresses; `null` (and the default): in the folder. */
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
