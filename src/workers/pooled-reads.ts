/** Reads for the use cases, through the worker threads that serve them. */
import type { Reads } from '../reads/reads.ts';
import type { ThreadPool } from './thread-pool.ts';

/** `records`: threads of record-worker.ts, `searching`: of search-worker.ts. */
export const pooledReads = (
  records: Pick<ThreadPool, 'call'>,
  searching: Pick<ThreadPool, 'call' | 'callUntil'>,
): Reads => ({
  get: (collection, key) => records.call('get', collection, key),
  getMany: (collection, keys) => records.call('getMany', collection, keys),
  find: (collection, query) => records.call('find', collection, query),
  poisoned: () => records.call('poisoned'),
  chunks: (docId, limit, offset, embedder) => records.call('chunks', docId, limit, offset, embedder),
  coverage: (embedder, docIds) => records.call('coverage', embedder, docIds),
  embeddedByDocument: (embedder, docIds) => records.call('embeddedByDocument', embedder, docIds),
  wording: (scope, question) => searching.call('wording', scope, question),
  holding: (scope, words, limit) => searching.call('holding', scope, words, limit),
  embedders: () => records.call('embedders'),
  candidates: (request, query, limit, signal) =>
    searching.callUntil(signal, 'candidates', request, query, limit),
  retrieve: (request, signal) =>
    signal ? searching.callUntil(signal, 'retrieve', request) : searching.call('retrieve', request),
});
