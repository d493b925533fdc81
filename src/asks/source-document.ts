/** A source as its readers see it: one revision's text, told by the document's own stream. */
import type { Chunk, CorpusSettings, RevisionFacts } from '../domain/events.ts';
import type { RecordedEvent } from '../ports/event-log.ts';

export interface SourceInput {
  corpus_id: string;
  doc_id: number;
  /** Absent: the one that is visible now. */
  revision?: number | null;
}

export type SourceDocument =
  | {
      status: 'published';
      facts: RevisionFacts;
      /** RFC 3339. */
      published_at: string;
      /** Normalised; the chunks' offsets are UTF-16 units into it. */
      text: string;
      chunks: Chunk[];
      /** The revision that is visible now. */
      current_revision: number;
    }
  /** There is such a document, but nothing of it is shown. */
  | { status: 'withdrawn' | 'restricted' };

/**
 * What a document's stream says of a revision of it; null when this corpus has no such document or the revision was
 * never published. A document is restricted when its present layer or the layer of the revision asked for is, by the
 * corpus' present settings.
 */
export function sourceDocument(
  events: readonly RecordedEvent[],
  { corpus_id, revision }: SourceInput,
  settings: CorpusSettings,
): SourceDocument | null {
  const published = new Map<number, { facts: RevisionFacts; published_at: string }>();
  const texts = new Map<number, { text: string; chunks: Chunk[] }>();
  let current: number | null = null;
  for (const event of events)
    switch (event.type) {
      case 'ChunksAdded': {
        const { data } = event;
        const before = texts.get(data.revision) ?? { text: '', chunks: [] };
        before.chunks.push(...data.chunks);
        texts.set(data.revision, { text: before.text + data.text, chunks: before.chunks });
        break;
      }
      case 'RevisionPublished': {
        const { root: _, path: _path, input_hash: _hash, ...data } = event.data;
        const { chunk_count: _count, text_length: _length, replaces: _replaces, ...facts } = data;
        published.set(facts.revision, { facts, published_at: event.time });
        current = facts.revision;
        break;
      }
      case 'DocumentWithdrawn':
        current = null;
        break;
    }
  const last = [...published.values()].at(-1);
  if (last?.facts.corpus_id !== corpus_id) return null;
  const wanted = published.get(revision ?? last.facts.revision);
  if (!wanted) return null;
  if (current === null) return { status: 'withdrawn' };
  const hidden = ({ layer }: RevisionFacts) =>
    (settings.layers.find(({ name }) => name === layer.name) ?? layer).visibility === 'restricted';
  if (hidden(last.facts) || hidden(wanted.facts)) return { status: 'restricted' };
  const { text, chunks } = texts.get(wanted.facts.revision) ?? { text: '', chunks: [] };
  return { status: 'published', ...wanted, text, chunks, current_revision: current };
}
