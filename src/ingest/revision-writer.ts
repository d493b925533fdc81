/** Writes revisions of a document: in one append if they are small, otherwise in batches. */
import { type DocumentCommand, type EmbeddingBatch, otherFile } from '../domain/document.ts';
import type { Chunk, ExtractedChunk, RevisionOrigin } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import { embeddingsOf } from './embedding/embeddings.ts';
import type { EntityExtractor } from './model-entities.ts';
import type { PreparedDocument } from './prepare.ts';
import type { Registered } from './registrar.ts';

/** Limits for a ChunksAdded event, which keep projection commits short and the event below 1 MiB. */
const batchChunks = 48;
const batchCharacters = 120_000;
const batchBytes = 400_000;
/** In bytes of JSON. Smaller documents are written in one append. */
const appendBytes = 500_000;

/** The text and metadata of a document. */
export type Content = Omit<PreparedDocument, 'line' | 'input_hash' | 'notes' | 'left'>;

export interface Written {
  outcome: 'added' | 'revised' | 'unchanged';
  /** Position of the last event; null if there was nothing to write. */
  position: Position | null;
  /** The file whose content was replaced, if its name differs; otherwise null. */
  replacedFile: string | null;
}

export interface WriterDeps {
  commands: Commands;
  embedder: Embedder | null;
  /** If null, entities are found by rules only. */
  extractor: EntityExtractor | null;
}

interface Passage {
  chunk: Chunk;
  text: string;
}

export class RevisionWriter {
  readonly #commands: Commands;
  readonly #embedder: Embedder | null;
  readonly #extractor: EntityExtractor | null;
  readonly #cause: Cause;
  readonly #sameFileOnly: boolean;

  /**
   * With `sameFileOnly`, a document from a file with a different name is not replaced, and `write` fails with
   * `conflict`.
   */
  constructor({ commands, embedder, extractor }: WriterDeps, cause: Cause, { sameFileOnly = false } = {}) {
    this.#commands = commands;
    this.#embedder = embedder;
    this.#extractor = extractor;
    this.#cause = cause;
    this.#sameFileOnly = sameFileOnly;
  }

  /**
   * Publishes the document's next revision, unless the visible one has the same content. Fails with `conflict` if
   * another ingestion interferes or a document to restore is visible, with `too_large`, or if the history fails.
   */
  async write(
    { doc_id, isNew }: Registered,
    corpus_id: string,
    content: Content,
    origin: RevisionOrigin,
  ): Promise<Written> {
    const { key, text, chunks, ...rest } = content;
    const document = this.#commands.document(doc_id);
    const before = isNew ? document.state : await document.load();
    if (before.visible?.content_hash === rest.content_hash)
      return { outcome: 'unchanged', position: null, replacedFile: null };
    const revision = before.lastRevision + 1;
    const facts = { doc_id, corpus_id, doc_key: key, ...rest };
    const commands: DocumentCommand[] = [
      { type: 'StartRevision', facts, sameFileOnly: this.#sameFileOnly, ...origin },
    ];
    let position: Position | null = null;
    let bytes = 0;
    const append = async () => {
      if (commands.length > 0) {
        const done = await document.execute(commands.splice(0), this.#cause, { assumeCurrent: true });
        position = done.position ?? position;
      }
      bytes = 0;
    };
    /** Appends the pending events if there is no room for the next one. */
    const room = async (size: number) => {
      if (bytes + size > appendBytes) await append();
      bytes += size;
    };
    for (const { size, ...batch } of batches(text, chunks)) {
      await room(size);
      commands.push({ type: 'AddChunks', revision, batch });
    }
    const passages = chunks.map((chunk) => ({ chunk, text: text.slice(chunk.start, chunk.end) }));
    for (const embeddings of await this.#embeddings(rest.title, passages)) {
      await room(embeddings.vectors?.length ?? 0);
      commands.push({ type: 'Embed', revision, embeddings });
    }
    for (const extracted of await this.#entities(passages)) {
      await room(extracted.bytes);
      commands.push({ type: 'Extract', revision, ...extracted.rest });
    }
    commands.push({ type: 'Publish', revision });
    await append();
    const outcome = before.visible === null ? 'added' : 'revised';
    return { outcome, position, replacedFile: otherFile(before, origin.path ?? '') };
  }

  /**
   * Empty if the model is unavailable: the document is published without waiting for it, and a backfill adds the
   * vectors later.
   */
  async #embeddings(title: string, chunks: readonly Passage[]): Promise<EmbeddingBatch[]> {
    try {
      return (await embeddingsOf(this.#embedder, [{ title, first: 0, chunks }])).flat();
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  }

  /** Entities found by a model, split into events that fit into an append. */
  async #entities(
    passages: readonly Passage[],
  ): Promise<{ rest: { model: string; chunks: ExtractedChunk[] }; bytes: number }[]> {
    const extractor = this.#extractor;
    if (extractor === null) return [];
    const found = await extractor.extract(passages);
    return Array.from({ length: Math.ceil(found.length / batchChunks) }, (_, n) => {
      const piece = found.slice(n * batchChunks, (n + 1) * batchChunks);
      return { rest: { model: extractor.name, chunks: piece }, bytes: jsonBytes(piece) };
    });
  }
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Batches of chunks with their text. Together, the batches contain the entire text. `size` is in bytes of JSON. */
function* batches(
  text: string,
  chunks: readonly Chunk[],
): Generator<{ text: string; chunks: Chunk[]; size: number }> {
  let from = 0;
  for (let i = 0; i < chunks.length; ) {
    let end = i;
    let size = 0;
    let until = from;
    while (end < chunks.length) {
      const next = end + 1 < chunks.length ? chunks[end + 1]!.start : text.length;
      const more = jsonBytes(chunks[end]) + jsonBytes(text.slice(until, next));
      const isFull = end - i >= batchChunks || next - from > batchCharacters || size + more > batchBytes;
      if (end > i && isFull) break;
      size += more;
      until = next;
      end++;
    }
    yield { text: text.slice(from, until), chunks: chunks.slice(i, end), size };
    from = until;
    i = end;
  }
}
