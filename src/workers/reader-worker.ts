/**
 * A reader thread of a pool. It reads records and lists of chunks, interprets questions, and performs whole retrievals
 * and graph reads.
 */

import { candidatesFor } from '../answering/retrieval/retrieve.ts';
import { Retriever } from '../answering/retrieval/retriever.ts';
import { retrieveWithTwins } from '../answering/retrieval/twins.ts';
import type { GraphQuestion } from '../graph/graph.ts';
import type { GraphReads, GraphScope } from '../graph/graph-reads.ts';
import type { ChunkSearch, SearchScope } from '../ports/chunk-search.ts';
import type { Query } from '../ports/read-models.ts';
import { type TypedQuestion, understandInCorpus } from '../question/question.ts';
import { searchInForce } from '../reading/in-force.ts';
import type { RetrievalRequest } from '../reading/passages.ts';
import { wording } from '../search/language-evidence.ts';
import { passagesHolding } from '../search/passages-holding.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { CurrentIndex } from './current-index.ts';
import { ownEmbedder } from './open-models.ts';
import { openReadSide, type ReadSide } from './open-read-models.ts';
import { servePool } from './pool.ts';

interface Index {
  search: ChunkSearch;
  retriever: Retriever;
}

export default servePool((adapters: AdapterConfig) => {
  const embedder = ownEmbedder(adapters.models);
  let opened: Promise<{ side: ReadSide; current: CurrentIndex<Index> }> | null = null;
  /** If opening failed, the next call retries it. */
  const open = () => {
    const opening =
      opened ??
      openReadSide(adapters.readModels).then((side) => {
        const current = new CurrentIndex<Index>(side, (build) => {
          const search = searchInForce(side.openIndex(build));
          return { search, retriever: new Retriever(search, embedder) };
        });
        return { side, current };
      });
    opened = opening;
    opening.catch(() => {
      opened = null;
    });
    return opening;
  };
  const records = async () => (await open()).side;
  const index = async <T>(read: (index: Index) => Promise<T>): Promise<T> => {
    const { side, current } = await open();
    return side.inOneState(() => current.read(read));
  };
  // Document facts are loaded before the first question. If that fails now, the question retries it.
  index(({ retriever }) => retriever.refresh()).catch(() => {});

  /** Loaded with the first graph question, because most threads never get one. */
  let loaded: Promise<GraphReads> | null = null;
  const graph = (): Promise<GraphReads> => {
    loaded ??= Promise.all([records(), import('../graph/graph-reads.ts')]).then(
      ([side, { GraphReads }]) => new GraphReads(side),
    );
    loaded.catch(() => {
      loaded = null;
    });
    return loaded;
  };

  return {
    get: async (collection: string, key: string) => (await records()).get(collection, key),
    getMany: async (collection: string, keys: readonly string[]) =>
      (await records()).getMany(collection, keys),
    find: async (collection: string, query: Query) => (await records()).find(collection, query),
    graphQuery: async (scope: GraphScope, question: GraphQuestion) => (await graph()).query(scope, question),
    graphFigures: async (scope: GraphScope, top: number) => (await graph()).figures(scope, top),
    graphWhole: async (scope: GraphScope) => (await graph()).whole(scope),
    chunks: (docId: number, limit: number, offset: number, embedder: string | null) =>
      index(async ({ search }) => {
        const { items, total } = await search.list(docId, limit, offset);
        const ids = items.map(({ id }) => id);
        const embedded = new Set(embedder === null ? [] : await search.embedded(ids, embedder));
        return { items: items.map((passage) => ({ ...passage, embedded: embedded.has(passage.id) })), total };
      }),
    embedders: () => index(({ search }) => search.embedders()),
    coverage: (embedder: string, docIds?: readonly number[]) =>
      index(({ search }) => search.coverage(embedder, docIds)),
    embeddedByDocument: (embedder: string, docIds?: readonly number[]) =>
      index(({ search }) => search.embeddedByDocument(embedder, docIds)),
    understand: (scope: SearchScope, typed: TypedQuestion) =>
      understandInCorpus(typed, (text) => index(({ search }) => wording(search, scope, text))),
    holding: (scope: SearchScope, words: string, limit: number) =>
      index(({ search }) => passagesHolding(search, scope, words, limit)),
    candidates: (request: RetrievalRequest, query: string | null, limit: number, signal?: AbortSignal) =>
      index(({ retriever }) => candidatesFor(retriever, request, query, limit, signal)),
    retrieve: (request: RetrievalRequest, signal?: AbortSignal) =>
      index(({ retriever, search }) => retrieveWithTwins(retriever, search, request, signal)),
  };
});
