/**
 * Shows how a file would be parsed, so that it can be reviewed before it is used in answers. Does not ingest anything.
 */
import type { Chunk, Layer } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Hints } from '../formats/blocks.ts';
import { planFiles } from './files.ts';
import type { RecordFault } from './parse-messages.ts';
import type { ParsePool } from './parse-pool.ts';
import type { PreparedDocument, PrepareInput } from './prepare.ts';

/** Maximum number of documents shown from a multi-document file. */
const documentsMax = 20;

export interface InspectRequest {
  path: string;
  /** The layers of the corpus, and the layer used unless the file states another one. */
  layers: { layers: readonly Layer[]; said: string | null };
  /** The sender's metadata. The file's own metadata takes precedence. */
  hints?: Hints;
}

export interface InspectedFile {
  documents: PreparedDocument[];
  /** Records that could not be read. */
  faults: RecordFault[];
  /** Whether the file has more documents than the ones shown. */
  hasMore: boolean;
}

/** Fails like planFiles and the pool, and with `invalid` for a folder. */
export async function inspectFile(
  pool: Pick<ParsePool, 'prepare' | 'records'>,
  { path, layers, hints = {} }: InspectRequest,
): Promise<InspectedFile> {
  const { files, skipped, isFolder } = await planFiles(path, hints);
  const [file] = files;
  if (isFolder || !file)
    throw new Failure('invalid', skipped[0]?.reason ?? `${path} is a folder; name one file.`);
  const input: PrepareInput = {
    path: file.path,
    doc_key: file.doc_key,
    hints: file.hints,
    layers: { ...layers, said: file.hints.layer ?? layers.said },
  };
  const prepared = await pool.prepare(input);
  if ('document' in prepared) return { documents: [prepared.document], faults: [], hasMore: false };
  const found: InspectedFile = { documents: [], faults: [], hasMore: false };
  if (!('records' in prepared)) return found;
  const all = async (heads: readonly unknown[]) => heads.map(() => true);
  for await (const { documents, faults } of pool.records(input, prepared.records, all)) {
    found.documents.push(...documents);
    found.faults.push(...faults);
    if (found.documents.length > documentsMax) break;
  }
  found.hasMore = found.documents.length > documentsMax;
  found.documents.length = Math.min(found.documents.length, documentsMax);
  return found;
}

/** The page on which a chunk begins; null if the document has no pages. */
export const pageOf = ({ marks = [] }: Chunk): number | null =>
  marks.find((mark) => mark.kind === 'page')?.page ?? null;

/** The number of pages that have text. */
export function pageCount(chunks: readonly Chunk[]): number {
  const pages = chunks.flatMap(({ marks = [] }) =>
    marks.flatMap((mark) => (mark.kind === 'page' ? [mark.page] : [])),
  );
  return new Set(pages).size;
}
