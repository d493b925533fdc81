/**
 * Retrieval over Redis beside FT.SEARCH of the same words, on one server of the same run. Needs a redis-server with its
 * Query Engine on the machine.
 */
import { Retriever } from '../src/answering/reading/retriever.ts';
import { offlineEmbedder } from '../src/models/offline.ts';
import { chunkProjection } from '../src/stores/embedded/models-store.ts';
import { textIndex } from '../src/stores/server/redis-chunk-keys.ts';
import { openRedisChunkSearch } from '../src/stores/server/redis-chunk-search.ts';
import { chunkBase } from '../src/stores/server/redis-chunk-store.ts';
import { RedisConnection } from '../src/stores/server/redis-connection.ts';
import { isStopWord, stem, words } from '../src/text/words.ts';
import { adapterConfig } from '../src/workers/adapter-config.ts';
import { openStores } from '../src/workers/stores.ts';
import { startRedis } from '../test/support/own-server.ts';
import { makeLibrary } from './library.ts';
import { percentile, withFolder } from './speed.ts';

const namespace = 'bench';
const base = chunkBase(namespace);

/** Retrieval over a library: bare FT.SEARCH, the ranked passages, and all of retrieve through a thread. */
export async function redisRetrieval(chunks: number) {
  return withFolder(async (folder) => {
    const server = await startRedis();
    const { url } = server;
    const redis = RedisConnection.open({ url, callTimeoutMs: 60_000 });
    try {
      const library = await makeLibrary(folder, chunks);
      const stores = await openStores(adapterConfig({ redisUrl: url, namespace, folder }));
      try {
        const head = await stores.log.head();
        await stores.progress.waitFor(chunkProjection, head, 600_000);
        const build = await redis.call<string>(base, 'HGET', `${base}:builds`, 'live');
        const index = textIndex(`${base}:${build}:t:1`).name;
        const bare = async (question: string) => {
          const terms = [
            ...new Set(
              words(question)
                .filter((w) => !isStopWord(w))
                .map(stem),
            ),
          ];
          const start = performance.now();
          await redis.call(
            base,
            ...['FT.SEARCH', index, terms.join(' | '), 'VERBATIM', 'NOCONTENT', 'SCORER', 'BM25STD'],
            ...['LIMIT', '0', '100', 'DIALECT', '2'],
          );
          return performance.now() - start;
        };
        const retriever = new Retriever(openRedisChunkSearch(redis, `${base}:${build}:`), offlineEmbedder);
        const at = { corpus_id: library.corpus_id, lang: null, limit: 10 };
        const ranked = async (query: string) => {
          const start = performance.now();
          await retriever.retrieve({ ...at, query, layers: ['main'] });
          return performance.now() - start;
        };
        const retrieved = async (question: string) => {
          const start = performance.now();
          await stores.reads.retrieve({ ...at, question, references: [], layers: ['main'] });
          return performance.now() - start;
        };
        const times: Record<string, number[]> = { bare: [], ranked: [], retrieved: [] };
        for (const question of library.questions.slice(0, 50))
          for (const one of [bare, ranked, retrieved]) await one(question);
        for (const question of library.questions) {
          times.bare!.push(await bare(question));
          times.ranked!.push(await ranked(question));
          times.retrieved!.push(await retrieved(question));
        }
        const bareP50 = percentile(times.bare!, 0.5);
        return Object.entries(times).map(([what, list]) => ({
          chunks,
          what,
          p50_ms: percentile(list, 0.5),
          p99_ms: percentile(list, 0.99),
          ratio_p50: percentile(list, 0.5) / bareP50,
        }));
      } finally {
        await stores.close();
      }
    } finally {
      await redis.close();
      await server.stop();
    }
  });
}
