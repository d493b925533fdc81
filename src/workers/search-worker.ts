/** A thread that retrieves: the whole of it for one question at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { searchInForce } from '../answering/reading/in-force.ts';
import { candidatesFor, type RetrievalRequest } from '../answering/reading/read.ts';
import { Retriever } from '../answering/reading/retriever.ts';
import { retrieveWithTwins } from '../answering/reading/twins.ts';
import type { ChunkSearch, SearchScope } from '../ports/chunk-search.ts';
import { passagesHolding } from '../search/holding.ts';
import { wording } from '../search/language-evidence.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { CurrentIndex } from './current-index.ts';
import { ownEmbedder } from './open-models.ts';
import { openReadSide } from './open-read-models.ts';
import { serveThread } from './rpc.ts';

const adapters = workerData as AdapterConfig;
const embedder = ownEmbedder(adapters.models);
const opening = openReadSide(adapters.readModels);
opening.catch(() => {});

interface Index {
  search: ChunkSearch;
  retriever: Retriever;
}

serveThread(parentPort!, () => {
  const opened = opening.then(
    (side) =>
      new CurrentIndex<Index>(side, (build) => {
        const search = searchInForce(side.openIndex(build));
        return { search, retriever: new Retriever(search, embedder) };
      }),
  );
  opened.catch(() => {});
  const index = async <T>(read: (index: Index) => Promise<T>): Promise<T> => (await opened).read(read);

  return {
    /** Reads what documents state ahead of the first question; were it to fail now, the question would try again. */
    warmUp: () => index(({ retriever }) => retriever.refresh()),
    wording: (scope: SearchScope, question: string) =>
      index(({ search }) => wording(search, scope, question)),
    holding: (scope: SearchScope, words: string, limit: number) =>
      index(({ search }) => passagesHolding(search, scope, words, limit)),
    candidates: (request: RetrievalRequest, query: string | null, limit: number, signal?: AbortSignal) =>
      index(({ retriever }) => candidatesFor(retriever, request, query, limit, signal)),
    retrieve: (request: RetrievalRequest, signal?: AbortSignal) =>
      index(({ retriever, search }) => retrieveWithTwins(retriever, search, request, signal)),
    close: async () => (await opening).close(),
  };
});
