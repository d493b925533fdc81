/**
 * Looks up a question and, where possible, replaces the passages found by their versions in the requested language.
 *
 * A twin is a document in the same layer whose key differs only in the language code ("act-ru" and "act-kk"). A
 * numbered provision in another language is replaced by the provision with the same number in the twin. Nothing is
 * translated.
 */
import type { Language } from '../../domain/events.ts';
import type { ChunkSearch, Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { Span } from '../../text/sentences.ts';
import { units } from '../../text/units.ts';
import type { RetrievalResult } from '../reading/passages.ts';
import { bodyStart, type Found, type RetrievalRequest } from '../reading/passages.ts';
import type { ScoredSentence } from '../reading/sentence-model.ts';
import { runRetrieval } from './read.ts';
import type { Retriever } from './retriever.ts';

/**
 * Like `runRetrieval`, but replaces provisions in other languages by their twins. Rejects with Failure `unavailable`.
 */
export async function retrieveWithTwins(
  retriever: Retriever,
  search: ChunkSearch,
  { from, ...request }: RetrievalRequest,
  signal?: AbortSignal,
): Promise<RetrievalResult> {
  const asked = from === undefined ? request : { ...request, lang: from };
  const found = await runRetrieval(retriever, search, asked, signal);
  return request.lang === null ? found : withTwins(search, request, request.lang, found);
}

/**
 * Converts findings to a language, if the best sentence is in another one or if the question asks for changes. Each
 * passage in another language is replaced by its twin, and its sentences by those at the same positions. If the answer
 * is from a FAQ pair, the twins of the provisions that it names come first.
 */
async function withTwins(
  search: Pick<ChunkSearch, 'byNumber'>,
  scope: SearchScope,
  lang: Language,
  found: RetrievalResult,
): Promise<RetrievalResult> {
  const [best] = found.sentences;
  const source = best && found.hits[best.passage]!.chunk;
  if (!source || !(found.changes || source.lang !== lang)) return found;
  const named = source.question !== null ? found.linked : [];
  const inTwin = (hit: Found) => twinOf(search, scope, lang, hit);
  const [linked, twins] = await Promise.all([
    Promise.all(named.map(({ passage }) => inTwin(passage))),
    Promise.all(found.hits.map(inTwin)),
  ]);
  const all = found.hits.map((hit, n) => twins[n] ?? hit);
  const hits = distinct([...linked.filter((twin) => twin !== null), ...all]);
  const placeOf = ({ id }: Found) => hits.findIndex((hit) => hit.id === id);
  const sentences = [
    ...linked.flatMap((twin, n) => {
      const { passage, ...span } = named[n]!;
      return twin ? [{ ...best, ...placeIn(twin, passage, span), passage: placeOf(twin) }] : [];
    }),
    ...found.sentences.map((one) => {
      const { [one.passage]: twin } = twins;
      const span = twin && placeIn(twin, found.hits[one.passage]!, one);
      return { ...one, ...span, passage: placeOf(all[one.passage]!) };
    }),
  ];
  const isFirst = ({ passage, start }: ScoredSentence, n: number) =>
    sentences.findIndex((one) => one.passage === passage && one.start === start) === n;
  const isInLanguage = hits[sentences[0]!.passage]!.chunk.lang === lang;
  return {
    ...found,
    hits,
    sentences: sentences.filter(isFirst),
    ...(isInLanguage && { linked: [] }),
  };
}

const distinct = (hits: readonly Found[]): Found[] =>
  hits.filter(({ id }, n) => hits.findIndex((hit) => hit.id === id) === n);

/** The provision with the same number in the twin of the passage's document; null if there is none. */
async function twinOf(
  search: Pick<ChunkSearch, 'byNumber'>,
  scope: SearchScope,
  lang: Language,
  { facts, chunk, score }: Found,
): Promise<Found | null> {
  if (chunk.lang === lang || chunk.number === null) return null;
  const key = keyWithout(facts.lang, facts.doc_key);
  if (key === facts.doc_key) return null;
  const { corpus_id } = scope;
  const layers = scope.layers.filter((layer) => layer === facts.layer.name);
  const numbered = await search.byNumber({ corpus_id, layers }, chunk.number, chunk.unit);
  const isTwin = (one: Passage) =>
    one.chunk.lang === lang && one.facts.lang === lang && keyWithout(lang, one.facts.doc_key) === key;
  const twin = numbered.find(isTwin);
  return twin ? { ...twin, score } : null;
}

/** A document key with a placeholder for the language: "norm/act-ru" and "norm/act-kk" become "norm/act-*". */
const keyWithout = (lang: Language, docKey: string): string =>
  docKey.replace(new RegExp(`(?<![\\p{L}\\p{N}])${lang}(?![\\p{L}\\p{N}])`, 'giu'), '*');

/** The corresponding range in the twin of a passage, at the same relative position counted in sentences. */
function placeIn(twin: Passage, passage: Passage, { start, end }: Span): Span {
  const [here, there] = [unitsOf(passage), unitsOf(twin)];
  const unitAt = (offset: number): Span => {
    const before = here.filter((unit) => unit.start <= offset).length - 1;
    const place = Math.round((before * (there.length - 1)) / Math.max(1, here.length - 1));
    return there[Math.max(0, place)] ?? { start: 0, end: twin.text.length };
  };
  return { start: unitAt(start).start, end: unitAt(end - 1).end };
}

function unitsOf(passage: Passage): Span[] {
  const from = bodyStart(passage);
  return units(passage.text.slice(from)).map(({ start, end }) => ({ start: start + from, end: end + from }));
}
