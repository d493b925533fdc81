/**
 * `npm run bench -- quality <folder…> [--out <folder>]`: how well the service ranks, answers and abstains over
 * evaluation sets, through its own doors: each set is ingested as a corpus from a JSONL file into a fresh data folder,
 * every question goes through `app.sourceRefs` (ranking; a document counts by its best chunk) and `app.ask` (answers,
 * abstention). The sentences an answer is chosen from are looked at before anything is withheld.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retrievalRequest, toolsFor } from '../src/answering/kinds/tools.ts';
import { firstFound } from '../src/answering/pipeline.ts';
import type { Reads } from '../src/answering/reads.ts';
import { understand } from '../src/answering/understanding/question.ts';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import type { CorpusSettings } from '../src/domain/events.ts';
import { adapterConfig } from '../src/workers/adapter-config.ts';
import { openStores } from '../src/workers/stores.ts';
import { answerMetrics, type Given, type Outcome, outcome } from './answers.ts';
import { configFor } from './asks.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { type Run, ranking, retrievalMetrics } from './evaluation/retrieval-metrics.ts';
import { withFolder } from './speed.ts';

const corpus_id = 'bench';
/** How many sources a question is asked for. */
const depth = 100;
const caller = { actor: 'public', key_id: null, subject: null };
const never = new AbortController().signal;

/** Ingests a set into a data folder. */
async function takeIn(set: Dataset, folder: string, data: string): Promise<void> {
  const file = join(folder, 'documents.jsonl');
  writeFileSync(file, set.documents.map((d) => `${JSON.stringify(d)}\n`).join(''));
  const app = await openApp(configFor(data));
  const report = await app.ingest({
    path: file,
    corpus_id,
    layer: null,
    prune: false,
    yes: false,
    actor: 'system',
  });
  await app.close();
  // Sets hold empty records too, which the service refuses.
  for (const { reason } of report.skipped) process.stderr.write(`${set.name}: ${reason}\n`);
}

/** What the door answers to each question, by its place among them. */
async function throughTheDoor(set: Dataset, data: string): Promise<{ run: Run; given: Given[] }> {
  const app = await openApp(configFor(data));
  const run: Run = new Map();
  const given: Given[] = [];
  try {
    for (const query of set.queries) {
      given.push(await answerOf(app, query.text));
      if (!set.judgements.has(query.id)) continue;
      const { sources } = await app.sourceRefs({ query: query.text, corpus_id, limit: depth, caller }, never);
      const keys = [...new Set(sources.map(({ doc_key }) => doc_key))];
      run.set(query.id, new Map(keys.map((key, n) => [key, keys.length - n])));
    }
  } finally {
    await app.close();
  }
  return { run, given };
}

async function answerOf(app: App, query: string): Promise<Given> {
  const quotes: string[] = [];
  for await (const part of app.ask({ query, corpus_id, channel: 'cli', caller }, never)) {
    if (part.type === 'citation') quotes.push(part.quote);
    if (part.type === 'error') throw new Error(part.detail);
    if (part.type === 'done') return { answered: part.mode !== 'no_answer', quotes };
  }
  throw new Error('The answer broke off.');
}

/** What an answer to a question is chosen from: the first of its look-ups. */
async function evidenceFor(reads: Pick<Reads, 'retrieve'>, settings: CorpusSettings, question: string) {
  const understood = understand(question, [], settings);
  const tools = toolsFor(understood, (lookUp) =>
    reads.retrieve(retrievalRequest({ corpus_id, settings }, understood.lang, 12, lookUp)),
  );
  const { sides } = await firstFound(understood, settings, tools);
  return sides[0].found;
}

/** Measures the sets in these folders; writes runs and predictions in score.py's formats to `out` where named. */
export async function quality(
  folders: readonly string[],
  out: string | null,
): Promise<Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = [];
  for (const name of folders) {
    const set = readDataset(name);
    const row = await withFolder(async (folder) => {
      const data = join(folder, 'data');
      await takeIn(set, folder, data);
      const { run, given } = await throughTheDoor(set, data);
      const outcomes: Outcome[] = [];
      const stores = await openStores(adapterConfig({ folder: data }));
      try {
        const settings = (await stores.reads.get('corpora', corpus_id)) as unknown as CorpusSettings;
        for (const [n, query] of set.queries.entries()) {
          const found = await evidenceFor(stores.reads, settings, query.text);
          outcomes.push(outcome(query, set.judgements.has(query.id), found, given[n]!));
        }
      } finally {
        await stores.close();
      }
      if (out !== null) write(out, set.name, run, outcomes);
      return { ...retrievalMetrics(set.judgements, run), ...answerMetrics(outcomes) };
    });
    table.push({ set: set.name, ...row });
  }
  return table;
}

function write(out: string, name: string, run: Run, outcomes: readonly Outcome[]): void {
  mkdirSync(out, { recursive: true });
  const rows = [...run].flatMap(([query, scores]) =>
    ranking(scores).map((document) => `${query}\t${document}\t${scores.get(document)}\n`),
  );
  writeFileSync(join(out, `${name}.tsv`), rows.join(''));
  const predictions = outcomes.map(({ query, answered, quotes, evidence }) =>
    JSON.stringify({
      id: query.id,
      answer: answered ? quotes.join(' ') : null,
      score: evidence.score,
    }),
  );
  writeFileSync(join(out, `${name}.jsonl`), `${predictions.join('\n')}\n`);
}
