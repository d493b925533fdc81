/** Writes a document's revisions: in one append where they are small, else batch after batch. */
import { type DocumentCommand, type Embeddings, otherFile } from '../domain/document.ts';
import type { Chunk, ExtractedChunk, RevisionOrigin } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import { embeddingsOf } from '../jobs/embeddings.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { EntityExtractor } from './model-entities.ts';
import type { PreparedDocument } from './prepare.ts';
import type { Registered } from './registrar.ts';

/** Bounds of one ChunksAdded, so that a projection's commit of it stays short and the event below 1 MiB. */
const batchChunks = 48;
const batchCharacters = 120_000;
/** Documents whose events together stay below this are written in one append. */
const appendCharacters = 200_000;

/** A document's text and what it says of itself. */
export type Content = Omit<PreparedDocument, 'line' | 'input_hash' | 'note'>;

export interface Written {
  outcome: 'added' | 'revised' | 'unchanged';
  /** Position of the last event; null when there was nothing to write. */
  position: Position | null;
  /** The file whose text it takes the place of, where that has another name; else null. */
  replacedFile: string | null;
}

export interface WriterDeps {
  commands: Commands;
  embedder: Embedder | null;
  /** null: what texts name is read by rules alone. */
  extractor: EntityExtractor | null;
}

export class RevisionWriter {
  readonly #commands: Commands;
  readonly #embedder: Embedder | null;
  readonly #extractor: EntityExtractor | null;
  readonly #cause: Cause;
  readonly #sameFileOnly: boolean;

  /** `sameFileOnly`: what came from a file of another name keeps its place, and `write` fails with `conflict`. */
  constructor({ commands, embedder, extractor }: WriterDeps, cause: Cause, { sameFileOnly = false } = {}) {
    this.#commands = commands;
    this.#embedder = embedder;
    this.#extractor = extractor;
    this.#cause = cause;
    this.#sameFileOnly = sameFileOnly;
  }

  /**
   * Publishes the document's next revision, unless the visible one has the same content. Failure `conflict` when
   * another ingestion takes its place, or there is a visible one where one is to be restored; `too_large`; as of the
   * history.
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
    let characters = 0;
    const append = async () => {
      if (commands.length > 0) {
        const done = await document.execute(commands.splice(0), this.#cause, { assumeCurrent: true });
        position = done.position ?? position;
      }
      characters = 0;
    };
    for (const batch of batches(text, chunks)) {
      characters += batch.text.length;
      if (characters > appendCharacters) await append();
      commands.push({ type: 'AddChunks', revision, batch });
    }
    for (const embeddings of await this.#embeddings(rest.title, text, chunks)) {
      characters += embeddings.vectors?.length ?? 0;
      if (characters > appendCharacters) await append();
      commands.push({ type: 'Embed', revision, embeddings });
    }
    for (const extracted of await this.#entities(text, chunks)) {
      characters += extracted.characters;
      if (characters > appendCharacters) await append();
      commands.push({ type: 'Extract', revision, ...extracted.rest });
    }
    commands.push({ type: 'Publish', revision });
    await append();
    const outcome = before.visible === null ? 'added' : 'revised';
    return { outcome, position, replacedFile: otherFile(before, origin.path ?? '') };
  }

  /** None when the model cannot be had: the document does not wait for it, a backfill gives it its vectors later. */
  async #embeddings(title: string, text: string, chunks: readonly Chunk[]): Promise<Embeddings[]> {
    const run = {
      title,
      first: 0,
      chunks: chunks.map((chunk) => ({ chunk, text: text.slice(chunk.start, chunk.end) })),
    };
    try {
      return (await embeddingsOf(this.#embedder, [run])).flat();
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  }

  /** What a model finds named, in pieces that fit into an append. */
  async #entities(
    text: string,
    chunks: readonly Chunk[],
  ): Promise<{ rest: { model: string; chunks: ExtractedChunk[] }; characters: number }[]> {
    const extractor = this.#extractor;
    if (extractor === null) return [];
    const found = await extractor.extract(
      chunks.map((chunk) => ({ chunk, text: text.slice(chunk.start, chunk.end) })),
    );
    return Array.from({ length: Math.ceil(found.length / batchChunks) }, (_, n) => {
      const piece = found.slice(n * batchChunks, (n + 1) * batchChunks);
      return { rest: { model: extractor.name, chunks: piece }, characters: JSON.stringify(piece).length };
    });
  }
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
