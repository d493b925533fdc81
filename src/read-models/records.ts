/** Record logic shared by all read-model stores. */
import type { ChunkWrite } from '../ports/chunk-search.ts';
import type { Doc, Write } from '../ports/read-models.ts';

export type RecordWrite = Exclude<Write, ChunkWrite>;

/** A record after a write; null if it no longer exists. */
export function changed(doc: Doc | null, write: RecordWrite): Doc | null {
  switch (write.op) {
    case 'put':
      return write.doc;
    case 'merge':
      return { ...doc, ...write.doc };
    case 'increment': {
      const next: Doc = { ...doc };
      for (const [field, by] of Object.entries(write.by)) next[field] = Number(next[field] ?? 0) + by;
      return next;
    }
    case 'delete':
      return null;
  }
}
