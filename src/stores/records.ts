/** What every store of read models does alike. */
import type { ChunkWrite } from '../ports/chunk-search.ts';
import type { Doc, Write } from '../ports/read-models.ts';

export type RecordWrite = Exclude<Write, ChunkWrite>;

/** A record after a write; null where there is none. */
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
