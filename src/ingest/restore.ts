/** Restores a withdrawn document by publishing its last visible content as a new revision. */
import { factsOf } from '../domain/document.ts';
import type { Chunk, EventTypes } from '../domain/events.ts';
import type { Cause } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { RevisionWriter, type WriterDeps } from './revision-writer.ts';

export interface RestoreDeps extends WriterDeps {
  log: Pick<EventLog, 'readStream'>;
}

/** Number of document events read per batch; each contains up to 48 chunks. */
const readAtOnce = 50;

/**
 * Resolves with the position of the last event, or with null if the document is visible and nothing was done. Fails
 * with `conflict` if no revision was ever published, or if another ingestion interferes.
 */
export async function restoreDocument(
  { log, commands, embedder, extractor }: RestoreDeps,
  docId: number,
  cause: Cause,
): Promise<Position | null> {
  const isVisible = async () => (await commands.document(docId).load()).visible !== null;
  if (await isVisible()) return null;
  const last = await lastPublished(log, docId);
  if (last === null) throw new Failure('conflict', `Document ${docId} was never published.`);
  const { doc_id, corpus_id, doc_key, revision, ...rest } = factsOf(last.data);
  const { root, path, input_hash } = last.data;
  const content = { key: doc_key, text: last.text, chunks: last.chunks, ...rest };
  const origin = { root, path, input_hash, restored_from: revision };
  try {
    const writer = new RevisionWriter({ commands, embedder, extractor }, cause);
    return (await writer.write({ doc_id, isNew: false }, corpus_id, content, origin)).position;
  } catch (error) {
    // A concurrent request for the same document came first.
    if (error instanceof Failure && error.code === 'conflict' && (await isVisible())) return null;
    throw error;
  }
}

interface Written {
  text: string;
  chunks: Chunk[];
}

/** The most recently published revision, from the document's events. */
async function lastPublished(
  log: RestoreDeps['log'],
  docId: number,
): Promise<(Written & { data: EventTypes['RevisionPublished'] }) | null> {
  let open: Written = { text: '', chunks: [] };
  let last: (Written & { data: EventTypes['RevisionPublished'] }) | null = null;
  for (let next = 0; ; next += readAtOnce) {
    const events = await log.readStream(`document-${docId}`, next, readAtOnce);
    for (const { type, data } of events) {
      if (type === 'RevisionStarted') open = { text: '', chunks: [] };
      if (type === 'ChunksAdded') {
        open.text += data.text;
        open.chunks.push(...data.chunks);
      }
      if (type === 'RevisionPublished') last = { ...open, data };
    }
    if (events.length < readAtOnce) return last;
  }
}
