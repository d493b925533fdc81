/**
 * `npm run bench -- quality <folder…> [--out <folder>]`: how well the service ranks, answers and abstains over
 * evaluation sets, through its own use cases: each set is ingested as a corpus from a JSONL file into a fresh data
 * folder, and every question goes the way an ask goes. A document counts by its best chunk.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import type { Research } from '../src/retrieval/pipeline.ts';
import { detectLanguage } from '../src/text/language.ts';
import { adapterConfig } from '../src/workers/adapter-config.ts';
import { openStores } from '../src/workers/stores.ts';
import { answerMetrics, type Outcome, outcome } from './answers.ts';
import { configFor } from './asks.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { type Run, ranking, retrievalMetrics } from './metrics.ts';
import { withFolder } from './speed.ts';

const corpus_id = 'bench';
/** How many passages a question is asked for. */
const depth = 100;

/** Ingests a set and hands out the research of one question after another. */
async function withSet<T>(
  set: Dataset,
  work: (research: (question: string) => Promise<Research>) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const file = join(folder, 'documents.jsonl');
    writeFileSync(file, set.documents.map((d) => `${JSON.stringify(d)}\n`).join(''));
    const data = join(folder, 'data');
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
    const stores = await openStores(adapterConfig({ folder: data }));
    try {
      return await work((question) =>
        stores.reads.research({
          corpus_id,
          question,
          lang: detectLanguage(question),
          references: [],
          layers: ['main'],
          limit: depth,
        }),
      );
    } finally {
      await stores.close();
    }
  });
}

/** Measures the sets in these folders; writes runs and predictions in score.py's formats to `out` where named. */
export async function quality(
  folders: readonly string[],
  out: string | null,
): Promise<Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = [];
  for (const folder of folders) {
    const set = readDataset(folder);
    const run: Run = new Map();
    const outcomes: Outcome[] = [];
    await withSet(set, async (research) => {
      for (const query of set.queries) {
        const found = await research(query.text);
        outcomes.push(outcome(query, set.judgements.has(query.id), found));
        if (!set.judgements.has(query.id)) continue;
        const scores = new Map<string, number>();
        for (const { facts, score } of found.hits) {
          scores.set(facts.doc_key, Math.max(score, scores.get(facts.doc_key) ?? Number.NEGATIVE_INFINITY));
        }
        run.set(query.id, scores);
      }
    });
    table.push({ set: set.name, ...retrievalMetrics(set.judgements, run), ...answerMetrics(outcomes) });
    if (out !== null) write(out, set.name, run, outcomes);
  }
  return table;
}

function write(out: string, name: string, run: Run, outcomes: readonly Outcome[]): void {
  mkdirSync(out, { recursive: true });
  const rows = [...run].flatMap(([query, scores]) =>
    ranking(scores).map((document) => `${query}\t${document}\t${scores.get(document)}\n`),
  );
  writeFileSync(join(out, `${name}.tsv`), rows.join(''));
  const predictions = outcomes.map(({ query, answered, sentences, evidence }) =>
    JSON.stringify({
      id: query.id,
      answer: answered ? sentences.slice(0, 2).join(' ') : null,
      score: evidence.score,
    }),
  );
  writeFileSync(join(out, `${name}.jsonl`), `${predictions.join('\n')}\n`);
}
