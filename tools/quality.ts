/**
 * Quality of ranking, answers and abstention over evaluation sets (readSet). Each set is ingested as a corpus into its
 * own data folder, or over EventStoreDB and Redis. Its questions are asked in the same way as by `docent eval`, with
 * the models configured in the environment. The report of each set is stored; `--against` compares it with an earlier
 * one.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { localService } from './evaluation/local.ts';
import { comparisonLines, writeJson } from './evaluation/printing.ts';
import { type EvaluationSet, readSet } from './evaluation/questions.ts';
import { type Report, readReport, reportOf } from './evaluation/report.ts';
import { run } from './evaluation/running.ts';
import { takeIn, withFolder, withServers } from './speed.ts';

const corpus_id = 'bench';
/** Number of passages to request; they come from about twenty documents, each represented by its best passage. */
const sources = 100;

export interface QualityOptions {
  folders: readonly string[];
  /** Whether to use EventStoreDB and Redis instead of files. */
  servers: boolean;
  /** A folder with the reports of an earlier run. */
  against: string | null;
  /** The folder for the reports. */
  out: string;
}

export const qualityOptions = (args: readonly string[], out: string): QualityOptions => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { servers: { type: 'boolean' }, against: { type: 'string' } },
    allowPositionals: true,
  });
  return { folders: positionals, servers: values.servers ?? false, against: values.against ?? null, out };
};

export async function quality(options: QualityOptions): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const folder of options.folders) {
    const set = readSet(folder);
    const over = options.servers ? 'servers' : 'files';
    const file = `quality-${set.name}.json`;
    const before = options.against === null ? null : readReport(join(options.against, file));
    const report = options.servers
      ? await withServers((servers) => measured(set, before, servers))
      : await measured(set, before, { EVENTSTOREDB_URL: null, REDIS_URL: null });
    mkdirSync(options.out, { recursive: true });
    writeJson(join(options.out, file), report);
    if (report.comparison)
      process.stdout.write(`${set.name}\n${[...comparisonLines(report.comparison)].join('\n')}\n`);
    const known = Object.entries(report.figures).filter(([, figure]) => figure !== null);
    rows.push({ set: set.name, over, questions: report.questions, ...Object.fromEntries(known) });
  }
  return rows;
}

function measured(
  set: EvaluationSet,
  before: Report | null,
  servers: Pick<Config, 'EVENTSTOREDB_URL' | 'REDIS_URL'>,
): Promise<Report> {
  return withFolder(async (folder) => {
    const file = join(folder, 'documents.jsonl');
    writeFileSync(file, set.documents.map((line) => `${line}\n`).join(''));
    const config = readConfig(process.env, '/dev/null');
    const app = await openApp({ ...config, DOCENT_DATA: join(folder, 'data'), ...servers });
    try {
      const { skipped } = await takeIn(app, file, corpus_id);
      // Some sets contain empty records, which the service rejects.
      for (const { reason } of skipped) process.stderr.write(`${set.name}: ${reason}\n`);
      await app.caughtUp();
      const rows = await run(localService(app, sources), set.questions, {
        corpusOf: () => corpus_id,
        atOnce: 1,
        now: () => performance.now(),
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      return reportOf({ set: set.name, service: servers.REDIS_URL ?? 'embedded' }, rows, before);
    } finally {
      await app.close();
    }
  });
}
