/** Reads for the use cases, through a pool of threads that can each read all read models. */
import type { Reads } from '../answering/reads.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { type PoolOptions, WorkerPool } from './pool.ts';

/** The module of the reader threads. */
export const readerEntry = new URL('./reader-worker.ts', import.meta.url);

/** Time limit for a read including waiting time, in ms. */
const deadlineMs = 10_000;
/** Concurrent calls per thread if the thread waits for a server; a thread that reads files never waits. */
export const callsAtOnce = 16;

export interface PooledReads extends Reads {
  close(): Promise<void>;
}

/** `options` are those of the pool. */
export function openReads(
  adapters: AdapterConfig,
  options: Pick<PoolOptions, 'name' | 'threadsMin' | 'threadsMax' | 'onTrouble'>,
): PooledReads {
  const pool = new WorkerPool(readerEntry, {
    data: adapters,
    deadlineMs,
    ...(typeof adapters.readModels.index !== 'string' && { atOnce: callsAtOnce }),
    ...options,
  });
  return {
    get: (collection, key) => pool.call('get', collection, key),
    getMany: (collection, keys) => pool.call('getMany', collection, keys),
    find: (collection, query) => pool.call('find', collection, query),
    chunks: (docId, limit, offset, embedder) => pool.call('chunks', docId, limit, offset, embedder),
    coverage: (embedder, docIds) => pool.call('coverage', embedder, docIds),
    embeddedByDocument: (embedder, docIds) => pool.call('embeddedByDocument', embedder, docIds),
    understand: (scope, typed, signal) => pool.callUntil(signal, 'understand', scope, typed),
    holding: (scope, words, limit) => pool.call('holding', scope, words, limit),
    embedders: () => pool.call('embedders'),
    candidates: (request, query, limit, signal) =>
      pool.callUntil(signal, 'candidates', request, query, limit),
    retrieve: (request, signal) =>
      signal ? pool.callUntil(signal, 'retrieve', request) : pool.call('retrieve', request),
    close: () => pool.close(),
  };
}
