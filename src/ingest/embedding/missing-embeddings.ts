/** Finds chunks without vectors, in batches, for a backfill. */

import { pages } from '../../async/pages.ts';
import type { BackfillJob } from '../../domain/backfill.ts';
import type { Chunk } from '../../domain/events.ts';
import type { ReadModelReads } from '../../ports/read-model-reads.ts';

type MissingReads = Pick<ReadModelReads, 'find' | 'chunks' | 'embeddedByDocument'>;

const pageChunks = 200;
const pageDocuments = 2000;

/** Consecutive chunks of a revision that have no vectors. */
export interface Gap {
  doc_id: number;
  corpus_id: string;
  revision: number;
  title: string;
  first: number;
  chunks: { chunk: Chunk; text: string }[];
}

/** The gaps in all affected documents, in batches of `batch_size` chunks. */
export async function* batches(reads: MissingReads, job: BackfillJob): AsyncGenerator<Gap[]> {
  let batch: Gap[] = [];
  let room = job.batch_size;
  for (const docId of await incomplete(reads, job)) {
    for await (const gap of gapsOf(reads, docId, job.embedder)) {
      for (let from = 0; from < gap.chunks.length; ) {
        const chunks = gap.chunks.slice(from, from + room);
        batch.push({ ...gap, first: gap.first + from, chunks });
        from += chunks.length;
        room -= chunks.length;
        if (room > 0) continue;
        yield batch;
        batch = [];
        room = job.batch_size;
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** Ids of the documents that have chunks without vectors. */
async function incomplete(reads: MissingReads, { doc_key, embedder }: BackfillJob): Promise<number[]> {
  const embedded = new Map(
    (await reads.embeddedByDocument(embedder)).map((row) => [row.doc_id, row.embedded]),
  );
  const where = doc_key === null ? {} : { where: { doc_key } };
  const found: number[] = [];
  const orderBy = { field: 'doc_id' };
  const listed = pages((page) => reads.find('documents', { ...where, orderBy, ...page }), pageDocuments);
  for await (const items of listed)
    for (const { doc_id, chunk_count } of items)
      if ((embedded.get(Number(doc_id)) ?? 0) < Number(chunk_count)) found.push(Number(doc_id));
  return found;
}

async function* gapsOf(reads: MissingReads, doc_id: number, embedder: string): AsyncGenerator<Gap> {
  const listed = pages(({ limit, offset }) => reads.chunks(doc_id, limit, offset, embedder), pageChunks);
  for await (const items of listed) {
    let gap: Gap | null = null;
    for (const { embedded, ordinal, facts, chunk, text } of items) {
      if (embedded) {
        if (gap !== null) yield gap;
        gap = null;
        continue;
      }
      const { corpus_id, revision, title } = facts;
      gap ??= { doc_id, corpus_id, revision, title, first: ordinal, chunks: [] };
      gap.chunks.push({ chunk, text });
    }
    if (gap !== null) yield gap;
  }
}
