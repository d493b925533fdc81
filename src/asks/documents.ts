/** The public list of a corpus's documents. */
import type { FreshCatalog } from '../event-sourcing/fresh-catalog.ts';
import { Failure } from '../failures.ts';
import type { ModelReads } from '../ports/model-reads.ts';
import type { Doc } from '../ports/read-models.ts';

/**
 * Lists the documents of a corpus, or of all corpora if null, sorted by id. Fails with `not_found` for an unknown
 * corpus. May also fail with `unavailable`.
 */
export async function listDocuments(
  { catalog, reads }: { catalog: FreshCatalog; reads: Pick<ModelReads, 'find'> },
  corpusId: string | null,
  page: { limit?: number; offset?: number } = {},
): Promise<{ items: Doc[]; total: number }> {
  const { corpora } = await catalog.load();
  if (corpusId !== null && !corpora.has(corpusId))
    throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return reads.find('documents', {
    ...(corpusId === null ? {} : { where: { corpus_id: corpusId } }),
    orderBy: { field: 'doc_id' },
    ...page,
  });
}
