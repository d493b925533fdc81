/**
 * `npm run bench -- redis-quality <folder…>`: whether several sets in one deployment are ranked over the servers as they
 * are over files. Each set is taken in by a process of its own beside one that serves and projects too, and is asked
 * through the door; two instances over EventStoreDB and Redis, then over a data folder. It ends with status 1 where a
 * set's nDCG@10 is another by more than .005.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEventStore, startRedis } from '../test/support/own-server.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { type Run, retrievalMetrics } from './evaluation/retrieval-metrics.ts';
import { post, startServer, withFolder } from './speed.ts';

const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));
/** The most sources the door hands out, and the longest question it takes; of a longer one the beginning is asked. */
const depth = 20;
const queryMax = 2_000;
const tolerance = 0.005;

type Environment = Record<string, string>;

async function command(data: string, env: Environment, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, DOCENT_DATA: data, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}.`);
}

async function asked(set: Dataset, url: string): Promise<Run> {
  const run: Run = new Map();
  for (const query of set.queries) {
    if (!set.judgements.has(query.id)) continue;
    const reply = await post(`${url}/api/source-refs`, {
      query: query.text.slice(0, queryMax),
      corpus_id: corpusOf(set),
      limit: depth,
    });
    const { sources } = JSON.parse(reply) as { sources: { doc_key: string }[] };
    // A document counts by its best passage.
    const keys = [...new Set(sources.map(({ doc_key }) => doc_key))];
    run.set(query.id, new Map(keys.map((key, n) => [key, keys.length - n])));
  }
  return run;
}

const corpusOf = ({ name }: Dataset): string => name.replace(/[^a-z0-9]+/g, '_');

/** nDCG@10 of each set, all of them in one deployment, which is held against its history afterwards. */
async function measured(sets: readonly Dataset[], folder: string, env: Environment): Promise<number[]> {
  const data = join(folder, 'data');
  const server = await startServer(data, env);
  try {
    for (const set of sets) {
      const file = join(folder, `${corpusOf(set)}.jsonl`);
      writeFileSync(file, set.documents.map((d) => `${JSON.stringify(d)}\n`).join(''));
      await command(data, env, 'ingest', file, '--corpus', corpusOf(set));
    }
    await command(data, env, 'verify', 'projections');
    const found: number[] = [];
    for (const set of sets)
      found.push(retrievalMetrics(set.judgements, await asked(set, server.url))['nDCG@10']);
    return found;
  } finally {
    await server.stop();
  }
}

interface Compared extends Record<string, unknown> {
  set: string;
  embedded: number;
  redis: number;
  difference: number;
}

/** Sets that are ranked otherwise over the servers: by more than what ties alone may do, or not measured. */
export const unlike = (rows: readonly Compared[]): string[] =>
  rows.filter(({ difference }) => !(Math.abs(difference) <= tolerance)).map(({ set }) => set);

/** Ends the process with status 1 where a set is ranked otherwise. */
export async function redisQuality(folders: readonly string[]): Promise<Compared[]> {
  const rows = await compared(folders);
  const others = unlike(rows);
  if (others.length > 0) {
    process.exitCode = 1;
    process.stderr.write(`Ranked otherwise over Redis, by more than ${tolerance}: ${others.join(', ')}.\n`);
  }
  return rows;
}

async function compared(folders: readonly string[]): Promise<Compared[]> {
  const sets = folders.map(readDataset);
  const embedded = await withFolder((folder) => measured(sets, folder, {}));
  const [log, redis] = await Promise.all([startEventStore(), startRedis()]);
  try {
    const env = { EVENTSTOREDB_URL: log.url, REDIS_URL: redis.url };
    const servers = await withFolder((folder) => measured(sets, folder, env));
    return sets.map(({ name }, n) => ({
      set: name,
      embedded: embedded[n]!,
      redis: servers[n]!,
      difference: servers[n]! - embedded[n]!,
    }));
  } finally {
    await Promise.all([log.stop(), redis.stop()]);
  }
}
