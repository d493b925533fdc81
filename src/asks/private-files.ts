/**
 * Files shared in conversations, used only for questions in the same conversation. A separate service reads them in a
 * temporary folder, which is deleted after a period without use, after an hour at the latest, and immediately if this
 * process deletes the data of a person who has a file in it. The next question then fetches the files again. Only
 * answers leave the folder.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../answering/parts.ts';
import { languages, styles } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { AskInput, AskQuestions } from './ask-port.ts';
import type { Chats } from './chats.ts';

export interface PrivateFile {
  /** The id of the file on the platform. */
  id: string;
  name: string;
  kind: string;
  /** The person who sent the file. */
  subject: string;
  fetch(signal: AbortSignal): Promise<Uint8Array>;
}

/** The service that reads the files. */
export interface FileReader {
  ask: AskQuestions;
  ingest(
    request: { path: string; prune: boolean; yes: boolean; actor: string },
    onProgress: undefined,
    signal: AbortSignal,
  ): Promise<{ skipped: { path: string }[] }>;
  searchable(): Promise<void>;
  chats: Pick<Chats, 'isConfident'>;
  close(): Promise<void>;
}

export type PrivateQuestion = Pick<AskInput, 'query' | 'style' | 'history' | 'channel'> & {
  request_id: string;
  /** Answer only if the answer is more likely right than wrong. */
  isSure: boolean;
};

export interface PrivateFilesOptions {
  open(folder: string): Promise<FileReader>;
  /** Default: the system's temporary folder. */
  folder?: string;
  /** How long the folder is kept without a question, and in total, in ms. */
  idleMs?: number;
  ageMs?: number;
}

/** The files of a conversation. */
interface Corpus {
  /** Files by their names in the folder; false if the file cannot be read. */
  read: Map<string, boolean>;
  subjects: Set<string>;
  turn: Promise<unknown>;
}

/** The temporary folder for files, and the service that answers from it. */
interface Shelf {
  folder: string;
  reader: Promise<FileReader>;
  corpora: Map<string, Corpus>;
  uses: number;
  /**
   * Aborts when the folder is closed. The reason is the person or conversation whose data is being deleted; empty if
   * there is none.
   */
  closing: AbortController;
  timers: { idle?: NodeJS.Timeout; age: NodeJS.Timeout };
  closed: Promise<void> | null;
}

const idleMsDefault = 15 * 60_000;
const ageMsDefault = 3_600_000;
/** Maximum time to fetch and read the files of a question, in ms. */
const readMs = 60_000;
/** Maximum number of conversations with files in the folder at the same time. */
const conversationsMax = 100;
const nameMax = 200;
const prefix = 'docent-files-';

export class PrivateFiles {
  readonly #options: Required<PrivateFilesOptions>;
  #shelf: Shelf | null = null;

  constructor(options: PrivateFilesOptions) {
    this.#options = { folder: tmpdir(), idleMs: idleMsDefault, ageMs: ageMsDefault, ...options };
  }

  /** Fetches and reads files that are not in the folder yet. Resolves with the files that cannot be read. */
  async read(
    conversation: string,
    files: readonly PrivateFile[],
    signal: AbortSignal,
  ): Promise<readonly PrivateFile[]> {
    const shelf = this.#enter();
    try {
      return await inTurn(shelf, conversation, files, within(shelf, signal));
    } catch {
      return files;
    } finally {
      this.#leave(shelf);
    }
  }

  /** Answers from the readable files. Yields no parts, or mode `no_answer`, if they contain no answer. */
  async *ask(
    conversation: string,
    files: readonly PrivateFile[],
    question: PrivateQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<Part, void> {
    if (files.length === 0) return;
    for (let tries = 1; ; tries++) {
      const shelf = this.#enter();
      let isBegun = false;
      try {
        for await (const part of asked(shelf, conversation, files, question, signal)) {
          isBegun = true;
          yield part;
        }
        return;
      } catch (error) {
        const { aborted, reason: whose } = shelf.closing.signal;
        const isForgotten = whose === conversation || files.some(({ subject }) => subject === whose);
        // The folder was closed because of another person's data.
        if (isBegun || signal.aborted || tries > 1 || !aborted || isForgotten) throw error;
      } finally {
        this.#leave(shelf);
      }
    }
  }

  /** Deletes the whole folder immediately if it contains a file from this conversation or subject. */
  async forget(whose: string): Promise<void> {
    const shelf = this.#shelf;
    const isThere = [...(shelf?.corpora ?? [])].some(
      ([id, { subjects }]) => id === whose || subjects.has(whose),
    );
    if (shelf && isThere) await this.#close(shelf, whose);
  }

  async close(): Promise<void> {
    if (this.#shelf) await this.#close(this.#shelf);
  }

  #enter(): Shelf {
    if (this.#shelf && this.#shelf.corpora.size >= conversationsMax) this.#retire(this.#shelf);
    const shelf = this.#shelf ?? this.#open();
    this.#shelf = shelf;
    shelf.uses++;
    clearTimeout(shelf.timers.idle);
    return shelf;
  }

  #leave(shelf: Shelf): void {
    if (--shelf.uses > 0 || shelf.closed) return;
    if (this.#shelf !== shelf) void this.#close(shelf);
    else shelf.timers.idle = setTimeout(() => void this.#close(shelf), this.#options.idleMs).unref();
  }

  #open(): Shelf {
    const { folder: parent, open, ageMs } = this.#options;
    const folder = mkdtempSync(join(parent, prefix));
    const cleared = deleteOld(parent, ageMs);
    const reader = cleared.then(() => open(join(folder, 'data')));
    const shelf: Shelf = {
      folder,
      reader,
      corpora: new Map(),
      uses: 0,
      closing: new AbortController(),
      closed: null,
      // Let running questions finish.
      timers: { age: setTimeout(() => this.#retire(shelf), ageMs).unref() },
    };
    reader.catch(() => this.#close(shelf));
    return shelf;
  }

  #retire(shelf: Shelf): void {
    if (this.#shelf === shelf) this.#shelf = null;
    if (shelf.uses === 0) void this.#close(shelf);
  }

  #close(shelf: Shelf, whose = ''): Promise<void> {
    if (this.#shelf === shelf) this.#shelf = null;
    shelf.closed ??= (async () => {
      clearTimeout(shelf.timers.idle);
      clearTimeout(shelf.timers.age);
      shelf.closing.abort(whose);
      await shelf.reader.then((reader) => reader.close()).catch(() => {});
      await rm(shelf.folder, { recursive: true, force: true, maxRetries: 3 });
    })();
    return shelf.closed;
  }
}

const within = ({ closing }: Shelf, signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);

/** Reads the files of a conversation for one question at a time. */
function inTurn(
  shelf: Shelf,
  conversation: string,
  files: readonly PrivateFile[],
  signal: AbortSignal,
): Promise<PrivateFile[]> {
  const known = shelf.corpora.get(conversation);
  const corpus: Corpus = known ?? { read: new Map(), subjects: new Set(), turn: Promise.resolve() };
  shelf.corpora.set(conversation, corpus);
  for (const { subject } of files) corpus.subjects.add(subject);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(readMs)]);
  const read = corpus.turn.then(() => bring(shelf, corpus, conversation, files, limited));
  corpus.turn = read.catch(() => {});
  return read;
}

/** Makes the corpus of a conversation contain exactly these files. */
async function bring(
  { folder: root, reader: opening }: Shelf,
  { read }: Corpus,
  conversation: string,
  files: readonly PrivateFile[],
  signal: AbortSignal,
): Promise<PrivateFile[]> {
  const reader = await opening;
  const folder = join(root, corpusOf(conversation));
  mkdirSync(folder, { recursive: true });
  const wanted = new Map(files.map((file) => [fileName(file), file]));
  const gone = [...read.keys()].filter((name) => read.get(name) && !wanted.has(name));
  for (const name of gone) {
    await rm(join(folder, name), { force: true });
    read.delete(name);
  }
  const fetched: string[] = [];
  for (const [name, file] of wanted) {
    if (read.has(name)) continue;
    signal.throwIfAborted();
    const content = await file.fetch(signal).catch(() => null);
    if (content === null) continue;
    await writeFile(join(folder, name), content);
    fetched.push(name);
  }
  if (gone.length + fetched.length > 0) {
    await writeFile(join(folder, 'corpus.yaml'), manifestOf(conversation, wanted));
    const request = { path: folder, prune: true, yes: true, actor: 'system' };
    const { skipped } = await reader.ingest(request, undefined, signal);
    await reader.searchable();
    for (const name of fetched) read.set(name, !skipped.some(({ path }) => path === name));
  }
  return [...wanted].flatMap(([name, file]) => (read.get(name) ? [] : [file]));
}

async function* asked(
  shelf: Shelf,
  conversation: string,
  files: readonly PrivateFile[],
  { isSure, ...question }: PrivateQuestion,
  signal: AbortSignal,
): AsyncGenerator<Part, void> {
  const ending = within(shelf, signal);
  if ((await inTurn(shelf, conversation, files, ending)).length === files.length) return;
  const reader = await shelf.reader;
  const caller = { actor: 'public', key_id: null, subject: conversation };
  const held: Part[] = [];
  const input = { ...question, corpus_id: corpusOf(conversation), caller };
  for await (const part of reader.ask(input, ending)) {
    if (part.type === 'error') throw new Failure(part.code, part.detail);
    const shown = withoutAddresses(part);
    if (isSure) held.push(shown);
    else yield shown;
  }
  if (isSure && (await reader.chats.isConfident(question.request_id))) yield* held;
}

/** Removes source addresses, because the pages of private files cannot be opened. */
const withoutAddresses = (part: Part): Part =>
  part.type === 'sources'
    ? {
        ...part,
        sources: part.sources.map((source) => ({ ...source, url: '', page_url: '', source_url: null })),
      }
    : part;

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const corpusOf = (conversation: string) => `of_${hash(conversation)}`;
const fileName = ({ id, kind }: PrivateFile) => `${hash(id)}.${kind}`;

/** The manifest. It is YAML, and any JSON is valid YAML. */
const manifestOf = (conversation: string, files: ReadonlyMap<string, PrivateFile>): string =>
  JSON.stringify({
    id: corpusOf(conversation),
    title: 'Files of this conversation',
    languages,
    styles,
    files: [...files].map(([path, { name }]) => ({ path, title: name.slice(0, nameMax) })),
  });

/** Deletes folders left behind by killed processes. */
async function deleteOld(parent: string, ageMs: number): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const made = await stat(join(parent, name)).catch(() => null);
    // The modification time of a folder changes only when its direct contents change.
    if (made && Date.now() - made.mtimeMs > 2 * ageMs)
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}
