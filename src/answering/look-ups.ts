/** Shared by asks and source look-ups: the asker, the corpus, the interpreted question, the tools of the kinds. */
import type { Piece } from '../async/fair-queue.ts';
import type { CorpusSettings, HistoryMessage } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { AskDeps } from './ask-port.ts';
import type { Tools } from './kinds/kind.ts';
import { retrievalRequest, toolsFor } from './kinds/tools.ts';
import type { RetrievalRequest, RetrievalResult } from './reading/passages.ts';
import type { TypedQuestion } from './understanding/in-corpus.ts';
import { type Question, understand } from './understanding/question.ts';
import { layersOf } from './writing/sources.ts';

/** Number of UTF-16 units that add one unit of size to a question. */
const unitsOfSize = 250;

/** The asker's unit of work for the queue. */
export const askerOf = (who: string, query: string, history: readonly HistoryMessage[]): Piece => ({
  who,
  size: 1 + history.reduce((units, { content }) => units + content.length, query.length) / unitsOfSize,
});

/** The settings of an active corpus, or Failure `not_found`. */
export function activeCorpus(deps: AskDeps, corpusId: string): CorpusSettings {
  const corpus = deps.corpus(corpusId);
  if (!corpus?.active) throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return corpus.settings;
}

/** Interprets a question in a corpus. Rejects as `AskDeps.understand` does. */
export async function understandIn(
  deps: AskDeps,
  corpus_id: string,
  typed: TypedQuestion,
  signal: AbortSignal,
): Promise<Question> {
  const { query, history, settings } = typed;
  if (!deps.understand) return understand(query, history, settings);
  const layers = layersOf(settings, 'current').map(({ name }) => name);
  return deps.understand({ corpus_id, layers }, typed, signal);
}

/** The tools of kinds in a corpus; `retrieve` finds at most `limit` passages per look-up. */
export function toolsIn(
  { references, holding }: AskDeps,
  {
    corpus_id,
    corpus,
    question,
    limit,
  }: { corpus_id: string; corpus: CorpusSettings; question: Question; limit: number },
  retrieve: (request: RetrievalRequest) => Promise<RetrievalResult>,
): Tools {
  const layers = layersOf(corpus, 'current').map(({ name }) => name);
  return toolsFor(
    question,
    (wanted) => retrieve(retrievalRequest({ corpus_id, settings: corpus }, question.lang, limit, wanted)),
    references && ((wanted) => references({ corpus_id, layers, ...wanted })),
    holding &&
      (async (text, most) =>
        (await holding({ corpus_id, layers }, text, most)).map((passage) => ({ ...passage, score: 0 }))),
  );
}
