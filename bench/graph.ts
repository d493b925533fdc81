/**
 * `npm run bench -- graph`: how long entities of a chunk take over the sample corpora, how many mentions a second are
 * folded, and how soon a question is answered from a graph of the size asked for: in memory, and through the HTTP door
 * with the records in files and, where there is a redis-server, in Redis.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { extractEntities } from '../src/graph/extract.ts';
import { foldGraph } from '../src/graph/fold.ts';
import type { Mention } from '../src/graph/mentions.ts';
import { askGraph } from '../src/graph/query.ts';
import type { FoldedDocument } from '../src/graph/records.ts';
import { buildServer } from '../src/http/server.ts';
import { startRedis } from '../test/support/own-server.ts';
import { configFor } from './asks.ts';

type Row = Record<string, unknown>;

const samples = join(import.meta.dirname, '..', 'samples');
const rounds = 10;
const questions = 2_000;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The chunks of the sample corpora, as they are taken in. */
async function sampleChunks() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-graph-'));
  const app = await openApp(configFor(folder));
  for (const corpus of ['krk_2026', 'reestr_texts'])
    await app.ingest({
      path: join(samples, corpus),
      corpus_id: null,
      layer: null,
      prune: false,
      yes: false,
      actor: 'system',
    });
  await app.caughtUp();
  const { items } = await app.documents(null, { limit: 500, offset: 0 });
  const chunks: { text: string; lang: 'ru' | 'kk' | 'en' }[] = [];
  for (const { doc_id } of items)
    chunks.push(
      ...((await app.admin.chunks(Number(doc_id), { limit: 200, offset: 0 })).items as typeof chunks),
    );
  await app.close();
  rmSync(folder, { recursive: true });
  return chunks;
}

/** A corpus of made-up names: `mentions` of them over so many entities, ten a chunk. */
function madeUp(mentions: number, entities: number): FoldedDocument[] {
  // Weyl's sequence: even, and the same in every run.
  let turn = 0;
  const random = () => {
    turn = (turn + 0.618_033_988_749_895) % 1;
    return turn;
  };
  const mention = (n: number): Mention => {
    const id = Math.floor(entities * random() ** 1.5);
    const name = `Имя${id} Фамилия${id}`;
    return {
      kind: 'person',
      surface: name,
      name,
      key: `name:имя${id} фамилия${id}`,
      start: n * 30,
      end: n * 30 + 20,
      sure: true,
      kindKnown: true,
      rank: 1,
      provision: null,
    };
  };
  const perDocument = 1_000;
  return Array.from({ length: mentions / perDocument }, (_, doc) => ({
    doc_id: doc + 1,
    corpus_id: 'made-up',
    doc_key: `d${doc}`,
    revision: 1,
    title: `d${doc}`,
    lang: 'ru' as const,
    layer: 'main',
    chunk_count: perDocument / 10,
    stated: { person: null, office: null },
    published_at: '2026-01-01T00:00:00.000Z',
    chunks: Array.from({ length: perDocument / 10 }, (__, n) => ({
      chunk_index: String(n),
      unit: null,
      number: null,
      start: n * 400,
      entities: { mentions: Array.from({ length: 10 }, (___, at) => mention(at)), statements: [] },
    })),
  }));
}

const syllables = 'ba be bi bo da de di do ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no'.split(
  ' ',
);
/** A word for a number, another for each. */
const wordFor = (n: number): string => {
  let word = '';
  for (let rest = n + 1_000; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word[0]!.toUpperCase() + word.slice(1);
};
const nameFor = (n: number): string => `${wordFor(n)} ${wordFor(n + 60_000)}rd`;

/** Texts that speak of so many names, ten a paragraph and ten paragraphs a document. */
function namingTexts(mentions: number, names: number): string {
  let turn = 0;
  const name = () => {
    turn = (turn + 0.618_033_988_749_895) % 1;
    return nameFor(Math.floor(names * turn ** 1.2));
  };
  const paragraph = () => `On the list there stand ${Array.from({ length: 10 }, name).join(', then ')}.`;
  return Array.from({ length: mentions / 100 }, (_, n) => {
    const text = Array.from({ length: 10 }, (__, at) => `## Part ${at + 1}\n\n${paragraph()}`).join('\n\n');
    return `${JSON.stringify({ id: `d${n}`, text, format: 'md', lang: 'en' })}\n`;
  }).join('');
}

/** A corpus taken in whole, then asked over HTTP, one question after another. */
async function throughTheDoor(what: string, redisUrl: string | null): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-graph-'));
  const path = join(folder, 'names.jsonl');
  writeFileSync(path, namingTexts(100_000, 50_000));
  const config = { ...configFor(join(folder, 'data')), DOCENT_PUBLIC_RPM: 0, DOCENT_PUBLIC_RPH: 0 };
  const app = await openApp({ ...config, REDIS_URL: redisUrl });
  const server = buildServer(app, { corsOrigins: '*', trustProxy: false });
  try {
    const layer = { layer: null, prune: false, yes: false };
    await app.ingest({ path, corpus_id: 'names', ...layer, actor: 'system' });
    await app.caughtUp();
    const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/api/graph`;
    const headers = { 'content-type': 'application/json' };
    const begun = performance.now();
    for (;;) {
      const { status } = await fetch(`${url}/stats`);
      if (status === 200) break;
    }
    const madeMs = performance.now() - begun;
    const { nodes, edges } = (await (await fetch(`${url}/stats`)).json()) as { nodes: number; edges: number };
    const times: number[] = [];
    let found = 0;
    // By a machine that has other things to do.
    let refused = 0;
    for (let n = 0; n < questions; n++) {
      const body = JSON.stringify({ entity: nameFor((n * 37) % 5_000), depth: 2, corpus_id: 'names' });
      const start = performance.now();
      const reply = await fetch(`${url}/query`, { method: 'POST', headers, body });
      const answer = (await reply.json()) as { found?: string[] };
      if (answer.found === undefined) {
        refused++;
        continue;
      }
      times.push(performance.now() - start);
      if (answer.found.length > 0) found++;
    }
    times.sort((a, b) => a - b);
    const [p50_ms, p99_ms] = [rounded(quantile(times, 0.5)), rounded(quantile(times, 0.99))];
    return { what, nodes, edges, ms: Math.round(madeMs), found, refused, p50_ms, p99_ms };
  } finally {
    await server.close();
    await app.close();
    rmSync(folder, { recursive: true });
  }
}

async function overRedis(): Promise<Row[]> {
  const redis = await startRedis().catch(() => null);
  if (redis === null) return [];
  try {
    return [await throughTheDoor('depth 2 through the door, over Redis; ms: first made', redis.url)];
  } finally {
    await redis.stop();
  }
}

export async function graph(): Promise<Row[]> {
  const chunks = await sampleChunks();
  const read = () => {
    for (const { text, lang } of chunks)
      extractEntities({ text, lang, unit: null, number: null, heading: '' });
  };
  read();
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n++) read();
  const { user } = process.cpuUsage(before);
  const extraction = {
    what: 'entities of a chunk of the samples',
    chunks: chunks.length,
    ms: rounded(user / 1000 / rounds / chunks.length),
    units_a_second: Math.round(
      (chunks.reduce((sum, { text }) => sum + text.length, 0) * rounds) / (user / 1e6),
    ),
  };

  const documents = madeUp(100_000, 50_000);
  const from = performance.now();
  const folded = foldGraph(documents, () => 0);
  const ms = performance.now() - from;
  const times: number[] = [];
  for (let n = 0; n < questions; n++) {
    const start = performance.now();
    const id = (n * 37) % 5_000;
    askGraph(folded, {
      entity: `Имя${id} Фамилия${id}`,
      to: null,
      query: null,
      relation: null,
      depth: 2,
      limit: 50,
    });
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return [
    extraction,
    {
      what: '100,000 mentions folded',
      ms: Math.round(ms),
      mentions_a_second: Math.round(100_000 / (ms / 1000)),
    },
    {
      what: 'depth 2 by a name',
      nodes: folded.nodes.size,
      edges: folded.inOrder().edges.length,
      p50_ms: rounded(quantile(times, 0.5)),
      p99_ms: rounded(quantile(times, 0.99)),
    },
    await throughTheDoor('depth 2 through the door, in files; ms: first made', null),
    ...(await overRedis()),
  ];
}
