/** Whether a recorded answer may still be read: everything it quotes must currently be visible. */
import type { CorpusState } from '../domain/catalog.ts';
import { isPublic, type RecordedSource } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';

export interface ShownDeps {
  reads: Pick<ReadModelReads, 'getMany'>;
  /** Returns null for an unknown corpus. */
  corpus(corpusId: string): Promise<CorpusState | null>;
}

/**
 * Rejects if an answer relies on hidden content. Fails with `gone` and the reason: the corpus is no longer active, a
 * document was withdrawn, or its layer is restricted or no longer in the corpus's settings. Administrators and auditors
 * read such answers in the query log. Fails with `unavailable` if the state could not be read.
 */
export async function refuseHidden(
  { reads, corpus: find }: ShownDeps,
  corpusId: string,
  sources: readonly RecordedSource[],
): Promise<void> {
  if (sources.length === 0) return;
  const corpus = await find(corpusId);
  if (!corpus?.active) throw new Failure('gone', 'The corpus of this answer is no longer active.');
  const ids = [...new Set(sources.map(({ doc_id }) => String(doc_id)))];
  for (const document of await reads.getMany('documents', ids)) {
    if (document?.status === 'withdrawn')
      throw new Failure('gone', 'A document quoted in this answer was withdrawn.');
    const layer = corpus.settings.layers.find(({ name }) => name === document?.layer);
    if (document && !isPublic(layer))
      throw new Failure('gone', 'A document quoted in this answer is no longer public.');
  }
}
