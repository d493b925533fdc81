/** Commands that work on an open service. */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openApp, type Service } from '../app.ts';
import type { App, Part } from '../app-port.ts';
import { pages } from '../async/pages.ts';
import type { Config } from '../config.ts';
import type { Style } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { IngestReport } from '../ingest/ingest.ts';
import { answerText } from './answer-text.ts';
import { commandLine } from './command-line.ts';
import { requireCorpus } from './corpus.ts';
import { counted, print, printJson, printMessage, write } from './output.ts';

/** The number of documents per page. */
const pageDocuments = 1000;

/** How long a question waits for the graph, which may need minutes after a large ingestion. */
const graphMs = 10_000;
const unlessLate = (error: unknown): void => {
  if (!(error instanceof Failure && error.code === 'timeout')) throw error;
};

/** Exit status for a question without an answer. */
const nothingFound = 3;

const caller = { actor: 'system', key_id: null, subject: null };

/** Aborts on the first Ctrl-C; a second one ends the process as usual. */
export function interrupted(): AbortSignal {
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

/** Ingests each path and prints a summary for each. Returns status 1 if nothing could be ingested. */
export async function ingestPaths(
  app: App,
  paths: readonly string[],
  options: IngestOptions,
): Promise<number> {
  const signal = interrupted();
  const reports: IngestReport[] = [];
  for (const path of paths) {
    const report = await withBar(
      (onProgress) =>
        app.ingest(
          {
            path: resolve(path),
            corpus_id: options.corpus,
            layer: options.layer,
            prune: options.prune,
            yes: options.yes,
            actor: 'system',
          },
          onProgress,
          signal,
        ),
      megabytes,
    );
    reports.push(report);
    if (!options.json) await print(summary(path, report));
  }
  if (options.json) await printJson(reports.length === 1 ? reports[0] : reports);
  const taken = reports.reduce((n, r) => n + r.added + r.revised + r.unchanged + r.withdrawn, 0);
  if (taken > 0) return 0;
  const { knownExtensions } = await import('../ingest/sniff.ts');
  printMessage(
    `Nothing was ingested. Supported file types: ${knownExtensions.map((ending) => `.${ending}`).join(', ')}, and plain text.`,
  );
  return 1;
}

interface BarProgress {
  done: number;
  total: number;
  path: string;
}

/** The progress of an ingestion, in bytes. */
function megabytes({ done, total }: BarProgress): string {
  const whole = total / 1e6;
  const digits = whole < 10 ? 1 : 0;
  return `${(done / 1e6).toFixed(digits)}/${whole.toFixed(digits)} MB`;
}

/**
 * Runs work that reports progress. Shows a progress bar if stderr is a terminal and is silent otherwise. `amount`
 * formats the progress. Default: only the numbers.
 */
export async function withBar<T>(
  work: (onProgress: (progress: BarProgress) => void) => Promise<T>,
  amount: (progress: BarProgress) => string = ({ done, total }) => `${done}/${total}`,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      stream: process.stderr,
      format: ' {bar} {amount} {file}',
      hideCursor: true,
      clearOnComplete: true,
      linewrap: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0, { amount: '', file: '' });
  try {
    return await work((progress) => {
      const { done, total, path } = progress;
      bar.setTotal(total);
      bar.update(done, { amount: amount(progress), file: path.length > 60 ? `…${path.slice(-59)}` : path });
    });
  } finally {
    bar.stop();
  }
}

function summary(path: string, report: IngestReport): string {
  const lines = [
    `${path} → corpus ${report.corpus_id}: ${counted(report.files, 'file')}; ${counted(report.added, 'document')} added, ${report.revised} revised, ${report.unchanged} unchanged, ${report.withdrawn} withdrawn; ${counted(report.chunks, 'chunk')} written.`,
  ];
  if (report.skipped.length > 0) {
    lines.push(`Skipped ${report.skipped.length}:`);
    for (const { path: file, reason } of report.skipped) lines.push(`  ${file}: ${reason}`);
  }
  if (report.notes.length > 0) {
    lines.push('Note:');
    for (const { path: file, reason } of report.notes) lines.push(`  ${file}: ${reason}`);
  }
  return lines.join('\n');
}

export interface AskOptions {
  corpus?: string;
  style?: Style;
  json?: boolean;
  /** The base address of the service's own pages, because a terminal cannot resolve relative links. */
  publicUrl: string;
}

/** Prints an answer as it arrives. Returns status 3 if there is no answer. */
export async function askQuestion(app: App, query: string, options: AskOptions): Promise<number> {
  if (query.trim() === '') throw new Failure('invalid', `Ask a question: ${commandLine('ask "…"')}`);
  await app.searchable();
  // If the graph is still behind after this wait, an answer from it says so.
  await app.caughtUp(graphMs).catch(unlessLate);
  await requireCorpus(app, options.corpus, 'ask "…"');
  const input = {
    query,
    corpus_id: options.corpus ?? null,
    style: options.style ?? null,
    channel: 'cli' as const,
    caller,
  };
  const parts = withWholeAddresses(app.ask(input, interrupted()), options.publicUrl);
  const mode = await (options.json ? printAnswerJson(query, parts) : printAnswer(parts));
  return mode === 'no_answer' ? nothingFound : 0;
}

async function* withWholeAddresses(parts: AsyncIterable<Part>, publicUrl: string): AsyncGenerator<Part> {
  const whole = (address: string) => (address.startsWith('/') ? `${publicUrl}${address}` : address);
  for await (const part of parts) {
    if (part.type !== 'sources') yield part;
    else {
      const sources = part.sources.map((source) => ({
        ...source,
        url: whole(source.url),
        page_url: whole(source.page_url),
      }));
      yield { ...part, sources };
    }
  }
}

async function printAnswer(parts: AsyncIterable<Part>): Promise<string> {
  const text = answerText(parts, process.stdout.isTTY ? process.stdout.columns : null);
  try {
    for (;;) {
      const { done, value } = await text.next();
      if (done) return value;
      await write(value);
    }
  } finally {
    await text.return('');
  }
}

async function printAnswerJson(query: string, parts: AsyncIterable<Part>): Promise<string> {
  let mode = '';
  let found: object = {};
  for await (const part of parts) {
    if (part.type === 'sources') found = { source_refs: part.source_refs, sources: part.sources };
    else if (part.type === 'error') throw new Failure(part.code, part.detail);
    else if (part.type === 'done') {
      ({ mode } = part);
      await printJson({ ...part, type: undefined, query, ...found });
    }
  }
  return mode;
}

export async function listCorpora(app: App, { json }: { json?: boolean }): Promise<number> {
  await app.searchable();
  const corpora = await app.corpora();
  if (json) await printJson(corpora);
  else if (corpora.length === 0)
    printMessage(`There is no corpus yet. Ingest documents: ${commandLine('ingest <folder> --corpus <id>')}`);
  else
    await print(
      corpora.map(
        (c) =>
          `${c.corpus_id}${c.is_default ? ' (default)' : ''}\t${c.title}\t${counted(c.document_count, 'document')}\t${counted(c.chunk_count, 'chunk')}`,
      ),
    );
  return 0;
}

export async function listDocuments(
  app: App,
  { corpus, json }: { corpus?: string; json?: boolean },
): Promise<number> {
  await app.searchable();
  const all = [];
  for await (const items of pages((page) => app.documents(corpus ?? null, page), pageDocuments))
    all.push(...items);
  if (json) await printJson(all);
  else if (all.length === 0)
    printMessage(`There are no documents yet. Ingest some: ${commandLine('ingest <folder> --corpus <id>')}`);
  else
    await print(
      all.map(
        (d) =>
          `${d.doc_id}\t${d.corpus_id}\t${d.doc_key}\t${d.status}\t${counted(Number(d.chunk_count), 'chunk')}\trevision ${d.revision ?? '–'}\t${d.title ?? ''}`,
      ),
    );
  return 0;
}

/** Rebuilds the read models. With --dump, then prints all their records. */
export async function replay(config: Config, { dump }: { dump?: boolean }): Promise<number> {
  const app = await openApp(config, { onTrouble: printMessage, asksSoon: false });
  try {
    const start = performance.now();
    await app.rebuild();
    printMessage(
      `All read models were rebuilt from the history in ${((performance.now() - start) / 1000).toFixed(1)} s and are now live.`,
    );
  } finally {
    await app.close();
  }
  if (dump) {
    const { dumpEmbedded } = await import('../workers/data-folder.ts');
    await print(dumpEmbedded(config.DOCENT_DATA));
  }
  return 0;
}

/** Starts a backfill, or joins the one already running for the same documents, and waits until it ends. */
export async function backfill(app: Service, docKey: string | null, batchSize: number): Promise<number> {
  await app.searchable();
  const { admin } = app;
  const started = await admin.backfill(
    { doc_key: docKey, batch_size: batchSize },
    { name: 'cli', request_id: uuidv7() },
  );
  let { job } = started;
  if (!started.granted)
    printMessage('A backfill of these documents is already running; waiting for it to finish.');
  await withBar(async (onProgress) => {
    while (job.status === 'queued' || job.status === 'running') {
      await delay(200);
      job = await admin.backfillJob(job.job_id);
      onProgress({ done: job.embedded_chunks, total: Math.max(1, job.total_chunks), path: job.job_id });
    }
  });
  await print(
    `${job.status}: ${job.embedded_chunks} of ${counted(job.total_chunks, 'chunk')} ${job.embedded_chunks === 1 ? 'has' : 'have'} a vector.`,
  );
  return job.status === 'completed' ? 0 : 1;
}

/** Forgets a subject. Returns once the read models have dropped its data. */
export async function forgetSubject(app: App, subject: string): Promise<undefined> {
  const { keys_destroyed, done } = await app.forget(subject, { actor: 'system', correlation_id: uuidv7() });
  await done;
  await print(`Forgotten: ${counted(keys_destroyed, 'key')} destroyed.`);
  if (keys_destroyed === 0)
    printMessage(
      'Nothing was stored about this subject. The query log and the dossier show the subject of each question as "subject".',
    );
}
