/**
 * Redis beside what it does bare, on one server of the same run: retrieval against FT.SEARCH of the same words, commits
 * and replay against the same HSETs in a pipeline, and the longest time the server was held. Needs a redis-server with
 * its Query Engine on the machine.
 */
import { projections } from '../projections/index.ts';
import { ProjectionRunner } from '../projections/runner.ts';
import { Retriever } from '../src/answering/reading/retriever.ts';
import { embedWords, offlineEmbedder } from '../src/models/offline.ts';
import { directLog, EmbeddedLog } from '../src/stores/embedded/log.ts';
import { LogStore } from '../src/stores/embedded/log-store.ts';
import { chunkProjection, projectionKey } from '../src/stores/server/redis-builds.ts';
import { textIndex } from '../src/stores/server/redis-chunk-keys.ts';
import { openRedisChunkSearch } from '../src/stores/server/redis-chunk-search.ts';
import { ChunkWriter } from '../src/stores/server/redis-chunks.ts';
import { collectionIndex, madeKey, putCommand } from '../src/stores/server/redis-collections.ts';
import { type Command, portions, runStep } from '../src/stores/server/redis-commit.ts';
import { type Arg, RedisConnection } from '../src/stores/server/redis-connection.ts';
import { ensureIndex } from '../src/stores/server/redis-index.ts';
import { RedisModels } from '../src/stores/server/redis-models.ts';
import { isStopWord, stem, words } from '../src/text/words.ts';
import { adapterConfig, historyFile } from '../src/workers/adapter-config.ts';
import { openStores } from '../src/workers/stores.ts';
import { startRedis } from '../test/support/own-server.ts';
import { sampler, vocabulary, writeAsks } from './history.ts';
import { makeLibrary } from './library.ts';
import { percentile, withFolder } from './speed.ts';

const namespace = 'bench';
const clock = { now: () => new Date() };
const base = projectionKey(namespace, chunkProjection);

async function withRedis<T>(work: (redis: RedisConnection, url: string) => Promise<T>): Promise<T> {
  const server = await startRedis();
  const redis = RedisConnection.open({ url: server.url, callTimeoutMs: 60_000 });
  try {
    await redis.call('', 'CONFIG', 'SET', 'slowlog-log-slower-than', '2000');
    await redis.call('', 'CONFIG', 'SET', 'slowlog-max-len', '100000');
    return await work(redis, server.url);
  } finally {
    await redis.close();
    await server.stop();
  }
}

/**
 * How long steps held the server since the last call, by the server's own clock: a machine that is busy with other
 * things lets it wait in the middle of one, which then counts too.
 */
async function holds(redis: RedisConnection): Promise<{ hold_p99_ms: number; hold_max_ms: number }> {
  const slow = await redis.call<[number, number, number, string[]][]>('', 'SLOWLOG', 'GET', '100000');
  await redis.call('', 'SLOWLOG', 'RESET');
  const steps = slow.filter(([, , , [name]]) => name === 'EVALSHA').map(([, , us]) => us / 1000);
  return { hold_p99_ms: percentile(steps, 0.99), hold_max_ms: Math.max(0, ...steps) };
}

/** Time of work and of both processors, in s: on a machine busy with other things only the latter can be compared. */
interface Took {
  wallS: number;
  cpuS: number;
}

async function timed(redis: RedisConnection, work: () => Promise<unknown>): Promise<Took> {
  const server = async () => {
    const info = await redis.call<string>('', 'INFO', 'cpu');
    return [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].reduce((sum, [, s]) => sum + Number(s), 0);
  };
  const before = await server();
  const own = process.cpuUsage();
  const start = performance.now();
  await work();
  const wallS = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(own);
  return { wallS, cpuS: (user + system) / 1e6 + (await server()) - before };
}

/** Records what goes into the atomic steps. */
function recording(redis: RedisConnection, commands: Arg[][]): RedisConnection {
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'run') return value.bind(target);
      return (...[script, key, ...args]: Parameters<RedisConnection['run']>) => {
        if (key.endsWith(':builds') && script.text.includes('unpack')) {
          for (let at = 3; at < args.length; ) {
            const count = Number(args[at]);
            commands.push(args.slice(at + 1, at + 1 + count));
            at += count + 1;
          }
        }
        return target.run(script, key, ...args);
      };
    },
  });
}

/** Sends the commands in pipelines of 500. */
async function pipelined(redis: RedisConnection, commands: readonly Arg[][]): Promise<void> {
  for (let at = 0; at < commands.length; at += 500)
    await Promise.all(commands.slice(at, at + 500).map((args) => redis.call(String(args[1]), ...args)));
}

function open(redis: RedisConnection) {
  const chunks = new ChunkWriter(redis, base, (_, words) => embedWords(words));
  return new RedisModels({ redis, namespace, projections, chunks });
}

const least = (a: Took, b: Took): Took => ({
  wallS: Math.min(a.wallS, b.wallS),
  cpuS: Math.min(a.cpuS, b.cpuS),
});
const never: Took = { wallS: Number.POSITIVE_INFINITY, cpuS: Number.POSITIVE_INFINITY };

/** The best of three turns of each, one after the other. */
async function replayAgainstHsets(redis: RedisConnection, history: string) {
  let [replay, bare] = [never, never];
  let best: Awaited<ReturnType<typeof oneReplay>> | null = null;
  for (let turn = 0; turn < 3; turn++) {
    await redis.call('', 'FLUSHALL');
    const one = await oneReplay(redis, history);
    replay = least(replay, one.replay);
    bare = least(bare, one.bare);
    if (best === null || one.held.hold_max_ms < best.held.hold_max_ms) best = one;
  }
  return { writes: best!.writes, held: best!.held, replay, bare };
}

/** Passes a history through the projections of a Redis, then sends the very same writes in pipelines to an empty one. */
async function oneReplay(redis: RedisConnection, history: string) {
  const commands: Arg[][] = [];
  const models = open(recording(redis, commands));
  const store = new LogStore(history, { readOnly: true });
  const runner = new ProjectionRunner({
    log: new EmbeddedLog(directLog(store)),
    models,
    projections,
    clock,
  });
  await runner.prepare();
  await holds(redis);
  const replay = await timed(redis, () => runner.catchUp());
  const held = await holds(redis);
  const builds = await models.builds();
  const spaces = await new ChunkWriter(redis, base).indexes(
    String(builds.find((b) => b.name === chunkProjection)!.build),
  );
  store.close();
  const indexes = builds.flatMap(({ name, build }) =>
    projections
      .find((p) => p.name === name)!
      .collections.map((c) => collectionIndex(`${projectionKey(namespace, name)}:${build}:${c.name}`, c)),
  );
  await redis.call('', 'FLUSHALL');
  for (const index of [...indexes, ...spaces.filter(({ name }) => /:t:\d+$/.test(name))])
    await ensureIndex(redis, index);
  const bare = await timed(redis, () => pipelined(redis, commands));
  return { writes: commands.length, replay, bare, held };
}

/** Recorded asks, then a library, through the projections against the same HSETs. */
export async function redisReplay(asks: number, chunks: number) {
  return withFolder((folder) =>
    withRedis(async (redis) => {
      const history = `${folder}/asks.sqlite`;
      await writeAsks(history, asks);
      const recorded = await replayAgainstHsets(redis, history);
      await makeLibrary(folder, chunks);
      const library = await replayAgainstHsets(redis, historyFile(folder));
      return [
        { history: `${asks} asks`, ...recorded },
        { history: `${chunks} chunks`, ...library },
      ].map(({ history: what, writes, replay, bare, held }) => ({
        history: what,
        writes,
        writes_per_s: Math.round(writes / replay.wallS),
        bare_writes_per_s: Math.round(writes / bare.wallS),
        ratio: bare.wallS / replay.wallS,
        ratio_cpu: bare.cpuS / replay.cpuS,
        ...held,
      }));
    }),
  );
}

/**
 * Records of two tags, a time and 60 words in steps that compare a checkpoint, against the same HSETs; the best of five
 * turns each. Analysing the records is left out: it is the same for both.
 */
export async function redisCommits(records: number) {
  return withRedis(async (redis) => {
    const fields = { kind: 'tag', lang: 'tag', at: 'time', body: 'text' } as const;
    const schema = { name: 'texts', fields };
    const projection = { name: 'texts', version: 1, collections: [schema] };
    const models = new RedisModels({ redis, namespace, projections: [projection] });
    const say = sampler(vocabulary(30_000), 11);
    const docs = Array.from({ length: records }, (_, i) => ({
      kind: `k${i % 7}`,
      lang: 'ru',
      at: clock.now().toISOString(),
      body: say(60),
    }));
    let [bare, commit, held] = [never, never, await holds(redis)];
    for (let turn = 0; turn < 5; turn++) {
      await redis.call('', 'FLUSHALL');
      const [build] = await models.builds();
      const key = `${projectionKey(namespace, 'texts')}:builds`;
      const name = `${projectionKey(namespace, 'texts')}:${build!.build}:texts`;
      const commands = docs.map((doc, i) => putCommand(`${name}:${i}`, fields, String(i), doc, madeKey(i)));
      const plain = commands.map(({ args }) => args);
      bare = least(bare, await timed(redis, () => pipelined(redis, plain)));
      await redis.call('', 'FLUSHALL');
      await redis.call(key, 'HSET', key, '1:at', '0');
      await ensureIndex(redis, collectionIndex(name, schema));
      await holds(redis);
      commit = least(commit, await timed(redis, () => inSteps(redis, key, commands)));
      const now = await holds(redis);
      if (turn === 0 || now.hold_max_ms < held.hold_max_ms) held = now;
    }
    return {
      records,
      records_per_s: Math.round(records / commit.wallS),
      bare_records_per_s: Math.round(records / bare.wallS),
      ratio: bare.wallS / commit.wallS,
      ratio_cpu: bare.cpuS / commit.cpuS,
      ...held,
    };
  });
}

/** Writes the commands as commits of build 1 that follow one another. */
async function inSteps(redis: RedisConnection, key: string, commands: readonly Command[]): Promise<void> {
  let expected = '0';
  const underWay: Promise<boolean>[] = [];
  for (const portion of portions(commands)) {
    const checkpoint = String(Number(expected) + 1);
    underWay.push(runStep(redis, { key, build: '1', expected }, checkpoint, portion));
    expected = checkpoint;
    if (underWay.length > 8 && !(await underWay.shift())) throw new Error('A commit lost.');
  }
  if (!(await Promise.all(underWay)).every(Boolean)) throw new Error('A commit lost.');
}

/** Retrieval over a library: bare FT.SEARCH, the ranked passages, and all of retrieve through a thread. */
export async function redisRetrieval(chunks: number) {
  return withFolder((folder) =>
    withRedis(async (redis, url) => {
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
    }),
  );
}
