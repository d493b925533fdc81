/**
 * `npm run bench -- graph`: how long what a passage of the samples names takes to extract; and of a corpus of 100,000
 * mentions, how soon statistics are there and a question two edges deep is answered through the HTTP door.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { extract, type PassageToRead } from '../src/graph/extract.ts';
import { buildServer } from '../src/http/server.ts';
import { configFor } from './asks.ts';
import { percentile, withFolder } from './speed.ts';

type Row = Record<string, unknown>;

const samples = join(import.meta.dirname, '..', 'samples');
const rounds = 10;
const questions = 500;
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
const ingested = { corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' };

/** The passages of the sample corpora, document by document. */
async function samplePassages(folder: string): Promise<PassageToRead[][]> {
  const app = await openApp(configFor(folder));
  try {
    for (const corpus of ['krk_2026', 'reestr_texts'])
      await app.ingest({ path: join(samples, corpus), ...ingested });
    await app.caughtUp();
    const { items } = await app.documents(null, { limit: 500, offset: 0 });
    const passages: PassageToRead[][] = [];
    for (const { doc_id } of items) {
      const { items: chunks } = await app.admin.chunks(Number(doc_id), { limit: 200, offset: 0 });
      passages.push(chunks as unknown as PassageToRead[]);
    }
    return passages;
  } finally {
    await app.close();
  }
}

async function extraction(folder: string): Promise<Row> {
  const documents = await samplePassages(folder);
  for (const passages of documents) extract(passages);
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n++) for (const passages of documents) extract(passages);
  const { user } = process.cpuUsage(before);
  const all = documents.flat();
  const units = all.reduce((sum, { text }) => sum + text.length, 0);
  return {
    what: 'what a passage of the samples names',
    passages: all.length,
    ms: rounded(user / 1000 / rounds / all.length),
    units_a_second: Math.round((units * rounds) / (user / 1e6)),
  };
}

const syllables = 'ba be bi bo da de di do ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no'.split(
  ' ',
);
/** A word for a number, another for each. */
function wordFor(n: number): string {
  let word = '';
  for (let rest = n + 1_000; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word[0]!.toUpperCase() + word.slice(1);
}
const nameFor = (n: number): string => `${wordFor(n)} ${wordFor(n + 60_000)}rd`;

/** Texts that speak of so many names, ten a paragraph and ten paragraphs a document. */
function namingTexts(mentions: number, names: number): string {
  // Weyl's sequence: even, and the same in every run.
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
async function throughTheDoor(folder: string): Promise<Row> {
  const path = join(folder, 'names.jsonl');
  writeFileSync(path, namingTexts(100_000, 50_000));
  const config = { ...configFor(join(folder, 'data')), DOCENT_PUBLIC_RPM: 0, DOCENT_PUBLIC_RPH: 0 };
  const app = await openApp(config);
  const server = buildServer(app, { corsOrigins: '*', trustProxy: false });
  try {
    await app.ingest({ path, ...ingested, corpus_id: 'names' });
    await app.caughtUp();
    const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/api/graph`;
    const began = performance.now();
    let stats: { nodes: number; edges: number; up_to_date: boolean };
    let first: number | null = null;
    do {
      stats = (await (await fetch(`${url}/stats`)).json()) as typeof stats;
      first ??= performance.now() - began;
    } while (!stats.up_to_date);
    const counted = performance.now() - began;
    const times: number[] = [];
    let found = 0;
    for (let n = 0; n < questions; n++) {
      const body = JSON.stringify({ entity: nameFor((n * 37) % 5_000), depth: 2, corpus_id: 'names' });
      const start = performance.now();
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/query`, { method: 'POST', headers, body });
      if (((await reply.json()) as { found: string[] }).found.length > 0) found++;
      times.push(performance.now() - start);
    }
    return {
      what: 'statistics and questions two edges deep, through the door',
      ...{
        nodes: stats.nodes,
        edges: stats.edges,
        stats_ms: Math.round(first),
        counted_ms: Math.round(counted),
      },
      ...{ found, p50_ms: rounded(percentile(times, 0.5)), p99_ms: rounded(percentile(times, 0.99)) },
    };
  } finally {
    await server.close();
    await app.close();
  }
}

export const graph = (): Promise<Row[]> =>
  withFolder(async (folder) => [await extraction(join(folder, 'samples')), await throughTheDoor(folder)]);
