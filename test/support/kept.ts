/** The data that a killed process (work-forever.ts) left behind, as read by the next process and by the test. */
import type { App } from '../../src/app-port.ts';

export const corpus = 'lib';

export interface Kept {
  /** The last part of each ask's recorded answer, by request id; null if there is none. */
  asks: Record<string, string | null>;
  documents: KeptDocument[];
}

export interface KeptDocument {
  key: string;
  /** According to the list. */
  revision: number;
  chunks: number;
  /** According to the document itself. */
  read: { status: string; revision: number; parts: number; chunks: number; marks: string[] };
}

/** Reads the given asks and all published documents, once the read models contain the whole history. */
export async function kept(app: App, asked: readonly string[]): Promise<Kept> {
  await app.caughtUp();
  const asks: Kept['asks'] = {};
  for (const id of asked) asks[id] = (await app.recordedAsks.find(id))?.parts?.at(-1)?.type ?? null;
  const { items } = await app.documents(null, { limit: 100, offset: 0 });
  const documents: KeptDocument[] = [];
  for (const { doc_id, doc_key, revision, chunk_count, status } of items) {
    if (status !== 'published') continue;
    const source = await app.source({ corpus_id: corpus, doc_id: Number(doc_id) });
    if (source.status !== 'published') throw new Error(`${doc_key} is ${source.status}`);
    const { chunks, text } = await source.read();
    documents.push({
      key: String(doc_key),
      revision: Number(revision),
      chunks: Number(chunk_count),
      read: {
        status: source.status,
        revision: source.facts.revision,
        parts: source.parts,
        chunks: chunks.length,
        marks: [...text.matchAll(/есть (\d+\.\d+)\./g)].map((m) => m[1]!),
      },
    });
  }
  return { asks, documents };
}
