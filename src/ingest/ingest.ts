/**
 * Ingests a folder or a file: new and changed documents become revisions, unchanged ones are skipped, and unreadable
 * ones are reported without stopping the rest. A document becomes visible when its revision is published. A killed run
 * leaves behind only unpublished revisions, which are invisible and are replaced by the next run.
 */
import type { CorpusSettings, Layer } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { languages } from '../language/index.ts';
import { planFiles } from './files.ts';
import { type IngestDeps, type IngestReport, type IngestRequest, IngestRun } from './ingest-run.ts';
import { mainLayer } from './layers.ts';
import { Turns, WorkInFlight } from './work-in-flight.ts';

export type { IngestDeps, IngestReport, IngestRequest } from './ingest-run.ts';

/** Progress of a run, in bytes of its files. */
export interface IngestProgress {
  done: number;
  total: number;
  path: string;
}

/** The root of documents uploaded over HTTP. */
const uploadRoot = 'upload';
/**
 * Number of files processed concurrently. Some are parsed while others are written, and a slow file does not delay
 * small ones. Their total size is limited too.
 */
const filesAtOnce = 32;
const bytesAtOnce = 64 * 1024 * 1024;

/**
 * Ingests `request.path`. Fails with `invalid` if the manifest or the request has errors, before anything is written;
 * errors in a file go into the report. An aborted signal stops the run after the current work. The next run resumes an
 * interrupted one: documents that are already present and unchanged are recognised by their bytes and not parsed again.
 */
export async function ingest(
  deps: IngestDeps,
  request: IngestRequest,
  onProgress: (progress: IngestProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<IngestReport> {
  const plan = await planFiles(request.path, request.upload);
  const corpus = await corpusFor(deps, request, plan.manifest);
  if (request.prune && !plan.isFolder)
    throw new Failure('invalid', '--prune needs a folder, not a single file.');
  await deps.caughtUp();
  const total = plan.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const advance = (path: string, bytes: number) => {
    done += bytes;
    onProgress({ done, total, path });
  };
  const run = new IngestRun(deps, request, {
    ...corpus,
    root: request.upload ? uploadRoot : plan.root,
    planned: new Map(plan.files.map(({ doc_key, relative }) => [doc_key, relative])),
    signal,
    advance,
  });
  run.report.files = plan.files.length;
  for (const { path, reason } of plan.skipped) run.skip(path, reason);
  for (const { path, reason } of plan.unread) run.skipFolder(path, reason);
  const files = new WorkInFlight(bytesAtOnce);
  // Documents are numbered in path order, regardless of which file is parsed first.
  const turns = new Turns();
  for (const file of plan.files) {
    if (signal?.aborted) break;
    const weight = Math.max(file.bytes, bytesAtOnce / filesAtOnce);
    const turn = turns.take();
    await files.begin(weight, () => run.takeFile(file, turn));
  }
  await files.settled();
  if (signal?.aborted)
    throw new Failure('cancelled', 'The ingestion was stopped; finished documents are kept.');
  if (request.prune) await run.prune(request.yes ?? false);
  await run.nameEditions();
  return run.finished();
}

/**
 * Registers or changes the corpus according to the manifest. Without a manifest, checks that the corpus and layer
 * exist.
 */
async function corpusFor(
  { commands }: IngestDeps,
  { corpus_id: named = null, layer = null, cause }: IngestRequest,
  manifest: { id: string; settings: CorpusSettings } | null,
) {
  const corpus_id = manifest?.id ?? named;
  if (corpus_id === null)
    throw new Failure('invalid', 'Name the corpus with --corpus <id>, or put a corpus.yaml into the folder.');
  if (named !== null && named !== corpus_id)
    throw new Failure(
      'invalid',
      `The manifest names the corpus "${corpus_id}", but --corpus names "${named}".`,
    );
  const before = (await commands.catalog.load()).corpora.get(corpus_id)?.settings;
  let settings: CorpusSettings = manifest?.settings ??
    before ?? {
      title: corpus_id,
      description: null,
      languages: [...languages],
      styles: [],
      layers: [layer === null ? mainLayer : { ...mainLayer, name: layer }],
    };
  if (layer !== null && !settings.layers.some((l) => l.name === layer)) {
    if (manifest !== null)
      throw new Failure(
        'invalid',
        `--layer ${layer}: the manifest has the layers ${settings.layers.map((l) => l.name).join(', ')}.`,
      );
    if (settings.layers.some(isDescribed))
      throw new Failure(
        'invalid',
        `--layer ${layer}: the corpus "${corpus_id}" has the layers ${settings.layers.map((l) => l.name).join(', ')}; declare a new one in its manifest.`,
      );
    settings = { ...settings, layers: [...settings.layers, { ...mainLayer, name: layer }] };
  }
  const { position } = await commands.catalog.execute({ type: 'SetCorpus', corpus_id, settings }, cause);
  return { corpus_id, settings, position };
}

/**
 * Whether a layer was declared with properties. Without a manifest a layer is only a name, and any name creates one.
 */
function isDescribed({ title, kind, visibility }: Layer): boolean {
  return title !== null || kind !== 'text' || visibility !== 'public';
}
