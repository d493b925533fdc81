/** What the commands print: people read stderr for progress and stdout for results; with --json machines read stdout. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import { type App, openApp, type SourceRef } from '../app.ts';
import type { Config } from '../config.ts';
import type { Style } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { IngestReport } from '../ingest/ingest.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
const say = (text: string) => process.stderr.write(`${text}\n`);

const caller = { actor: 'system', key_id: null, subject: null };

/** Aborts at the first Ctrl-C; a second one ends the process as usual. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

export interface IngestOptions {
  corpus?: string;
  layer?: string;
  prune?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Takes in each path and prints one summary each; status 1 when nothing at all could be taken in. */
export async function ingestPaths(
  app: App,
  paths: readonly string[],
  options: IngestOptions,
): Promise<number> {
  const signal = interrupted();
  const reports: IngestReport[] = [];
  for (const path of paths) {
    const report = await withBar((onProgress) =>
      app.ingest(
        {
          path: resolve(path),
          corpus_id: options.corpus ?? null,
          layer: options.layer ?? null,
          prune: options.prune ?? false,
          yes: options.yes ?? false,
          actor: 'system',
        },
        onProgress,
        signal,
      ),
    );
    reports.push(report);
    if (!options.json) print(summary(path, report));
  }
  if (options.json) print(JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2));
  const taken = reports.reduce((n, r) => n + r.added + r.revised + r.unchanged + r.withdrawn, 0);
  return taken > 0 ? 0 : 1;
}

/** Runs work that reports progress, with a bar on a terminal's stderr and silently elsewhere. */
export async function withBar<T>(
  work: (onProgress: (progress: { done: number; total: number; path: string }) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const bar = new cliProgress.SingleBar(
    {
      stream: process.stderr,
      format: ' {bar} {value}/{total} {file}',
      hideCursor: true,
      clearOnComplete: true,
      linewrap: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0, { file: '' });
  try {
    return await work(({ done, total, path }) => {
      bar.setTotal(total);
      bar.update(done, { file: path.length > 60 ? `…${path.slice(-59)}` : path });
    });
  } finally {
    bar.stop();
  }
}

function summary(path: string, report: IngestReport): string {
  const lines = [
    `${path} → corpus ${report.corpus_id}: ${report.files} files; ${report.added} documents added, ${report.revised} revised, ${report.unchanged} unchanged, ${report.withdrawn} withdrawn; ${report.chunks} chunks written.`,
  ];
  if (report.skipped.length > 0) {
    lines.push(`Skipped ${report.skipped.length}:`);
    for (const { path: file, reason } of report.skipped) lines.push(`  ${file}: ${reason}`);
  }
  return lines.join('\n');
}

/** Streams an answer; status 1 when it could not be given. */
export async function askQuestion(
  app: App,
  query: string,
  options: { corpus?: string; style?: Style; json?: boolean },
): Promise<number> {
  if (query.trim() === '') throw new Failure('invalid', 'Ask a question: docent ask "…"');
  await app.caughtUp();
  const input = {
    query,
    corpus_id: options.corpus ?? null,
    style: options.style ?? null,
    channel: 'cli' as const,
    caller,
  };
  let sources: SourceRef[] = [];
  for await (const part of app.ask(input, interrupted())) {
    if (part.type === 'sources') sources = part.sources;
    else if (part.type === 'text' && !options.json) process.stdout.write(part.text);
    else if (part.type === 'replace' && !options.json) print(`\n\n(${part.reason})\n${part.answer}`);
    else if (part.type === 'error') throw new Failure(part.code, part.detail);
    else if (part.type === 'done') {
      if (options.json)
        print(
          JSON.stringify(
            { ...part, type: undefined, query, source_refs: sources.map((s) => s.ref), sources },
            null,
            2,
          ),
        );
      else print(`\n${sources.map(sourceLine).join('')}`);
    }
  }
  return 0;
}

function sourceLine({ title, heading, ref, url, source_url, event_date }: SourceRef, index: number): string {
  const name = [title, heading === title ? '' : heading, event_date].filter(Boolean).join(', ');
  return `\n[${index + 1}] ${name} (${ref})${(source_url ?? url) ? `\n    ${source_url ?? url}` : ''}`;
}

export async function listCorpora(app: App, { json }: { json?: boolean }): Promise<number> {
  await app.caughtUp();
  const corpora = await app.corpora();
  if (json) print(JSON.stringify(corpora, null, 2));
  else if (corpora.length === 0) say('There is no corpus yet: docent ingest <folder> --corpus <id>');
  else
    for (const c of corpora)
      print(
        `${c.corpus_id}${c.is_default ? ' (default)' : ''}\t${c.title}\t${c.document_count} documents\t${c.chunk_count} chunks`,
      );
  return 0;
}

export async function listDocuments(
  app: App,
  { corpus, json }: { corpus?: string; json?: boolean },
): Promise<number> {
  await app.caughtUp();
  const page = 1000;
  const all = [];
  for (let offset = 0; ; offset += page) {
    const { items } = await app.documents(corpus ?? null, { limit: page, offset });
    all.push(...items);
    if (items.length < page) break;
  }
  if (json) print(JSON.stringify(all, null, 2));
  else if (all.length === 0) say('There are no documents yet: docent ingest <folder> --corpus <id>');
  else
    for (const d of all)
      print(
        `${d.doc_id}\t${d.corpus_id}\t${d.doc_key}\t${d.status}\t${d.chunk_count} chunks\trevision ${d.revision ?? '–'}\t${d.title ?? ''}`,
      );
  return 0;
}

/** Rebuilds the read models; with --dump prints every record of them afterwards. */
export async function replay(config: Config, { dump }: { dump?: boolean }): Promise<number> {
  const app = await openApp(config, { onTrouble: say });
  try {
    const start = performance.now();
    await app.rebuild();
    say(
      `All read models were built anew from the history in ${((performance.now() - start) / 1000).toFixed(1)} s and serve now.`,
    );
  } finally {
    await app.close();
  }
  if (dump) {
    const { dumpEmbedded } = await import('../workers/data-folder.ts');
    const stdout = createWriteStream('', { fd: process.stdout.fd, autoClose: false });
    for (const line of dumpEmbedded(config.DOCENT_DATA))
      if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
    await new Promise<void>((go) => stdout.end(() => go()));
  }
  return 0;
}

/** Starts a backfill, or joins the one under way over the same documents, and waits for its end. */
export async function backfill(app: App, docKey: string | null, batchSize: number): Promise<number> {
  await app.caughtUp();
  const { use } = app.administration;
  const started = await use.backfill(
    { doc_key: docKey, batch_size: batchSize },
    { name: 'cli', request_id: uuidv7() },
  );
  let { job } = started;
  if (!started.granted) say('A backfill over these documents is under way already; waiting for it.');
  await withBar(async (onProgress) => {
    while (job.status === 'queued' || job.status === 'running') {
      await delay(200);
      job = await use.backfillJob(job.job_id);
      onProgress({ done: job.embedded_chunks, total: Math.max(1, job.total_chunks), path: job.job_id });
    }
  });
  print(`${job.status}: ${job.embedded_chunks} of ${job.total_chunks} chunks have a vector.`);
  return job.status === 'completed' ? 0 : 1;
}
