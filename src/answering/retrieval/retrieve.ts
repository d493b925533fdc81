/**
 * Collects everything needed for an answer in one call: exact lookups of numbered provisions, ranked passages, scored
 * sentences and the evidence. It runs in a worker thread, so requests and results are plain data.
 */

import type { AnswerKind } from '../../language/index.ts';
import type { ChunkSearch } from '../../ports/chunk-search.ts';
import { type AnalysedQuestion, withoutReportingVerbs } from '../../reading/analysed-question.ts';
import {
  countsThings,
  holdsCount,
  holdsName,
  holdsSum,
  isMeasure,
  isPart,
} from '../../reading/answer-kinds.ts';
import { enough, threshold, weigh } from '../../reading/evidence.ts';
import { isAsked } from '../../reading/matching.ts';
import type {
  Found,
  Hit,
  RetrievalRequest,
  RetrievalResult,
  Retrieved,
  StatedHolder,
} from '../../reading/passages.ts';
import { type ScoredSentence, scoreSentences } from '../../reading/sentence-model.ts';
import { parseReferences } from '../../text/references/parse.ts';
import { contentWords, isQuestionWord, stem } from '../../text/words.ts';
import type { AskedDocuments } from './documents/asked-documents.ts';
import { byDate, openings, sentenceNaming } from './documents/by-date.ts';
import { outlineOf } from './outline/find.ts';
import { findProvisions, followLinks } from './provisions/look-up.ts';
import { ProvisionReads } from './provisions/provision-reads.ts';
import { evidencePassages, retrieveAndMatch, retrieveRequest, speaksOf } from './retrieve-and-match.ts';
import type { Retriever } from './retriever.ts';

/**
 * Finds the passages that `runRetrieval` would find, so that they can be passed to it. `query`: the query to search for
 * instead of the question (null: the question), in the documents that the question selects. Rejects like
 * `runRetrieval`.
 */
export async function candidatesFor(
  retriever: Retriever,
  request: RetrievalRequest,
  query: string | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Retrieved> {
  const { question, only } = await retriever.askedDocuments(request.question, request, request.lang);
  const searched = { ...request, ...(query === null ? { question } : { question: query, story: '' }) };
  return retriever.retrieve(retrieveRequest({ ...searched, ...(only !== null && { only }) }, limit), signal);
}

/** Number of top sentences, one of which must contain the number asked for. */
const countSentences = 1;
/** Number of top sentences, one of which must contain an amount of money if the question asks for one. */
const sumSentences = 3;
/** The penalty for a sentence that is not about the required subject. */
const offFocus = 0.5;
/** Hits with less than this share of the best hit's word score are excluded from the evidence. */
const minWordScoreShare = 0.1;

/** Looks up everything for a question in the layers of a corpus. Rejects with Failure `unavailable`. */
export async function runRetrieval(
  retriever: Retriever,
  search: ChunkSearch,
  request: RetrievalRequest,
  signal?: AbortSignal,
): Promise<RetrievalResult> {
  // If a question asks for provisions by number, it is not read in any other way.
  if (request.references.length > 0)
    return {
      ...(await byWords(retriever, search, request, signal)),
      holders: [],
      outline: null,
      changes: false,
      speakers: [],
      ofTheDay: false,
    };
  const asked = await retriever.askedDocuments(request.question, request, request.lang);
  const { question, only, changes, speakers } = asked;
  // If the speaker is known, sentences need not name the required subject.
  const { focus, ...unfocused } = request;
  const byText = await byWords(
    retriever,
    search,
    {
      ...unfocused,
      question,
      ...(focus !== undefined && speakers.length === 0 && { focus }),
      ...(only !== null && { only }),
      // If the question asks for changes, the sentences of all passages are scored.
      ...(changes && { read: request.limit }),
    },
    signal,
    changes,
  );
  const { order, present } = asked;
  const outline = await outlineOf(search, request, byText.hits);
  const found = {
    ...byText,
    outline,
    holders: [],
    changes,
    speakers,
    ofTheDay: order === 'latest' || present,
  };
  const holders = await holdersIn(retriever, request, asked);
  if (holders.length > 0) {
    const hits = [...holders.map(({ passage }) => passage), ...byText.hits].slice(0, request.limit);
    return { ...found, hits, sentences: [], answerable: true, holders, ofTheDay: true };
  }
  if (!asked.whole) return { ...found, sentences: [...byDate(byText.sentences, byText.hits, asked)] };
  const spoken = await retriever.beginnings(asked.inOrder(request.limit), request);
  const hits = spoken.map((passage) => ({ ...passage, score: 1 }));
  const { asksOf } = asked;
  return {
    ...found,
    ...(asksOf !== null &&
      hits.length > 0 && {
        statements: { asks: asksOf, ordered: order !== null, total: asked.total(), passages: hits },
      }),
    hits,
    sentences: openings(hits),
    answerable: hits.length > 0,
    changes: false,
    ofTheDay: true,
  };
}

/** The holders of an office with their passages and, if there is one, the sentence that states the fact. */
async function holdersIn(
  retriever: Retriever,
  request: RetrievalRequest,
  { holders }: AskedDocuments,
): Promise<StatedHolder[]> {
  const passages = await retriever.beginnings(
    holders.map(({ doc_id }) => doc_id),
    request,
  );
  return holders.flatMap((holder) => {
    const passage = passages.find(({ facts }) => facts.doc_id === holder.doc_id);
    return passage
      ? [{ ...holder, ...sentenceNaming(passage.text, holder), passage: { ...passage, score: 1 } }]
      : [];
  });
}

/** Looks up a question by its words. `changes`: whether it asks how something has changed rather than for a number. */
async function byWords(
  retriever: Retriever,
  search: ChunkSearch,
  request: RetrievalRequest,
  signal?: AbortSignal,
  changes = false,
): Promise<Omit<RetrievalResult, 'holders' | 'outline' | 'changes' | 'speakers' | 'ofTheDay'>> {
  const { question, found, passages } = await retrieveAndMatch(retriever, request, signal);
  const hits = found.hits.slice(0, request.limit).map(plain);
  const scored = scoreSentences(question, passages);
  const evidence = weigh(
    question,
    passages,
    wordScores(found.hits, request.models?.found?.reordered),
    scored.first,
  );
  const sentences = scored.sentences
    .map((one) => ({ ...one, passage: passages[one.passage]!.hitIndex }))
    .filter((one) => one.passage < hits.length)
    .map((one) => (one.isOtherRow ? { ...one, score: one.score - offFocus } : one))
    .map((one) => {
      if (!request.focus) return one;
      const isOnFocus = speaksOf(request.focus, hits[one.passage]!, one);
      return { ...one, named: one.named && isOnFocus, score: isOnFocus ? one.score : one.score - offFocus };
    })
    .sort((a, b) => b.score - a.score);
  const reads = new ProvisionReads(search, request, signal);
  const exact = await findProvisions(reads, request, hits);
  // If a question consists only of the number of a provision, there are no words to answer.
  const isNumberOnly = request.references.length > 0 && withoutReferences(request).length === 0;
  const asked = isAsked(question);
  const textOf = ({ passage, start, end }: ScoredSentence) => hits[passage]!.text.slice(start, end);
  const hasName = !question.asksName || sentences.slice(0, 5).some((one) => holdsName(textOf(one), asked));
  // "How many" can only be answered by a number that is not part of a date.
  const near = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const holdsNumber = asksMeasure(question) ? holdsCount : countsThings;
  const lacksCount =
    !changes &&
    question.counted !== null &&
    !near.slice(0, countSentences).some((one) => one.counts || holdsNumber(textOf(one)));
  // A question about a price can only be answered by an amount.
  const lacksSum =
    !changes &&
    asksSum(question) &&
    !near.slice(0, sumSentences).some((one) => holdsSum(textOf(one), one.row, asked));
  signal?.throwIfAborted();
  const linked = await followLinks(reads, request, hits, sentences, question);
  return {
    question: found.query,
    corrected: found.corrections.length > 0 || found.query !== withoutReportingVerbs(request.question),
    hits,
    sentences,
    evidence,
    threshold,
    answerable:
      found.hits.length > 0 && enough(evidence) && hasName && !isNumberOnly && !lacksCount && !lacksSum,
    exact,
    ...(exact.length < request.references.length && { exactIsCut: true }),
    linked,
  };
}

/**
 * The word scores of the hits that were found by words, best first. Hits found only by vectors are excluded, and the
 * order determined by a model is ignored.
 */
export function wordScores(hits: readonly Hit[], isReordered = false): number[] {
  const read = hits.slice(0, evidencePassages);
  if (isReordered) read.sort((a, b) => b.bm25 - a.bm25);
  const best = read[0]?.bm25 ?? 0;
  return read
    .filter(
      ({ bm25, window, similarity }) => bm25 > minWordScoreShare * best && (window > 0 || similarity === 0),
    )
    .map(({ bm25 }) => bm25);
}

/** Whether the question asks for an amount of time or money or a percentage. */
const asksMeasure = ({ kinds, words, counted }: AnalysedQuestion): boolean =>
  kinds.some((kind) => kind === 'duration' || kind === 'age' || kind === 'money') ||
  words.some((word) => stem(word) === counted && isMeasure(word));

/** Kinds of answer that a question about a price may also seem to ask for. */
const besidePrices: readonly AnswerKind[] = ['money', 'number', 'list', 'definition'];

/** Whether the question asks only for an amount of money, rather than, for example, the reason for an increase. */
const asksSum = ({ kinds, words }: AnalysedQuestion): boolean =>
  kinds.includes('money') &&
  kinds.every((kind) => besidePrices.includes(kind)) &&
  words.some(isQuestionWord) &&
  !words.some(isPart);

/** The content words of a question, without its references to provisions. */
function withoutReferences({ question }: RetrievalRequest): string[] {
  let left = question;
  for (const { start, end } of parseReferences(question).toReversed())
    left = `${left.slice(0, start)} ${left.slice(end)}`;
  return contentWords(left);
}

/** Removes the ranking features from a hit. */
function plain({ id, ordinal, facts, chunk, text, score, namesake }: Hit): Found {
  return { id, ordinal, facts, chunk, text, score, ...(namesake && { namesake }) };
}
