/**
 * Retrieves passages for a question and matches them against it, as input for the evidence model and the sentence
 * model.
 */

import type { Span } from '../../domain/span.ts';
import {
  type AnalysedQuestion,
  analyseQuestion,
  questionStems,
  standIns,
  withoutReportingVerbs,
} from '../../reading/analysed-question.ts';
import { asOf } from '../../reading/in-force.ts';
import { covers, matchPassage } from '../../reading/matching.ts';
import {
  bodyStart,
  type Found,
  type Hit,
  type RetrievalRequest,
  type Retrieved,
  titleOf,
} from '../../reading/passages.ts';
import type { DescribedPassage } from '../../reading/sentence-features.ts';
import type { SearchRequest } from '../../search/search.ts';
import { parseReferences } from '../../text/references/parse.ts';
import { relatedStems } from '../../text/related.ts';
import { stem, words } from '../../text/words.ts';
import type { Retriever } from './retriever.ts';

export interface MatchedRetrieval {
  question: AnalysedQuestion;
  found: Retrieved;
  /** The passages whose sentences are scored, best first. `hitIndex`: the index among the hits. */
  passages: (DescribedPassage & { hitIndex: number })[];
}

/** Default number of passages whose sentences are scored, and minimum number of them from the leading layer. */
const passagesByDefault = 8;
const leadingAtLeast = 2;
/** Number of hits from which the evidence is computed. */
export const evidencePassages = 10;

/** Builds the search request. `limit`: maximum number of passages. */
export function retrieveRequest(
  { corpus_id, question, lang, layers, story, only, models }: RetrievalRequest,
  limit: number,
): SearchRequest {
  return {
    corpus_id,
    query: withoutReportingVerbs(question),
    ...(only !== undefined && { only }),
    ...(story !== undefined && { story }),
    vector: models?.vector ?? null,
    lang,
    layers,
    limit,
  };
}

/** The number of passages to retrieve, which may exceed the requested number. */
export const lookedAt = (request: RetrievalRequest): number => Math.max(request.limit, evidencePassages);

export async function retrieveAndMatch(
  retriever: Retriever,
  request: RetrievalRequest,
  signal?: AbortSignal,
): Promise<MatchedRetrieval> {
  const { lang, layers } = request;
  const limit = lookedAt(request);
  const wanted = retrieveRequest(request, limit);
  const read = request.models?.found ?? (await retriever.retrieve(wanted, signal));
  const found = { ...read, hits: asOf(read.hits, request.past ?? false).slice(0, limit) };
  const stems = [
    ...questionStems(found.query),
    ...standIns(found.query),
    ...found.corrections.map(({ known }) => known),
    ...found.hits.slice(0, passagesByDefault).flatMap(({ chunk }) => questionStems(chunk.question ?? '')),
  ];
  const { documents, df } = await retriever.frequencies(request, stems);
  const frequencies = { documents, df, corrections: found.corrections };
  const about = new Set((request.about ?? []).flatMap(questionStems));
  const asked = found.query === wanted.query ? request.question : found.query;
  const question = analyseQuestion(found.query, frequencies, about, lang, asked);
  if (request.focus) question.names.push(...questionStems(request.focus));
  const described = (hit: Hit): DescribedPassage => {
    signal?.throwIfAborted();
    return {
      match: matchPassage(
        question,
        withoutOwnNumbers(
          titleOf(hit),
          question.counts.flatMap(({ keys }) => keys),
        ),
        hit.text,
        hit.score,
        bodyStart(hit),
        hit.chunk.lang,
      ),
      opens: hit.chunk.start === 0,
      isPair: hit.chunk.question !== null,
      isProvision: hit.chunk.number !== null,
      ownLanguage: lang === null || hit.chunk.lang === lang,
    };
  };
  const passages = chosen(found.hits, layers, request.read ?? passagesByDefault).map((hit) => ({
    ...described(hit),
    hitIndex: found.hits.indexOf(hit),
  }));
  return { question, found, passages };
}

/** The best passages, including at least `leadingAtLeast` from the leading layer if there are that many. */
function chosen(hits: readonly Hit[], layers: readonly string[], atMost: number): Hit[] {
  const leading = (hit: Hit) => layers.length < 2 || hit.facts.layer.name === layers[0];
  const leadingCount = hits.slice(0, atMost).filter(leading).length;
  const leadingBelow = hits.slice(atMost).filter(leading);
  return [...hits.slice(0, atMost), ...leadingBelow.slice(0, Math.max(0, leadingAtLeast - leadingCount))];
}

/** Removes provision numbers that are counts in the question from a title: "in 42 days" must not match Article 42. */
function withoutOwnNumbers(title: string, counts: readonly string[]): string {
  if (counts.length === 0) return title;
  let left = title;
  for (const { start, end } of parseReferences(title).toReversed()) {
    const kept = left.slice(start, end).replace(/\d+/g, (number) => (counts.includes(number) ? ' ' : number));
    left = left.slice(0, start) + kept + left.slice(end);
  }
  return left;
}

/** Whether a sentence or its title names the required subject, possibly by a related word. */
export function speaksOf(focus: string, hit: Found, { start, end }: Span): boolean {
  const there = words(`${titleOf(hit)} ${hit.text.slice(start, end)}`).map(stem);
  return questionStems(focus).every((wanted) => {
    const alike = [wanted, ...relatedStems(wanted)];
    return there.some((word) => alike.some((one) => covers(one, word)));
  });
}
