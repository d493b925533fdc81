/**
 * An evaluation set in a bare chunk index, a record of up to 350 words as one chunk: what the stores are compared by
 * (redis.ts). The service as a whole is measured in application.ts.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Chunk, Language, RevisionFacts } from '../src/domain/events.ts';
import { embedOffline, offlineEmbedder } from '../src/models/offline.ts';
import type { ChunkWrite } from '../src/ports/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../src/stores/embedded/chunks.ts';
import { isLanguage } from '../src/text/languages/index.ts';
import type { Dataset, DatasetDocument } from './dataset.ts';
import type { Run } from './metrics.ts';

/** Answers with scores by document id; what is measured goes through this alone. */
export type Retrieve = (query: string, limit: number) => Promise<{ document: string; score: number }[]>;

/** How many passages a query is asked for. */
const depth = 100;

/** Runs every judged query of a set. */
export async function runQueries(set: Dataset, retrieve: Retrieve): Promise<Run> {
  const run: Run = new Map();
  for (const query of set.queries) {
    if (!set.judgements.has(query.id)) continue;
    const scores = new Map<string, number>();
    for (const { document, score } of await retrieve(query.text, depth)) {
      scores.set(document, Math.max(score, scores.get(document) ?? Number.NEGATIVE_INFINITY));
    }
    run.set(query.id, scores);
  }
  return run;
}

function chunkOf(document: DatasetDocument): Chunk & { text: string } {
  return {
    chunk_index: '001',
    heading: '',
    path: [],
    number: null,
    unit: null,
    question: null,
    lang: isLanguage(document.lang) ? document.lang : 'en',
    start: 0,
    end: document.text.length,
    text: document.text,
  };
}

function factsOf(document: DatasetDocument, docId: number, lang: Language): RevisionFacts {
  return {
    doc_id: docId,
    corpus_id: 'bench',
    doc_key: document.id,
    revision: 1,
    title: document.title ?? '',
    lang,
    layer: { name: 'main', title: null, kind: 'text', visibility: 'public' },
    url: null,
    source_url: null,
    event_date: null,
    metadata: {},
    content_hash: '',
  };
}

/** A document as a published revision of one chunk, with its vector. */
export function revisionWrites(document: DatasetDocument, docId: number): ChunkWrite[] {
  const chunk = chunkOf(document);
  const at = { doc_id: docId, revision: 1 };
  const vectors = [embedOffline(`${document.title ?? ''} ${document.text}`)];
  return [
    { op: 'chunks.revision', facts: factsOf(document, docId, chunk.lang) },
    { op: 'chunks.add', ...at, first: 0, chunks: [chunk] },
    { op: 'chunks.vectors', ...at, embedder: offlineEmbedder.name, first: 0, vectors },
    { op: 'chunks.publish', ...at },
  ];
}

/** Puts documents into a chunk index in one transaction. */
export function fillIndex(db: DatabaseSync, prefix: string, documents: readonly DatasetDocument[]): void {
  createChunkTables(db, prefix);
  const writer = new ChunkWriter(db, prefix);
  db.exec('BEGIN');
  for (const [n, document] of documents.entries())
    for (const write of revisionWrites(document, n + 1)) writer.write(write);
  db.exec('COMMIT');
}
