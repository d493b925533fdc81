/**
 * An answer that was found in the language of its question, given in another: by the passage at the same place of its
 * document's twin, else by a sentence that says as much in figures. Nothing is translated.
 */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import { isSame, numberKeys, numbersOf } from '../text/numbers.ts';
import { splitSentences } from '../text/sentences.ts';
import { twinsIn } from './across-languages.ts';
import { holdsFigure } from './answer-kinds.ts';
import type { StoredLexicon } from './lexicon/lexicon.ts';
import { bodyStart, type Found, type RetrievalRequest } from './passages.ts';
import { type RetrievalResult, runRetrieval } from './pipeline.ts';
import { kindsOf } from './question.ts';
import type { Retriever } from './retrieve.ts';
import type { ScoredSentence } from './sentence-model.ts';

interface Sources {
  retriever: Retriever;
  search: ChunkSearch;
  lexicon: Pick<StoredLexicon, 'twins'>;
}

/** What was found, as the language of the request has it; null where nothing there says it. */
export async function parallelAnswer(
  sources: Sources,
  request: RetrievalRequest,
  found: RetrievalResult,
  signal?: AbortSignal,
): Promise<RetrievalResult | null> {
  const [best] = found.sentences;
  const hit = best && found.hits[best.passage];
  if (!found.answerable || !best || !hit || request.lang === null || hit.chunk.lang === request.lang)
    return null;
  const parallel =
    (await atTwin(sources, request, hit, best)) ?? (await byFigures(sources, request, hit, best, signal));
  return (
    parallel && {
      ...found,
      hits: [parallel.hit, ...found.hits].slice(0, request.limit),
      sentences: [
        { ...parallel.span, passage: 0, score: best.score, share: best.share, own: best.own, named: true },
      ],
      linked: { sameQuestion: false, provisions: [] },
    }
  );
}

interface Parallel {
  hit: Found;
  span: { start: number; end: number };
}

/** The sentence at the place of the answer in the twin of its passage. */
async function atTwin(
  { search, lexicon }: Sources,
  request: RetrievalRequest,
  hit: Found,
  { start, end }: ScoredSentence,
): Promise<Parallel | null> {
  const from = bodyStart(hit);
  const sentences = splitSentences(hit.text.slice(from)).map((one) => {
    const span = { start: one.start + from, end: one.end + from };
    const isAnswer = span.start < end && start < span.end;
    return { ...span, share: isAnswer ? 1 : 0, own: isAnswer ? 1 : 0, met: 0 };
  });
  const twins = (ids: readonly number[]) => lexicon.twins(ids);
  const [twin] = await twinsIn(
    request.lang!,
    request,
    { hits: [hit], sentences: [sentences] },
    { search, twins },
  );
  const span = twin?.sentences.find(({ share }) => share > 0);
  return twin && twin.hit.id !== hit.id && span ? { hit: twin.hit, span } : null;
}

/** The best sentence of the language that has all numbers of the answer, and the kind of figure that is asked for. */
async function byFigures(
  { retriever, search }: Sources,
  { models: _, ...request }: RetrievalRequest,
  hit: Found,
  { start, end }: ScoredSentence,
  signal?: AbortSignal,
): Promise<Parallel | null> {
  const answer = hit.text.slice(start, end);
  const numbers = numbersOf(answer, hit.chunk.lang);
  if (numbers.length === 0) return null;
  const kinds = kindsOf(request.question);
  const { hits, sentences } = await runRetrieval(retriever, search, { ...request, question: answer }, signal);
  const span = sentences.find((one) => {
    const { chunk, text } = hits[one.passage]!;
    if (chunk.lang !== request.lang) return false;
    const said = text.slice(one.start, one.end);
    const known = numberKeys(said, chunk.lang);
    return numbers.every(({ keys }) => isSame(keys, known)) && holdsFigure(kinds, said);
  });
  return span ? { hit: hits[span.passage]!, span } : null;
}
