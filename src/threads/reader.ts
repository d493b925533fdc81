/**
 * A thread that reads: records of the read models and chunks, or the whole of retrieval for one question, for which
 * it keeps the index's terms in memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { offlineModels } from '../models/offline.ts';
import type { Query } from '../ports.ts';
import { type ResearchRequest, research } from '../search/research.ts';
import { Retriever } from '../search/retrieve.ts';
import { openChunkSearch } from '../stores/embedded/chunk-search.ts';
import type { ModelPaths } from '../stores/embedded/models.ts';
import { chunkPrefix, chunkProjection, ModelsReader } from '../stores/embedded/models-store.ts';
import { serveThread } from './rpc.ts';

serveThread(parentPort!, () => {
  const { models, index, searches } = workerData as ModelPaths & { searches: boolean };
  const reader = new ModelsReader(models);
  const indexReader = new ModelsReader(index, searches ? 16_384 : 2048);

  function openSearch(build: number) {
    const search = openChunkSearch(indexReader.db, chunkPrefix(build));
    const retriever = new Retriever(search, offlineModels);
    // Ahead of the first question; were it to fail now, the question would try again and say why.
    if (searches) retriever.refresh().catch(() => {});
    return { build, search, retriever };
  }
  let opened = openSearch(indexReader.liveBuild(chunkProjection));

  /** The index in force: a rebuilt one takes the place of the one before it. */
  function current() {
    const build = indexReader.liveBuild(chunkProjection);
    if (build !== opened.build) opened = openSearch(build);
    return opened;
  }

  return {
    get: (collection: string, key: string) => reader.get(collection, key),
    find: (collection: string, query: Query) => reader.find(collection, query),
    poisoned: () => [...reader.poisoned(), ...indexReader.poisoned()],
    chunks: async (docId: number, limit: number, offset: number, embedder: string | null) => {
      const { search } = current();
      const { items, total } = await search.list(docId, limit, offset);
      const ids = items.map(({ id }) => id);
      const embedded = new Set(embedder === null ? [] : await search.embedded(ids, embedder));
      return { items: items.map((passage) => ({ ...passage, embedded: embedded.has(passage.id) })), total };
    },
    coverage: (of: { corpus_id?: string; doc_id?: number }, embedder: string) =>
      current().search.coverage(of, embedder),
    embeddedByDocument: (embedder: string) => current().search.embeddedByDocument(embedder),
    research: (request: ResearchRequest) => {
      const { retriever, search } = current();
      return research(retriever, search, request);
    },
    close: () => {
      reader.close();
      indexReader.close();
    },
  };
});
