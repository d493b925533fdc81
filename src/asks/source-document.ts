/**
 * A source as readers see it: part of a revision's text, taken from the document's own event stream. Only an outline of
 * each stream and the most recently read parts are kept in memory. If a document has new events, only those are read.
 */

import { Lru } from '../async/lru.ts';
import { factsOf } from '../domain/document.ts';
import {
  type Chunk,
  type CorpusSettings,
  isPublic,
  type Layer,
  type RevisionFacts,
} from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { EventLog, RecordedEvent } from '../ports/event-log.ts';

export interface SourceInput {
  corpus_id: string;
  doc_id: number;
  /** If absent, the visible revision. */
  revision?: number | null;
  /** The chunk_index of the cited passage. */
  chunk?: string | null;
  /** Counted from 1. If absent, the part that contains the chunk, or otherwise the first part. */
  part?: number | null;
}

/** A part of a revision's text. It contains whole chunks; a document of ordinary length has only one part. */
export interface SourceText {
  /** The UTF-16 offset of `text` in the revision's text. The chunks' offsets also refer to the revision's text. */
  start: number;
  text: string;
  chunks: Chunk[];
}

export type SourceDocument =
  | {
      status: 'published';
      facts: RevisionFacts;
      /** The layer as defined in the corpus's current settings. */
      layer: Layer;
      /** RFC 3339. */
      published_at: string;
      /** The visible revision. */
      current_revision: number;
      /** The number of this part, counted from 1, and the number of parts. */
      part: number;
      parts: number;
      /** The part that contains the requested chunk; null if the revision has no such chunk or none was requested. */
      cited_part: number | null;
      /** May fail with `unavailable`. */
      read(): Promise<SourceText>;
    }
  /** The document exists, but none of it is shown. */
  | { status: 'withdrawn' | 'restricted' };

/** Maximum length of a part in characters, unless a single batch in the history is longer. */
const partCharacters = 120_000;
/**
 * Number of events read at a time. A batch of chunks can contain several hundred kilobytes, which must be parsed
 * between other requests.
 */
const readAtOnce = 4;
/** Memory limits: outlines by their number of chunks, parts by their characters. */
const outlineChunksMax = 500_000;
const keptCharactersMax = 8_000_000;

/** The position of a batch of chunks in its document's stream, and its range in the text. */
interface Batch {
  event: number;
  from: number;
  length: number;
  chunks: string[];
}

interface Outline {
  /** The first event that has not been read. */
  next: number;
  revisions: Map<number, Batch[]>;
  published: Map<number, { facts: RevisionFacts; published_at: string }>;
  current: number | null;
}

export class SourceDocuments {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #outlines = new Lru<number, { outline: Outline; grown: Promise<void> }>(outlineChunksMax);
  readonly #texts = new Lru<string, Promise<SourceText>>(keptCharactersMax);

  constructor(log: Pick<EventLog, 'readStream'>) {
    this.#log = log;
  }

  /**
   * Returns a revision according to the document's stream. Null if the corpus has no such document, the revision was
   * never published, or it has no such part. A document is restricted if its current layer or the layer of the
   * requested revision is restricted in the corpus's current settings or no longer exists there. May fail with
   * `unavailable`.
   */
  async open(input: SourceInput, settings: CorpusSettings): Promise<SourceDocument | null> {
    const { published, revisions, current } = await this.#outline(input.doc_id);
    const last = [...published.values()].at(-1);
    if (last?.facts.corpus_id !== input.corpus_id) return null;
    const wanted = published.get(input.revision ?? last.facts.revision);
    if (!wanted) return null;
    if (current === null) return { status: 'withdrawn' };
    const layerOf = ({ layer }: RevisionFacts) => settings.layers.find(({ name }) => name === layer.name);
    const layer = layerOf(wanted.facts);
    if (!isPublic(layer) || !isPublic(layerOf(last.facts))) return { status: 'restricted' };
    const { revision } = wanted.facts;
    const parts = partsOf(revisions.get(revision) ?? []);
    const found = parts.findIndex((batches) =>
      batches.some(({ chunks }) => chunks.includes(input.chunk ?? '')),
    );
    const cited_part = input.chunk == null || found === -1 ? null : found + 1;
    const part = input.part ?? cited_part ?? 1;
    const batches = parts[part - 1];
    if (!batches) return null;
    return {
      status: 'published',
      ...wanted,
      layer,
      current_revision: current,
      part,
      parts: parts.length,
      cited_part,
      read: () => this.#text(input.doc_id, revision, batches),
    };
  }

  /** The outline up to the current end of the stream. Concurrent callers read one after another. */
  async #outline(docId: number): Promise<Outline> {
    const kept = this.#outlines.get(docId) ?? { outline: emptyOutline(), grown: Promise.resolve() };
    const { outline } = kept;
    kept.grown = kept.grown.catch(() => {}).then(() => this.#grow(docId, outline));
    this.#outlines.set(docId, kept, chunkCount(outline));
    await kept.grown;
    if (outline.next === 0) this.#outlines.delete(docId);
    else this.#outlines.set(docId, kept, chunkCount(outline));
    return outline;
  }

  async #grow(docId: number, outline: Outline): Promise<void> {
    for (;;) {
      const events = await this.#log.readStream(`document-${docId}`, outline.next, readAtOnce);
      for (const event of events) note(outline, event);
      if (events.length < readAtOnce) return;
    }
  }

  #text(docId: number, revision: number, batches: readonly Batch[]): Promise<SourceText> {
    const [first] = batches;
    if (!first) return Promise.resolve({ start: 0, text: '', chunks: [] });
    const key = `${docId} ${revision} ${first.event}`;
    const kept = this.#texts.get(key);
    if (kept) return kept;
    const reading = this.#readText(docId, batches);
    const length = batches.reduce((sum, batch) => sum + batch.length, 0);
    this.#texts.set(key, reading, length);
    reading.catch(() => this.#texts.delete(key));
    return reading;
  }

  async #readText(docId: number, batches: readonly Batch[]): Promise<SourceText> {
    const read: SourceText = { start: batches[0]!.from, text: '', chunks: [] };
    for (const { event } of batches) {
      const [batch] = await this.#log.readStream(`document-${docId}`, event, 1);
      if (batch?.type !== 'ChunksAdded')
        throw new Failure('internal', `Document ${docId} has no text at event ${event}.`);
      read.text += batch.data.text;
      read.chunks.push(...batch.data.chunks);
    }
    return read;
  }
}

const emptyOutline = (): Outline => ({ next: 0, revisions: new Map(), published: new Map(), current: null });

function note(outline: Outline, event: RecordedEvent): void {
  outline.next = event.revision + 1;
  switch (event.type) {
    case 'ChunksAdded': {
      const { revision, from, text, chunks } = event.data;
      const batches = outline.revisions.get(revision) ?? [];
      const names = chunks.map(({ chunk_index }) => chunk_index);
      batches.push({ event: event.revision, from, length: text.length, chunks: names });
      outline.revisions.set(revision, batches);
      break;
    }
    case 'RevisionAbandoned':
      outline.revisions.delete(event.data.revision);
      break;
    case 'RevisionPublished': {
      const facts = factsOf(event.data);
      outline.published.set(facts.revision, { facts, published_at: event.time });
      outline.current = facts.revision;
      break;
    }
    case 'DocumentWithdrawn':
      outline.current = null;
      break;
  }
}

function chunkCount({ revisions }: Outline): number {
  let count = 1;
  for (const batches of revisions.values()) for (const { chunks } of batches) count += chunks.length;
  return count;
}

/** Groups consecutive batches into parts. A revision without batches has one empty part. */
function partsOf(batches: readonly Batch[]): Batch[][] {
  const parts: Batch[][] = [[]];
  let characters = 0;
  for (const batch of batches) {
    if (characters > 0 && characters + batch.length > partCharacters) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)!.push(batch);
    characters += batch.length;
  }
  return parts;
}
