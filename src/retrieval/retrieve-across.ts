/** A question looked up in its own language, and where that says little, or change is asked for, in the others. */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import { findAcross } from './across-languages.ts';
import { withOtherLanguages } from './changes-across.ts';
import type { StoredLexicon } from './lexicon/lexicon.ts';
import { parallelAnswer } from './parallel-answer.ts';
import type { RetrievalRequest } from './passages.ts';
import { type RetrievalResult, runRetrieval } from './pipeline.ts';
import type { Retriever } from './retrieve.ts';

/** As `runRetrieval`, with what other languages say where the asker's own says little. Rejects with Failure `unavailable`. */
export async function retrieveAcross(
  retriever: Retriever,
  search: ChunkSearch,
  lexicon: Pick<StoredLexicon, 'current' | 'twins'>,
  request: RetrievalRequest,
  signal?: AbortSignal,
): Promise<RetrievalResult> {
  const { from, ...wanted } = request;
  if (from !== undefined) {
    const found = await retrieveAcross(retriever, search, lexicon, { ...wanted, lang: from }, signal);
    return (await parallelAnswer({ retriever, search, lexicon }, wanted, found, signal)) ?? found;
  }
  const found = await runRetrieval(retriever, search, request, signal);
  if (request.lang === null || !(found.changes || isWeak(request, found))) return found;
  signal?.throwIfAborted();
  const terms = await retriever.terms(request);
  if (terms === null || terms.languages.every((lang) => lang === request.lang)) return found;
  const twins = (ids: readonly number[]) => lexicon.twins(ids);
  const across = { search, terms, twins, lexicon: await lexicon.current() };
  return found.changes
    ? withOtherLanguages(request, found, across)
    : ((await findAcross(request, found, across)) ?? found);
}

/**
 * Log odds of the evidence from which on the asker's own language has answered, and no other is asked: some four answers
 * of five are right. Where others were asked behind surer answers, they took the place of right ones only.
 */
const surely = 0.1;

/**
 * Whether other languages are asked: nothing was asked for by number, nor by what documents state of themselves, and
 * there is no answer, or one that is not sure.
 */
const isWeak = ({ references }: RetrievalRequest, found: RetrievalResult): boolean =>
  references.length === 0 && !found.ofTheDay && (!found.answerable || found.evidence.score < surely);
