/**
 * Latency of source lookups over HTTP by number of chunks, relative to a plain full-text query for the same words. Also
 * the latency of `/health` during 50 lookups per second. Over a data folder, or over EventStoreDB and Redis.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isStopWord, prefix, stem, words } from '../src/text/words.ts';
import { type Library, makeLibrary } from './library.ts';
import {
  copyHistory,
  get,
  percentile,
  post,
  type RunningServer,
  startServer,
  withFolder,
  withServers,
} from './speed.ts';

const sizes = [1_000, 50_000, 100_000];
const warmUp = 50;

/** `--chunks <number>`: only a library of this size; `--servers`: over servers. */
export async function sourceRefs(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { chunks: { type: 'string' }, servers: { type: 'boolean' } },
  });
  const rows = [];
  for (const chunks of values.chunks === undefined ? sizes : [Number(values.chunks)])
    rows.push(await withFolder((folder) => ofSize(chunks, folder, values.servers === true)));
  return rows;
}

async function ofSize(chunks: number, folder: string, isOverServers: boolean) {
  const data = join(folder, 'data');
  mkdirSync(data);
  const library = await makeLibrary(data, chunks);
  const bare = percentile(bareQueries(library), 0.5)!;
  const measure = async (server: RunningServer) => {
    try {
      return await lookUps(server, library);
    } finally {
      await server.stop();
    }
  };
  const figures = isOverServers
    ? await withServers(async (servers) => {
        await copyHistory(data, servers);
        return measure(await startServer(join(folder, 'instance'), { ...servers }));
      })
    : await measure(await startServer(data));
  return {
    chunks,
    over: isOverServers ? 'servers' : 'files',
    bare_p50_ms: bare,
    ...figures,
    ratio_p50: figures.p50_ms! / bare,
    projected_chunks_per_s: Math.round(chunks / (library.projected_ms / 1000)),
  };
}

async function lookUps(server: RunningServer, { corpus_id, questions }: Library) {
  const ask = async (query: string) => {
    const start = performance.now();
    await post(`${server.url}/api/source-refs`, { query, corpus_id, limit: 10 });
    return performance.now() - start;
  };
  // A new instance catches up with the history before it answers.
  while (JSON.parse(await get(`${server.url}/health`)).status !== 'ok') await delay(1_000);
  for (const question of questions.slice(0, warmUp)) await ask(question);
  const times: number[] = [];
  for (const question of questions) times.push(await ask(question));
  const { health, refused } = await underLoad(server, questions, ask);
  return {
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    health_p99_ms: percentile(health, 0.99),
    refused,
    memory_mb: Math.round(server.memoryMb()),
  };
}

/**
 * Latencies of `/health` over ten seconds with 50 lookups per second, and the number of lookups that the busy service
 * rejects.
 */
async function underLoad(
  { url }: RunningServer,
  questions: readonly string[],
  ask: (query: string) => Promise<number>,
): Promise<{ health: number[]; refused: number }> {
  const health: number[] = [];
  let refused = 0;
  const asks: Promise<unknown>[] = [];
  const seconds = 10;
  const began = performance.now();
  for (let i = 0; i < seconds * 50; i++) {
    await delay(Math.max(0, began + i * 20 - performance.now()));
    asks.push(ask(questions[i % questions.length]!).catch(() => refused++));
    const start = performance.now();
    asks.push(get(`${url}/health`).then(() => health.push(performance.now() - start)));
  }
  await Promise.all(asks);
  return { health, refused };
}

/** The time of a plain full-text query for each question: FTS5 over stems and prefixes of the same chunks. */
function bareQueries({ texts, questions }: Library): number[] {
  const bare = new DatabaseSync(':memory:');
  try {
    bare.exec("CREATE VIRTUAL TABLE fts USING fts5(body, prefix, content='', tokenize='ascii'); BEGIN");
    const add = bare.prepare('INSERT INTO fts (body, prefix) VALUES (?, ?)');
    for (const text of texts) {
      const list = words(text);
      add.run(list.map(stem).join(' '), [...new Set(list.map(prefix))].join(' '));
    }
    bare.exec('COMMIT');
    const query = bare.prepare(
      'SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts, 1, 0.7) LIMIT 100',
    );
    const run = (question: string) => {
      const content = words(question).filter((w) => !isStopWord(w));
      const match = [
        ...content.map((w) => `body : "${stem(w)}"`),
        ...content.map((w) => `prefix : "${prefix(w)}"`),
      ].join(' OR ');
      const start = performance.now();
      query.all(match);
      return performance.now() - start;
    };
    for (const question of questions.slice(0, warmUp)) run(question);
    return questions.map(run);
  } finally {
    bare.close();
  }
}
