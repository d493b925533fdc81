/**
 * Looks up a question and, if the best sentence is not in the requested language, finds its version in that language.
 * Nothing is translated:
 *
 * - A twin is a document in the same layer whose key differs only in the language code ("act-ru" and "act-kk"). A
 *   numbered provision in another language leads to the provision with the same number in the twin.
 * - In a document with text in both languages, the sentence with the same numbers is the same statement.
 */
import type { Language } from '../../domain/events.ts';
import type { Span } from '../../domain/span.ts';
import type { ChunkSearch, Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { RetrievalResult } from '../../reading/passages.ts';
import { bodyStart, type Found, type RetrievalRequest } from '../../reading/passages.ts';
import type { ScoredSentence } from '../../reading/sentence-model.ts';
import { isSame, numbersOf } from '../../text/numbers.ts';
import { units } from '../../text/units.ts';
import { runRetrieval } from './retrieve.ts';
import type { Retriever } from './retriever.ts';

/** Like `runRetrieval`, but with the twin of the best provision. Rejects with Failure `unavailable`. */
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
 * If the best sentence is in another language, puts the sentence at the same position in the twin before it. If it is
 * from a FAQ pair, the provisions that the pair names are converted instead.
 */
async function withTwins(
  search: Pick<ChunkSearch, 'byNumber' | 'list'>,
  scope: SearchScope,
  lang: Language,
  found: RetrievalResult,
): Promise<RetrievalResult> {
  const [best] = found.sentences;
  const hit = best && found.hits[best.passage]!;
  if (!hit || hit.chunk.lang === lang) return found;
  const sources = hit.chunk.question === null ? [{ ...best, passage: hit }] : found.linked;
  const twins = await Promise.all(
    sources.map(async ({ passage, start, end }) => {
      const twin = await twinOf(search, scope, lang, passage);
      if (twin) return { twin, ...placeIn(twin, passage, { start, end }) };
      return withSameNumbers(search, lang, passage, { start, end });
    }),
  );
  const spoken = twins.filter((one) => one !== null);
  if (spoken.length === 0) return found;
  const ids = new Set(spoken.map(({ twin }) => twin.id));
  const hits = [...spoken.map(({ twin }) => twin), ...found.hits.filter(({ id }) => !ids.has(id))];
  const at = (passage: Found, sentence: ScoredSentence) => ({
    ...sentence,
    passage: hits.findIndex(({ id }) => id === passage.id),
  });
  const firsts = spoken.map(({ twin, start, end }) => at(twin, { ...best, start, end }));
  const isFirst = (one: ScoredSentence) =>
    firsts.some(({ passage, start }) => passage === one.passage && start === one.start);
  const others = found.sentences.map((one) => at(found.hits[one.passage]!, one));
  return { ...found, hits, sentences: [...firsts, ...others.filter((one) => !isFirst(one))], linked: [] };
}

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

/** Maximum number of chunks of the document to search. */
const chunksAtMost = 200;

/**
 * The sentence of the same document in another language that contains all numbers of the given one. Null if there is
 * none or more than one, or if the given sentence has only numbers of one digit, which are too common.
 */
async function withSameNumbers(
  search: Pick<ChunkSearch, 'list'>,
  lang: Language,
  { facts, chunk, text, score }: Found,
  { start, end }: Span,
): Promise<({ twin: Found } & Span) | null> {
  const numbers = numbersOf(text.slice(start, end), chunk.lang);
  if (!numbers.some(({ keys }) => keys.some((key) => Number(key) >= 10))) return null;
  const { items } = await search.list(facts.doc_id, chunksAtMost, 0);
  const same = items
    .filter((passage) => passage.chunk.lang === lang)
    .flatMap((passage) =>
      unitsOf(passage)
        .filter((unit) => {
          const there = numbersOf(passage.text.slice(unit.start, unit.end), lang);
          return numbers.every(({ keys }) => there.some((other) => isSame(keys, other.keys)));
        })
        .map((unit) => ({ twin: { ...passage, score }, ...unit })),
    );
  return same.length === 1 ? same[0]! : null;
}

function unitsOf(passage: Passage): Span[] {
  const from = bodyStart(passage);
  return units(passage.text.slice(from)).map(({ start, end }) => ({ start: start + from, end: end + from }));
}
