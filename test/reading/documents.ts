/** Documents indexed directly from their chunks, without ingestion. */
import type { Chunk, Language, Layer } from '../../src/domain/events.ts';
import type { ChunkWriter } from '../../src/search/sqlite/chunks.ts';

/** `chunk_index`: defaults to the chunk's number or its position; `lang`: to the document's language. */
export type GivenChunk = Pick<Chunk, 'number' | 'unit' | 'heading'> &
  Partial<Pick<Chunk, 'path' | 'chunk_index' | 'lang'>> & { text: string };

/** Publishes the first revision of a document in the corpus "town". */
export function putDocument(
  writer: ChunkWriter,
  {
    event_date = null,
    doc_key,
    ...given
  }: {
    doc_id: number;
    title: string;
    layer: Layer;
    lang: Language;
    event_date?: string | null;
    doc_key?: string;
  },
  chunks: readonly GivenChunk[],
): void {
  const { doc_id, lang } = given;
  const facts = {
    ...given,
    corpus_id: 'town',
    doc_key: doc_key ?? `d${doc_id}`,
    revision: 1,
    url: null,
    source_url: null,
    event_date,
    metadata: {},
    content_hash: 'h',
  };
  writer.write({ op: 'chunks.revision', facts });
  writer.write({
    op: 'chunks.add',
    doc_id,
    revision: 1,
    first: 0,
    chunks: chunks.map((chunk, n) => ({
      chunk_index: chunk.number ?? String(n),
      path: [],
      lang,
      ...chunk,
      question: null,
      start: 0,
      end: chunk.text.length,
    })),
  });
  writer.write({ op: 'chunks.publish', doc_id, revision: 1 });
}
