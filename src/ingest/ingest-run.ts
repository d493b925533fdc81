/**
 * A single run over the files of a folder: the documents found, their outcomes, and those that have disappeared since
 * the last run.
 */
import { pages } from '../async/pages.ts';
import type { CorpusSettings, Language } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Hints } from '../formats/blocks.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { Doc, Records } from '../ports/read-models.ts';
import { workOf } from './edition.ts';
import type { PlannedFile } from './files.ts';
import type { EntityExtractor } from './model-entities.ts';
import type { RecordHead } from './parse-messages.ts';
import type { ParsePool } from './parse-pool.ts';
import type { PreparedDocument, PrepareInput } from './prepare.ts';
import { reasonOf, sentence } from './reasons.ts';
import type { RecordsFormat } from './records.ts';
import { type Registered, Registrar } from './registrar.ts';
import { RevisionWriter } from './revision-writer.ts';
import { type Turn, WorkInFlight } from './work-in-flight.ts';

export interface IngestRequest {
  /** A folder or a single file. */
  path: string;
  /** Required without a manifest. With a manifest, it must equal the manifest's id. */
  corpus_id?: string | null;
  /** Layer of files that do not state one. Default: the corpus's first layer. */
  layer?: string | null;
  /** Withdraw documents that previously came from this folder and no longer exist in it. Default: false. */
  prune?: boolean;
  /** Allow pruning more than half of the documents from the folder. Default: false. */
  yes?: boolean;
  /** The sender's metadata, for a single uploaded file in a temporary folder. */
  upload?: Hints;
  /** For an upload: whether it may replace a document that came from a file with a different name. */
  replace?: boolean;
  cause: Cause;
}

export interface IngestReport {
  corpus_id: string;
  files: number;
  /** Number of new documents, and of documents with a new revision. */
  added: number;
  revised: number;
  unchanged: number;
  withdrawn: number;
  chunks: number;
  /** Keys of the first hundred documents that are now present, whether changed or not. */
  keys: string[];
  /** Files and records that were not ingested, each with a one-sentence reason. At most a hundred entries per file. */
  skipped: { path: string; reason: string }[];
  /**
   * Files and records whose metadata was partly overridden or that replaced a different file, with one sentence each.
   */
  notes: { path: string; reason: string }[];
  /** Position of the last event written; null if nothing changed. */
  position: Position | null;
}

export interface IngestDeps {
  commands: Commands;
  reads: Pick<Records, 'find' | 'getMany'>;
  pool: ParsePool;
  /** Resolves once the read models include everything that was in the history when it was called. */
  caughtUp(): Promise<void>;
  embedder: Embedder | null;
  /** If null, entities are found by rules only. */
  extractor: EntityExtractor | null;
}

export interface IngestScope {
  corpus_id: string;
  settings: CorpusSettings;
  /** Position of the last event so far. */
  position: Position | null;
  root: string;
  signal: AbortSignal | undefined;
  /** The files of the run, keyed by planned key. */
  planned: ReadonlyMap<string, string>;
  /** Reports progress on a file. */
  advance(path: string, bytes: number): void;
}

/** A document with its edition date. `path` is the path of its file if it was ingested by this run. */
interface Edition {
  key: string;
  title: string;
  date: string;
  path: string | null;
}

type DatedDocument = Pick<PreparedDocument, 'key' | 'title' | 'event_date' | 'edition' | 'lang'> & {
  layer: string;
};

/** Maximum number of documents in a corpus to search for editions of a work. */
const editionsAmong = 20_000;
/** Number of documents from one file that are written concurrently, so that they share the log's disk flushes. */
const writesAtOnce = 64;
/** The same limit when a remote model computes embeddings. */
const modelCallsAtOnce = 4;
/** Maximum total size of the documents being written, in characters. */
const charactersAtOnce = 4_000_000;
/**
 * The read models may lag by up to twice this number of chunks. Writing is faster than indexing, and a run that resumes
 * an interrupted one must wait until the read models show what is present.
 */
const chunksAhead = 10_000;
/** Limits per file, and per report. */
const mostFaults = 100;
const mostKeys = 100;
const scanPage = 2000;

export class IngestRun {
  readonly #deps: IngestDeps;
  readonly #request: IngestRequest;
  readonly #scope: IngestScope;
  readonly #registrar: Registrar;
  readonly #writer: RevisionWriter;
  /** The file in which each document was seen. */
  readonly #seen = new Map<number, string>();
  /** Files that could not be ingested completely, so their previous documents do not count as missing. */
  readonly #kept = new Set<string>();
  /** Path prefixes of unreadable folders, whose contents are unknown. */
  readonly #unread: string[] = [];
  readonly #faults = new Map<string, number>();
  readonly #report: IngestReport;
  /** Dated documents of this run, grouped by the key shared by their editions. */
  readonly #editions = new Map<string, Edition[]>();
  /** Number of chunks written since the read models were last checked. */
  #ahead = 0;
  /**
   * Promises that resolve once the read models include everything written before the second-to-last check and before
   * the last check.
   */
  #readable = Promise.resolve();
  #nextReadable = Promise.resolve();

  constructor(deps: IngestDeps, request: IngestRequest, scope: IngestScope) {
    const { commands } = deps;
    const { corpus_id, root, position } = scope;
    this.#deps = deps;
    this.#request = request;
    this.#scope = scope;
    this.#registrar = new Registrar(commands, corpus_id, root, request.cause);
    this.#writer = new RevisionWriter(deps, request.cause, {
      sameFileOnly: request.upload !== undefined && request.replace !== true,
    });
    this.#report = {
      corpus_id,
      files: 0,
      added: 0,
      revised: 0,
      unchanged: 0,
      withdrawn: 0,
      chunks: 0,
      keys: [],
      skipped: [],
      notes: [],
      position,
    };
  }

  get report(): IngestReport {
    return this.#report;
  }

  /** The report, with its lists sorted by path. */
  finished(): IngestReport {
    for (const [path, count] of this.#faults)
      if (count > mostFaults)
        this.#report.skipped.push({
          path: shown(path),
          reason: `${count - mostFaults} more records in this file.`,
        });
    this.#moved(this.#registrar.position);
    const byPath = (a: { path: string }, b: { path: string }) =>
      a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
    this.#report.skipped.sort(byPath);
    this.#report.notes.sort(byPath);
    this.#report.keys.sort();
    return this.#report;
  }

  /** Reports why a file was not ingested. `reason` is a sentence, or a clause that will be turned into one. */
  skip(path: string, reason: string): void {
    const count = (this.#faults.get(path) ?? 0) + 1;
    this.#faults.set(path, count);
    if (count <= mostFaults)
      this.#report.skipped.push({ path: shown(path), reason: shown(sentence(reason)) });
  }

  /** Reports an unreadable folder. */
  skipFolder(path: string, reason: string): void {
    this.#unread.push(`${path}/`);
    this.skip(`${path}/`, reason);
  }

  /**
   * Ingests one file. Errors in the file are added to the report. Its documents are registered in the order of the
   * files. Rejects if a store fails.
   */
  async takeFile(file: PlannedFile, turn: Turn): Promise<void> {
    const input: PrepareInput = {
      path: file.path,
      doc_key: file.doc_key,
      hints: file.hints,
      ...(file.languages && { languages: file.languages }),
      layers: { layers: this.#scope.settings.layers, said: file.hints.layer ?? this.#request.layer ?? null },
    };
    /** Bytes reported so far. Several records of a file may be in progress. */
    let reported = 0;
    const advance = (bytes: number) => {
      this.#scope.advance(shown(file.relative), bytes - reported);
      reported = bytes;
    };
    try {
      const known = await this.#knownHash(file);
      const prepared = await this.#deps.pool.prepare(input, known === null ? [] : [known]);
      if ('unchanged' in prepared)
        this.#countUnchanged(this.#registrar.known(file.doc_key)!, file.doc_key, file);
      else {
        await turn.comes;
        if ('document' in prepared) await this.#write(prepared.document, file, turn);
        else await this.#takeRecords(file, input, prepared.records, advance);
      }
    } catch (error) {
      this.#fail(file, error);
    } finally {
      turn.pass();
    }
    advance(file.bytes);
  }

  /**
   * An error in a file is reported. A failed store or a stopped run ends the run. So does a conflict over a single
   * upload, because its sender needs the kind of failure.
   */
  #fail(file: PlannedFile, error: unknown, line: number | null = null): void {
    const own: readonly string[] = ['invalid', 'conflict', 'too_large'];
    const isSent = this.#request.upload !== undefined && line === null;
    if (error instanceof Failure && (!own.includes(error.code) || (isSent && error.code === 'conflict')))
      throw error;
    this.#kept.add(file.relative);
    this.skip(file.relative, atLine(line, error instanceof Failure ? error.detail : reasonOf(error)));
  }

  /** The hash of the document that previously came from a file, if there was only one and it is still published. */
  async #knownHash({ doc_key, relative }: PlannedFile): Promise<string | null> {
    const doc_id = this.#registrar.known(doc_key);
    if (doc_id === null) return null;
    const [doc] = await this.#deps.reads.getMany('documents', [String(doc_id)]);
    return this.#isFrom(doc, relative) && typeof doc.input_hash === 'string' ? doc.input_hash : null;
  }

  /** Whether a document is published and came from this file. */
  #isFrom(doc: Doc | null | undefined, path: string): doc is Doc {
    return doc?.status === 'published' && doc.root === this.#scope.root && doc.path === path;
  }

  async #takeRecords(
    file: PlannedFile,
    input: PrepareInput,
    format: RecordsFormat,
    advance: (bytes: number) => void,
  ): Promise<void> {
    const { embedder, extractor, pool } = this.#deps;
    const isOffline = extractor === null && (embedder === null || embedder.deterministic);
    const atOnce = isOffline ? writesAtOnce : modelCallsAtOnce;
    const writes = new WorkInFlight(charactersAtOnce);
    const choose = (heads: readonly RecordHead[]) => this.#changedOf(heads, file);
    for await (const { documents, left, faults, bytes } of pool.records(input, format, choose)) {
      for (const { key, line } of left) this.#countUnchanged(this.#registrar.known(key)!, key, file, line);
      for (const { line, reason } of faults) {
        this.#kept.add(file.relative);
        this.skip(file.relative, atLine(line, reason));
      }
      for (const document of documents) {
        const weight = Math.max(document.text.length, charactersAtOnce / atOnce);
        await writes.begin(weight, async () => {
          try {
            await this.#write(document, file);
          } catch (error) {
            this.#fail(file, error, document.line);
          }
        });
      }
      advance(Math.min(bytes, file.bytes));
      if (this.#scope.signal?.aborted) break;
    }
    await writes.settled();
  }

  /** Determines which records are new or changed. */
  async #changedOf(heads: readonly RecordHead[], file: PlannedFile): Promise<boolean[]> {
    const ids = heads.map(({ key }) => this.#registrar.known(key));
    const known = ids.flatMap((id) => (id === null ? [] : [String(id)]));
    const docs = known.length === 0 ? [] : await this.#deps.reads.getMany('documents', known);
    let next = 0;
    return heads.map(({ input_hash }, i) => {
      if (ids[i] === null) return true;
      const doc = docs[next++];
      return !this.#isFrom(doc, file.relative) || doc.input_hash !== input_hash;
    });
  }

  /** Keeps the lag of the read models below two checks. */
  #wrote(chunks: number): void {
    this.#ahead += chunks;
    if (this.#ahead < chunksAhead) return;
    this.#ahead = 0;
    this.#readable = this.#nextReadable;
    this.#nextReadable = this.#deps.caughtUp();
    // The next write reports the failure.
    this.#nextReadable.catch(() => {});
  }

  #countUnchanged(docId: number, key: string, file: PlannedFile, line: number | null = null): void {
    if (!this.#claim(docId, key, file, line)) return;
    this.#report.unchanged++;
    this.#name(key);
  }

  /** `turn` is the turn of a file with a single document; it ends once the document is registered. */
  async #write(document: PreparedDocument, file: PlannedFile, turn?: Turn): Promise<void> {
    const { line, input_hash, notes, left: _, ...content } = document;
    const { key } = content;
    const owner = key === file.doc_key ? undefined : this.#scope.planned.get(key);
    if (owner !== undefined) {
      turn?.pass();
      this.#kept.add(file.relative);
      this.skip(file.relative, atLine(line, `its key "${key}" is used by ${owner}`));
      return;
    }
    await this.#readable;
    const registering = this.#registrar.register(key);
    turn?.pass();
    const registered = await registering;
    if (!this.#claim(registered.doc_id, key, file, line)) return;
    const { corpus_id, root } = this.#scope;
    const origin = { root, path: file.relative, input_hash };
    const { outcome, position, replacedFile } = await this.#writer.write(
      registered,
      corpus_id,
      content,
      origin,
    );
    this.#moved(position);
    this.#report[outcome]++;
    if (outcome !== 'unchanged') {
      this.#report.chunks += document.chunks.length;
      this.#wrote(document.chunks.length);
    }
    for (const note of notes) this.#note(file, atLine(line, note));
    if (outcome !== 'unchanged') this.#takeEdition({ ...content, layer: content.layer.name }, file.relative);
    // Records state their own keys, so it does not matter which file they are in.
    if (replacedFile !== null && line === null)
      this.#note(file, `it became the next revision of "${key}", which came from ${replacedFile}`);
    this.#name(key);
  }

  /** Returns false and reports the conflict if another document of this run already has the key. */
  #claim(docId: Registered['doc_id'], key: string, file: PlannedFile, line: number | null): boolean {
    const other = this.#seen.get(docId);
    if (other === undefined) {
      this.#seen.set(docId, file.relative);
      return true;
    }
    const reason =
      other === file.relative && line !== null
        ? `another line has the same id "${key}"`
        : `its key "${key}" is already used by ${other}`;
    this.#kept.add(file.relative);
    this.skip(file.relative, atLine(line, reason));
    return false;
  }

  #note(file: PlannedFile, reason: string): void {
    this.#report.notes.push({ path: shown(file.relative), reason: shown(sentence(reason)) });
  }

  #name(key: string): void {
    if (this.#report.keys.length < mostKeys) this.#report.keys.push(key);
  }

  #moved(position: Position | null): void {
    if (position !== null && position > (this.#report.position ?? '')) this.#report.position = position;
  }

  #takeEdition({ key, title, event_date, edition, layer, lang }: DatedDocument, path: string | null): void {
    const work = workOf(title);
    const date = event_date ?? edition;
    if (date === undefined || work === '') return;
    const id = `${layer} ${lang} ${work}`;
    const known = this.#editions.get(id) ?? [];
    if (!known.some((one) => one.key === key)) known.push({ key, title, date, path });
    this.#editions.set(id, known);
  }

  /**
   * Reports documents that look like editions of the same work in one layer, if this run ingested at least one of them.
   */
  async nameEditions(): Promise<void> {
    if (this.#editions.size === 0) return;
    const { corpus_id } = this.#scope;
    const where = { corpus_id, status: 'published' };
    const orderBy = { field: 'doc_id' };
    const { reads } = this.#deps;
    let looked = 0;
    for await (const items of pages(
      (page) => reads.find('documents', { where, orderBy, ...page }),
      scanPage,
    )) {
      for (const doc of items) {
        const { doc_key, title, layer, lang } = doc;
        const event_date = doc.event_date ?? doc.edition;
        if (typeof title !== 'string' || typeof event_date !== 'string') continue;
        const known = {
          key: String(doc_key),
          title,
          event_date,
          layer: String(layer),
          lang: lang as Language,
        };
        if (this.#editions.has(`${layer} ${lang} ${workOf(title)}`)) this.#takeEdition(known, null);
      }
      looked += items.length;
      if (looked >= editionsAmong) break;
    }
    for (const editions of this.#editions.values()) {
      const [newest, ...older] = editions.toSorted((a, b) => (a.date < b.date ? 1 : -1));
      for (const one of older) {
        if (one.date === newest!.date) continue;
        const reason = `"${one.title}" (${one.date}) looks like an older edition of "${newest!.title}" (${newest!.date}), which takes precedence in answers; to keep it for questions about the past, use a layer of kind superseded`;
        this.#report.notes.push({ path: shown(one.path ?? one.key), reason: shown(sentence(reason)) });
      }
    }
  }

  /**
   * Withdraws the documents that previously came from this root and were not seen in this run. `yes` allows withdrawing
   * more than half of them.
   */
  async prune(yes: boolean): Promise<void> {
    const { commands, reads, caughtUp } = this.#deps;
    const { corpus_id, root } = this.#scope;
    await caughtUp();
    const gone: number[] = [];
    let visible = 0;
    const where = { corpus_id, status: 'published' };
    const orderBy = { field: 'doc_id' };
    const listed = pages((page) => reads.find('documents', { where, orderBy, ...page }), scanPage);
    for await (const items of listed) {
      for (const doc of items) {
        if (doc.root !== root) continue;
        visible++;
        const path = String(doc.path);
        const isKept = this.#kept.has(path) || this.#unread.some((folder) => path.startsWith(folder));
        if (!this.#seen.has(Number(doc.doc_id)) && !isKept) gone.push(Number(doc.doc_id));
      }
    }
    if (gone.length * 2 > visible && !yes)
      throw new Failure(
        'invalid',
        `--prune would withdraw ${gone.length} of ${visible} documents from ${root}; add --yes to confirm.`,
      );
    const command = { type: 'Withdraw', reason: 'No longer in its source folder.' } as const;
    for (const docId of gone) {
      const { position } = await commands.document(docId).execute(command, this.#request.cause);
      this.#moved(position);
      if (position !== null) this.#report.withdrawn++;
    }
  }
}

/** Adds the line number to an error if the file contains many documents. */
function atLine(line: number | null, reason: string): string {
  return line === null ? reason : `line ${line}: ${reason}`;
}

/** Makes a file name, key or sentence safe to print. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu, '\ufffd').toWellFormed();
}
