/**
 * `npm run bench -- quality <folder…> [--runs <folder>]`: how well retrieval ranks over evaluation sets. Each set is
 * put into a fresh index, a record of up to 350 words as one chunk; a document counts by its best chunk.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Chunk, Language, RevisionFacts } from '../src/domain/events.ts';
import { embedOffline, offlineModels } from '../src/models/offline.ts';
import type { ChunkWrite } from '../src/ports.ts';
import { Retriever } from '../src/search/retrieve.ts';
import { openChunkSearch } from '../src/stores/embedded/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../src/stores/embedded/chunks.ts';
import { type Dataset, type DatasetDocument, readDataset } from './dataset.ts';
import { type Run, ranking, retrievalMetrics } from './metrics.ts';

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
    lang: document.lang === 'ru' || document.lang === 'kk' ? document.lang : 'en',
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
    { op: 'chunks.revision', facts: factsOf(document, docId, chunk.lang), generation: 'current' },
    { op: 'chunks.add', ...at, first: 0, chunks: [chunk] },
    { op: 'chunks.vectors', ...at, embedder: offlineModels.embedder!.name, first: 0, vectors },
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

/** Measures the sets in these folders; writes each run (query, document, score) to `runs` where named. */
export async function quality(
  folders: readonly string[],
  runs: string | null,
): Promise<Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = [];
  for (const folder of folders) {
    const set = readDataset(folder);
    const temporary = mkdtempSync(join(tmpdir(), 'docent-bench-'));
    const db = new DatabaseSync(join(temporary, 'models.sqlite'));
    try {
      fillIndex(db, 'chunks_1_', set.documents);
      const retriever = new Retriever(openChunkSearch(db, 'chunks_1_'), offlineModels);
      const run = await runQueries(set, async (query, limit) => {
        const request = { corpus_id: 'bench', query, lang: null, generations: ['current' as const], limit };
        const { hits } = await retriever.retrieve(request);
        return hits.map((hit) => ({ document: hit.facts.doc_key, score: hit.score }));
      });
      table.push({ set: set.name, ...retrievalMetrics(set.judgements, run) });
      if (runs !== null) {
        mkdirSync(runs, { recursive: true });
        const rows = [...run].flatMap(([query, scores]) =>
          ranking(scores).map((document) => `${query}\t${document}\t${scores.get(document)}\n`),
        );
        writeFileSync(join(runs, `${set.name}.tsv`), rows.join(''));
      }
    } finally {
      db.close();
      rmSync(temporary, { recursive: true });
    }
  }
  return table;
}
