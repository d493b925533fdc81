/**
 * Taking in a folder or a file: what is new or changed becomes a revision, what is the same is left alone, what
 * cannot be read is told and never stops the rest. A document appears in one step when its revision is published;
 * a run that is killed leaves at most an unfinished revision, which nobody sees and the next run replaces.
 */

import type { DocumentCommand, Embeddings } from '../domain/document.ts';
import type { Chunk, CorpusSettings, Layer } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import { embeddingsOf } from '../jobs/embeddings.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { ReadModels } from '../ports/read-models.ts';
import { pages } from '../reads/pages.ts';
import { languages } from '../text/languages/index.ts';
import type { Hints } from './blocks.ts';
import { type PlannedFile, planFiles } from './files.ts';
import type { ParsePool } from './parse-pool.ts';
import { contentHash, inputHash, type PreparedDocument } from './prepare.ts';

export interface IngestRequest {
  /** A folder, or one file. */
  path: string;
  /** Needed where there is no manifest; with one it must be the manifest's id. */
  corpus_id: string | null;
  /** Layer of files that say none themselves; default the corpus's first. */
  layer: string | null;
  /** Withdraw documents that came from this folder before and are gone from it. */
  prune: boolean;
  /** Allow a prune that withdraws more than half of what came from the folder. */
  yes: boolean;
  /** Of a single file that was sent and lies here for a moment only: what its sender says of it. */
  upload?: Hints;
  cause: Cause;
}

export interface IngestReport {
  corpus_id: string;
  files: number;
  /** Documents that are new, and documents with a new revision. */
  added: number;
  revised: number;
  unchanged: number;
  withdrawn: number;
  chunks: number;
  /** Keys of the documents that are in now, whether this changed them or not. */
  keys: string[];
  /** What was not taken in, and why, one sentence each. */
  skipped: { path: string; reason: string }[];
  /** Position of the last event written; null when nothing changed. */
  position: Position | null;
}

export interface IngestDeps {
  commands: Commands;
  reads: Pick<ReadModels, 'find'>;
  pool: ParsePool;
  /** Resolves when the read models hold everything the history held a moment ago. */
  caughtUp(): Promise<void>;
  embedder: Embedder | null;
}

export interface IngestProgress {
  done: number;
  total: number;
  path: string;
}

/** Bounds of one ChunksAdded, so that a projection's commit of it stays short and the event below 1 MiB. */
const batchChunks = 48;
const batchCharacters = 120_000;
/** Documents read at once of those that are in already. */
const pageDocuments = 2000;
/** Documents registered in one append: well within what the history takes at once. */
const registeredAtOnce = 500;
/** Documents whose events together stay below this are written in one append. */
const appendCharacters = 200_000;
/** Where documents come from that were sent over HTTP. */
export const uploadRoot = 'upload';
/** Files being parsed at once; the pool has as many workers. */
const parallel = 2;

const mainLayer: Layer = { name: 'main', title: null, kind: 'text', visibility: 'public' };

/** What is known of the documents that came from a file before. */
interface Known {
  doc_key: string;
  input_hash: string | null;
  status: string;
}

/**
 * Takes in `request.path`. Failure `invalid` for faults of the manifest or the request, before anything is
 * written; what goes wrong with one file is told in the report. An aborted signal stops after the file at hand.
 */
export async function ingest(
  deps: IngestDeps,
  request: IngestRequest,
  onProgress: (progress: IngestProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<IngestReport> {
  const plan = await planFiles(request.path, request.upload);
  const run = new IngestRun(
    deps,
    request,
    await corpusFor(deps, request, plan.manifest),
    request.upload ? uploadRoot : plan.root,
  );
  await deps.caughtUp();
  await run.prepare();
  if (request.prune && !plan.isFolder)
    throw new Failure('invalid', '--prune needs a folder: of a single file nothing can be gone.');
  let done = 0;
  const queue = plan.files.values();
  const worker = async () => {
    for (const file of queue) {
      if (signal?.aborted)
        throw new Failure('cancelled', 'The ingestion was stopped; what was finished stays.');
      await run.takeFile(file);
      onProgress({ done: ++done, total: plan.files.length, path: file.relative });
    }
  };
  run.report.files = plan.files.length;
  run.report.skipped.push(...plan.skipped);
  await Promise.all(Array.from({ length: parallel }, worker));
  if (request.prune) await run.prune();
  run.report.skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return run.report;
}

/** Registers or changes the corpus as the manifest says; without one, makes sure that it and the layer exist. */
async function corpusFor(
  { commands }: IngestDeps,
  request: IngestRequest,
  manifest: { id: string; settings: CorpusSettings } | null,
) {
  const corpus_id = manifest?.id ?? request.corpus_id;
  if (corpus_id === null)
    throw new Failure('invalid', 'Name the corpus with --corpus <id>, or put a corpus.yaml into the folder.');
  if (request.corpus_id !== null && request.corpus_id !== corpus_id) {
    throw new Failure(
      'invalid',
      `The manifest says corpus "${corpus_id}", --corpus says "${request.corpus_id}".`,
    );
  }
  const before = (await commands.catalog.load()).corpora.get(corpus_id)?.settings;
  let settings: CorpusSettings = manifest?.settings ??
    before ?? {
      title: corpus_id,
      description: null,
      languages: [...languages],
      styles: [],
      layers: [request.layer === null ? mainLayer : { ...mainLayer, name: request.layer }],
    };
  if (request.layer !== null && !settings.layers.some((l) => l.name === request.layer)) {
    if (manifest !== null)
      throw new Failure(
        'invalid',
        `--layer ${request.layer}: the manifest has the layers ${settings.layers.map((l) => l.name).join(', ')}.`,
      );
    if (settings.layers.some(isDescribed))
      throw new Failure(
        'invalid',
        `--layer ${request.layer}: the corpus "${corpus_id}" has the layers ${settings.layers.map((l) => l.name).join(', ')}; a new one is declared in its manifest.`,
      );
    settings = { ...settings, layers: [...settings.layers, { ...mainLayer, name: request.layer }] };
  }
  const { position } = await commands.catalog.execute(
    { type: 'SetCorpus', corpus_id, settings },
    request.cause,
  );
  return { corpus_id, settings, position };
}

/** A layer somebody declared: without a manifest a layer is a mere name, and any name makes one. */
function isDescribed({ title, kind, visibility }: Layer): boolean {
  return title !== null || kind !== 'text' || visibility !== 'public';
}

class IngestRun {
  readonly #deps: IngestDeps;
  readonly #request: IngestRequest;
  readonly #layers: ReadonlyMap<string, Layer>;
  readonly #firstLayer: Layer;
  readonly #root: string;
  /** Keys seen in this run, with the file that had them first. */
  readonly #seen = new Map<string, string>();
  readonly #kept = new Set<string>();
  readonly #knownByPath = new Map<string, Known[]>();
  readonly report: IngestReport;

  constructor(
    deps: IngestDeps,
    request: IngestRequest,
    corpus: { corpus_id: string; settings: CorpusSettings; position: Position | null },
    root: string,
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#root = root;
    const { layers } = corpus.settings;
    this.#layers = new Map(layers.map((l) => [l.name, l]));
    this.#firstLayer = this.#layers.get(request.layer ?? '') ?? layers[0] ?? mainLayer;
    this.report = {
      corpus_id: corpus.corpus_id,
      files: 0,
      added: 0,
      revised: 0,
      unchanged: 0,
      withdrawn: 0,
      chunks: 0,
      keys: [],
      skipped: [],
      position: corpus.position,
    };
  }

  /** Reads what came from this root before. */
  async prepare(): Promise<void> {
    const where = { corpus_id: this.report.corpus_id };
    const listed = pages((page) => this.#deps.reads.find('documents', { where, ...page }), pageDocuments);
    for await (const items of listed) {
      for (const { root, path, doc_key, input_hash, status } of items) {
        if (root !== this.#root || typeof path !== 'string') continue;
        const known: Known = {
          doc_key: String(doc_key),
          input_hash: typeof input_hash === 'string' ? input_hash : null,
          status: String(status),
        };
        const at = this.#knownByPath.get(path);
        if (at === undefined) this.#knownByPath.set(path, [known]);
        else at.push(known);
      }
    }
  }

  /** Takes in one file; whatever is wrong with it goes into the report. */
  async takeFile(file: PlannedFile): Promise<void> {
    try {
      const layer = this.#layerOf(file.hints.layer);
      const input_hash = await inputHash(file, layer);
      const known = this.#knownByPath.get(file.relative) ?? [];
      // Only a file that is one document can be told unchanged by its bytes: of many, some may never have got in.
      if (
        !file.holdsMany &&
        known.length === 1 &&
        known[0]!.input_hash === input_hash &&
        known[0]!.status === 'published'
      ) {
        const { doc_key } = known[0]!;
        if (this.#claim(doc_key, file.relative, null)) {
          this.report.unchanged++;
          this.report.keys.push(doc_key);
        }
        return;
      }
      const prepared = await this.#deps.pool.prepare(file);
      for (const reason of prepared.faults) this.#skip(file.relative, reason);
      if (prepared.faults.length > 0) this.#keep(known);
      const documents = prepared.documents.flatMap((document) => {
        const layer = this.#layerOfRecord(document, file);
        const doc_key = document.key ?? file.doc_key;
        return layer !== null && this.#claim(doc_key, file.relative, document.line)
          ? [{ document, doc_key, layer }]
          : [];
      });
      if (file.holdsMany && documents.length < prepared.documents.length) this.#keep(known);
      if (documents.length === 0) return;
      const { corpus_id } = this.report;
      const { catalog } = this.#deps.commands;
      for (let i = 0; i < documents.length; i += registeredAtOnce) {
        const some = documents.slice(i, i + registeredAtOnce);
        const { position } = await catalog.execute(
          {
            type: 'RegisterDocuments',
            corpus_id,
            documents: some.map(({ doc_key }) => ({ doc_key, root: this.#root })),
          },
          this.#request.cause,
        );
        this.#moved(position);
      }
      const { state } = catalog;
      for (const { document, doc_key, layer } of documents) {
        const { doc_id } = state.documents.get(corpus_id)!.get(doc_key)!;
        await this.#write(
          doc_id,
          doc_key,
          document,
          layer,
          file.relative,
          file.holdsMany ? null : input_hash,
        );
      }
    } catch (error) {
      // A file's fault is the file's; a history that cannot be written ends the run.
      if (
        error instanceof Failure &&
        error.code !== 'invalid' &&
        error.code !== 'conflict' &&
        error.code !== 'too_large'
      )
        throw error;
      if (!(error instanceof Failure)) throw error;
      this.#skip(file.relative, error.detail);
      this.#keep(this.#knownByPath.get(file.relative) ?? []);
    }
  }

  #layerOf(name: string | null | undefined): Layer {
    if (name === null || name === undefined) return this.#firstLayer;
    const layer = this.#layers.get(name);
    if (layer === undefined)
      throw new Failure(
        'invalid',
        `Its layer "${name}" is none of the corpus' (${[...this.#layers.keys()].join(', ')}).`,
      );
    return layer;
  }

  /** A document's layer; one line of many that names an unknown one is told and left out: null. */
  #layerOfRecord({ layer, line }: PreparedDocument, file: PlannedFile): Layer | null {
    try {
      return this.#layerOf(layer ?? file.hints.layer);
    } catch (error) {
      if (line === null || !(error instanceof Failure)) throw error;
      this.#skip(file.relative, atLine(line, error.detail));
      return null;
    }
  }

  /** False, and told, when another file of this run has the same key already. */
  #claim(docKey: string, path: string, line: number | null): boolean {
    const other = this.#seen.get(docKey);
    if (other !== undefined) {
      this.#skip(path, atLine(line, `Its key "${docKey}" was used by ${other} already.`));
      return false;
    }
    this.#seen.set(docKey, path);
    return true;
  }

  /** A file that cannot be read now has not gone: what came from it before is not pruned. */
  #keep(known: readonly Known[]): void {
    for (const { doc_key } of known) this.#kept.add(doc_key);
  }

  #skip(path: string, reason: string): void {
    this.report.skipped.push({ path, reason });
  }

  #moved(position: Position | null): void {
    if (position !== null && position > (this.report.position ?? '')) this.report.position = position;
  }

  /** Writes a document's new revision, if it has one: in one append when it is small, else batch after batch. */
  async #write(
    docId: number,
    docKey: string,
    prepared: PreparedDocument,
    layer: Layer,
    path: string,
    input_hash: string | null,
  ): Promise<void> {
    const { title, lang, url, source_url, event_date, metadata, text, chunks } = prepared;
    const { cause } = this.#request;
    const document = this.#deps.commands.document(docId);
    const before = await document.load();
    const content_hash = contentHash(prepared, layer);
    if (before.visible?.content_hash === content_hash) {
      this.report.unchanged++;
      this.report.keys.push(docKey);
      return;
    }
    const revision = before.lastRevision + 1;
    const facts = {
      doc_id: docId,
      corpus_id: this.report.corpus_id,
      doc_key: docKey,
      title,
      lang,
      layer,
      url,
      source_url,
      event_date,
      metadata,
      content_hash,
    };
    const commands: DocumentCommand[] = [
      { type: 'StartRevision', facts, root: this.#root, path, input_hash },
    ];
    let characters = 0;
    const write = async () => {
      if (commands.length > 0)
        this.#moved((await document.execute(commands.splice(0), cause, { assumeCurrent: true })).position);
      characters = 0;
    };
    for (const batch of batches(text, chunks)) {
      characters += batch.text.length;
      if (characters > appendCharacters) await write();
      commands.push({ type: 'AddChunks', revision, batch });
    }
    for (const embeddings of await this.#embeddings(title, text, chunks)) {
      characters += embeddings.vectors?.length ?? 0;
      if (characters > appendCharacters) await write();
      commands.push({ type: 'Embed', revision, embeddings });
    }
    commands.push({ type: 'Publish', revision });
    await write();
    this.report.chunks += chunks.length;
    this.report.keys.push(docKey);
    if (before.visible === null) this.report.added++;
    else this.report.revised++;
  }

  /** None when the model cannot be had: the document does not wait for it, a backfill gives it its vectors later. */
  async #embeddings(title: string, text: string, chunks: readonly Chunk[]): Promise<Embeddings[]> {
    const run = {
      title,
      first: 0,
      chunks: chunks.map((chunk) => ({ chunk, text: text.slice(chunk.start, chunk.end) })),
    };
    try {
      return (await embeddingsOf(this.#deps.embedder, [run])).flat();
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  }

  /** Withdraws what came from this root before and was not seen now. */
  async prune(): Promise<void> {
    const { commands } = this.#deps;
    const entries = [
      ...((await commands.catalog.load()).documents.get(this.report.corpus_id)?.values() ?? []),
    ].filter((d) => d.root === this.#root);
    const gone = [];
    let visible = 0;
    for (const entry of entries) {
      if (this.#seen.has(entry.doc_key) || this.#kept.has(entry.doc_key)) {
        visible++;
        continue;
      }
      const document = commands.document(entry.doc_id);
      if ((await document.load()).visible !== null) gone.push({ entry, document });
    }
    if (gone.length * 2 > gone.length + visible && !this.#request.yes) {
      throw new Failure(
        'invalid',
        `--prune would withdraw ${gone.length} of ${gone.length + visible} documents from ${this.#root}; add --yes if that is meant.`,
      );
    }
    for (const { document } of gone) {
      const reason = 'Gone from the folder it came from.';
      this.#moved(
        (await document.execute({ type: 'Withdraw', reason }, this.#request.cause, { assumeCurrent: true }))
          .position,
      );
      this.report.withdrawn++;
    }
  }
}

/** What is wrong with a document, with its line's number where its file holds many. */
function atLine(line: number | null, reason: string): string {
  return line === null ? reason : `line ${line}: ${reason}`;
}

/** Chunks in batches with the text they stand in; the batches' texts together are the whole text. */
function* batches(text: string, chunks: readonly Chunk[]): Generator<{ text: string; chunks: Chunk[] }> {
  let from = 0;
  for (let i = 0; i < chunks.length; ) {
    let end = i + 1;
    while (end < chunks.length && end - i < batchChunks && chunks[end]!.end - from <= batchCharacters) end++;
    const until = end < chunks.length ? chunks[end]!.start : text.length;
    yield { text: text.slice(from, until), chunks: chunks.slice(i, end) };
    from = until;
    i = end;
  }
}
