/** Helper functions shared by asks and source lookups. */
import type { Tools } from '../answering/kinds/kind.ts';
import { retrievalRequest, toolsFor } from '../answering/kinds/tools.ts';
import { layersOf } from '../answering/writing/sources.ts';
import type { QueuedWork } from '../async/fair-queue.ts';
import type { CorpusSettings, HistoryMessage } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { type Question, type TypedQuestion, understand } from '../question/question.ts';
import type { RetrievalRequest, RetrievalResult } from '../reading/passages.ts';
import type { AskDeps } from './ask-port.ts';

/** Number of UTF-16 units of text that increase the size of a question by one. */
const unitsOfSize = 250;

/** The asker and the size of the question, for the queue. */
export const askerOf = (who: string, query: string, history: readonly HistoryMessage[]): QueuedWork => ({
  who,
  size: 1 + history.reduce((units, { content }) => units + content.length, query.length) / unitsOfSize,
});

/** Returns the settings of an active corpus. Throws Failure `not_found` if there is none. */
export function activeCorpus(deps: AskDeps, corpusId: string): CorpusSettings {
  const corpus = deps.corpus(corpusId);
  if (!corpus?.active) throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return corpus.settings;
}

/** Interprets a question in a corpus. Rejects like `AskDeps.understand`. */
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

/** Creates the tools for the kinds of question in a corpus. `limit`: maximum number of passages per lookup. */
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
      (async (text, most) => {
        const { passages, more } = await holding({ corpus_id, layers }, text, most);
        return { passages: passages.map((passage) => ({ ...passage, score: 0 })), more };
      }),
  );
}
