/**
 * A thread that reads: records of the read models and chunks, or the whole of retrieval for one question, for which
 * it keeps the index's terms in memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failures.ts';
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { Query } from '../ports/read-models.ts';
import { type ResearchRequest, research } from '../retrieval/pipeline.ts';
import { Retriever } from '../retrieval/retrieve.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { openModels } from './open-models.ts';
import { openReadSide } from './open-read-models.ts';
import { serveThread } from './rpc.ts';

/** Builds of the index a question may outlive. */
const attemptsMax = 3;

const { adapters } = workerData as { adapters: AdapterConfig };
const { embedder } = openModels(adapters.models);
const opening = openReadSide(adapters.readModels);
opening.catch(() => {});

serveThread(parentPort!, () => {
  let opened: { build: string; search: ChunkSearch; retriever: Retriever } | null = null;

  /** The index in force: a rebuilt one takes the place of the one before it. */
  async function current() {
    const side = await opening;
    const build = await side.liveIndex();
    if (build !== opened?.build) {
      const search = side.openIndex(build);
      opened = { build, search, retriever: new Retriever(search, embedder) };
    }
    return opened;
  }

  return {
    /** Reads the index's terms ahead of the first question; were it to fail now, the question would try again and say why. */
    warmUp: async () => (await current()).retriever.refresh(),
    get: async (collection: string, key: string) => (await opening).get(collection, key),
    getMany: async (collection: string, keys: readonly string[]) => (await opening).getMany(collection, keys),
    find: async (collection: string, query: Query) => (await opening).find(collection, query),
    poisoned: async () => (await opening).poisoned(),
    chunks: async (docId: number, limit: number, offset: number, embedder: string | null) => {
      const { search } = await current();
      const { items, total } = await search.list(docId, limit, offset);
      const ids = items.map(({ id }) => id);
      const embedded = new Set(embedder === null ? [] : await search.embedded(ids, embedder));
      return { items: items.map((passage) => ({ ...passage, embedded: embedded.has(passage.id) })), total };
    },
    coverage: async (embedder: string, docIds?: readonly number[]) =>
      (await current()).search.coverage(embedder, docIds),
    embeddedByDocument: async (embedder: string, docIds?: readonly number[]) =>
      (await current()).search.embeddedByDocument(embedder, docIds),
    research: async (request: ResearchRequest) => {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const { build, retriever, search } = await current();
        const found = await research(retriever, search, request);
        // What was read of an index that has gone meanwhile may lack anything.
        if ((await (await opening).liveIndex()) === build) return found;
      }
      throw new Failure('unavailable', 'The search index is being built, try again shortly.', {
        retryAfterS: 1,
      });
    },
    close: async () => (await opening).close(),
  };
});
