/** A thread that reads records of the read models, and chunks as they are listed. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { Query } from '../ports/read-models.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { CurrentIndex } from './current-index.ts';
import { openReadSide } from './open-read-models.ts';
import { serveThread } from './rpc.ts';

const opening = openReadSide((workerData as AdapterConfig).readModels);
opening.catch(() => {});

serveThread(parentPort!, () => {
  const opened = opening.then(
    (side) => new CurrentIndex<ChunkSearch>(side, (build) => side.openIndex(build)),
  );
  opened.catch(() => {});
  const index = async <T>(read: (search: ChunkSearch) => Promise<T>): Promise<T> => (await opened).read(read);

  return {
    get: async (collection: string, key: string) => (await opening).get(collection, key),
    getMany: async (collection: string, keys: readonly string[]) => (await opening).getMany(collection, keys),
    find: async (collection: string, query: Query) => (await opening).find(collection, query),
    poisoned: async () => (await opening).poisoned(),
    chunks: (docId: number, limit: number, offset: number, embedder: string | null) =>
      index(async (search) => {
        const { items, total } = await search.list(docId, limit, offset);
        const ids = items.map(({ id }) => id);
        const embedded = new Set(embedder === null ? [] : await search.embedded(ids, embedder));
        return { items: items.map((passage) => ({ ...passage, embedded: embedded.has(passage.id) })), total };
      }),
    embedders: () => index((search) => search.embedders()),
    coverage: (embedder: string, docIds?: readonly number[]) =>
      index((search) => search.coverage(embedder, docIds)),
    embeddedByDocument: (embedder: string, docIds?: readonly number[]) =>
      index((search) => search.embeddedByDocument(embedder, docIds)),
    close: async () => (await opening).close(),
  };
});
