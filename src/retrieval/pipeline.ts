/**
 * All that an answer is made from, in one call: numbered provisions looked up exactly, the passages ranked, the
 * evidence weighed and the sentences scored. Runs inside a worker thread; its request and result are plain data.
 */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import { parseReferences } from '../text/references/parse.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import type { AskedDocuments } from './asked-documents.ts';
import { byDate, openings, saying } from './by-date.ts';
import { covers, type Evidence, enough, matchPassage, threshold, weigh } from './evidence.ts';
import {
  bodyStart,
  type ExactFinding,
  type Found,
  type Links,
  type ResearchRequest,
  type StatedHolder,
  titleOf,
} from './passages.ts';
import { followLinks, lookUp } from './provision-lookup.ts';
import { analyseQuestion, questionStems, standIns, withoutFraming } from './question.ts';
import type { Hit, Retriever } from './retrieve.ts';
import { holdsCount, holdsName, type ScoredSentence, score } from './sentence-scoring.ts';

export type { ExactFinding, Found, Links, Provision, ResearchRequest, Wanted } from './passages.ts';

export interface Research {
  /** The question as it was understood: a wrong keyboard layout put right. */
  question: string;
  /** Words of it were taken for others: misspelt ones, or typed in another layout or script. */
  corrected: boolean;
  hits: Found[];
  /** Scored sentences, best first; `passage` is the place among `hits`. */
  sentences: ScoredSentence[];
  evidence: Evidence;
  threshold: number;
  /** Whether the evidence is enough to answer. */
  answerable: boolean;
  exact: ExactFinding[];
  linked: Links;
  /** The answer, where the question asks who holds an office or who somebody is. */
  holders: StatedHolder[];
  /** It asks how something changed. */
  changes: boolean;
  /** Whose words alone were looked through, as the documents name them. */
  speakers: readonly string[];
  /** The documents that were looked through; null: all. */
  only: ReadonlySet<number> | null;
  /** It asks for the latest there is, so that the next document may answer otherwise. */
  ofTheDay: boolean;
}

/** Passages whose sentences are scored, and how many more of the leading layer where it has fewer among them. */
const readByDefault = 5;
const leadingAtLeast = 2;
/** Sentences of which one must hold the number asked for. */
const countSentences = 3;
/** Hits that the evidence is weighed over, and the part of the best one's word score below which they are left out. */
const evidencePassages = 10;
const minWordScoreShare = 0.1;

/** Looks up everything for one question in layers of a corpus. Rejects with Failure `unavailable`. */
export async function research(
  retriever: Retriever,
  search: ChunkSearch,
  request: ResearchRequest,
  signal?: AbortSignal,
): Promise<Research> {
  // Who asks for a provision by its number asks for nothing else.
  if (request.references.length > 0)
    return {
      ...(await byWords(retriever, search, request, signal)),
      holders: [],
      changes: false,
      speakers: [],
      only: null,
      ofTheDay: false,
    };
  const asked = await retriever.askedDocuments(request.question, request, request.lang);
  const { question, only, changes, speakers } = asked;
  // Who speaks is known: the words need not name the subject once more.
  const { focus, ...unfocused } = request;
  const byText = await byWords(
    retriever,
    search,
    {
      ...unfocused,
      question,
      ...(focus !== undefined && speakers.length === 0 && { focus }),
      ...(only !== null && { only }),
      // Of what changed every document is heard.
      ...(changes && { read: request.limit }),
    },
    signal,
  );
  const { order, present } = asked;
  const found = { ...byText, holders: [], changes, speakers, only, ofTheDay: order === 'latest' || present };
  const holders = await holdersIn(retriever, request, asked);
  if (holders.length > 0) {
    const hits = [...holders.map(({ passage }) => passage), ...byText.hits].slice(0, request.limit);
    return { ...found, hits, sentences: [], answerable: true, holders, ofTheDay: true };
  }
  if (!asked.whole) return { ...found, sentences: byDate(byText.sentences, byText.hits, asked) };
  const spoken = await retriever.beginnings(asked.inOrder(request.limit), request);
  const hits = spoken.map((passage) => ({ ...passage, score: 1 }));
  return {
    ...found,
    hits,
    sentences: openings(hits),
    answerable: hits.length > 0,
    changes: false,
    ofTheDay: true,
  };
}

/** The holders of an office with the passage each is known from, and where it says so the sentence. */
async function holdersIn(
  retriever: Retriever,
  request: ResearchRequest,
  { holders }: AskedDocuments,
): Promise<StatedHolder[]> {
  const passages = await retriever.beginnings(
    holders.map(({ doc_id }) => doc_id),
    request,
  );
  return holders.flatMap((holder) => {
    const passage = passages.find(({ facts }) => facts.doc_id === holder.doc_id);
    return passage ? [{ ...holder, ...saying(passage.text, holder), passage: { ...passage, score: 1 } }] : [];
  });
}

/** What the words of a question find. */
async function byWords(
  retriever: Retriever,
  search: ChunkSearch,
  request: ResearchRequest,
  signal?: AbortSignal,
): Promise<Omit<Research, 'holders' | 'changes' | 'speakers' | 'only' | 'ofTheDay'>> {
  const { corpus_id, lang, layers } = request;
  const found = await retriever.retrieve(
    {
      corpus_id,
      query: withoutFraming(request.question),
      ...(request.only !== undefined && { only: request.only }),
      ...(request.story !== undefined && { story: request.story }),
      lang,
      layers,
      limit: Math.max(request.limit, evidencePassages),
    },
    signal,
  );
  const known = found.corrections.flatMap((correction) => correction.known);
  const { documents, df } = await retriever.frequencies(request, [
    ...questionStems(found.query),
    ...standIns(found.query),
    ...known,
    ...found.hits.slice(0, readByDefault).flatMap(({ chunk }) => questionStems(chunk.question ?? '')),
  ]);
  const question = analyseQuestion(found.query, { documents, df, corrections: found.corrections });
  if (request.focus) question.names.push(...questionStems(request.focus));
  const readAtMost = request.read ?? readByDefault;
  const leading = (hit: Hit) => layers.length < 2 || hit.facts.layer.name === layers[0];
  // The leading layer is heard even where others crowd it out.
  const crowded = found.hits.slice(readAtMost).filter(leading);
  const heard = found.hits.slice(0, readAtMost).filter(leading).length;
  const chosen = [
    ...found.hits.slice(0, readAtMost),
    ...crowded.slice(0, Math.max(0, leadingAtLeast - heard)),
  ];
  const matches = chosen.map((hit) => {
    signal?.throwIfAborted();
    const title = withoutOwnNumbers(titleOf(hit), question.counts);
    return matchPassage(question, title, hit.text, hit.score, bodyStart(hit));
  });
  // Passages found by their vectors alone say nothing about words.
  const bestWords = found.hits[0]?.bm25 ?? 0;
  const lexical = found.hits
    .slice(0, evidencePassages)
    .filter(
      ({ bm25, window, similarity }) =>
        bm25 > minWordScoreShare * bestWords && (window > 0 || similarity === 0),
    );
  const evidence = weigh(
    question,
    matches,
    lexical.map(({ bm25 }) => bm25),
  );
  const limit = threshold(lexical.map(titleOf));
  const hits = found.hits.slice(0, request.limit).map(plain);
  const exact = await Promise.all(
    request.references.map(async (reference) => {
      signal?.throwIfAborted();
      return lookUp(search, request, hits, reference);
    }),
  );
  // Nothing but the number of what is not there: the words of the number are no subject.
  const bare = request.references.length > 0 && withoutReferences(request) === '';
  const sentences = score(question, matches)
    .map((one) => ({ ...one, passage: found.hits.indexOf(chosen[one.passage]!) }))
    .filter((one) => one.passage < hits.length)
    .map((one) => (request.focus ? { ...one, named: one.named && speaksOf(request.focus, hits, one) } : one));
  const named =
    !question.asksName ||
    sentences
      .slice(0, 5)
      .some((one) => holdsName(hits[one.passage]!.text.slice(one.start, one.end), question));
  // How many there are, only a number tells.
  const near = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const silent =
    question.counted !== null &&
    !near
      .slice(0, countSentences)
      .some(({ passage, start, end }) => holdsCount(hits[passage]!.text.slice(start, end)));
  signal?.throwIfAborted();
  const linked = await followLinks(search, request, hits, sentences, question, { documents, df });
  return {
    question: found.query,
    corrected: found.corrections.length > 0 || found.query !== withoutFraming(request.question),
    hits,
    sentences,
    evidence,
    threshold: limit,
    answerable: found.hits.length > 0 && enough(evidence, limit) && named && !bare && !silent,
    exact,
    linked,
  };
}

/** Whether a sentence itself, or a heading above it, names what the answer must be about. */
function speaksOf(focus: string, hits: readonly Found[], { passage, start, end }: ScoredSentence): boolean {
  const hit = hits[passage]!;
  const there = words(`${titleOf(hit)} ${hit.text.slice(start, end)}`).map(stem);
  return questionStems(focus).every((wanted) => there.some((word) => covers(wanted, word)));
}

/** "in 42 days" says nothing of Article 42: a title without the numbers of provisions that the question counts with. */
function withoutOwnNumbers(title: string, counts: readonly string[]): string {
  if (counts.length === 0) return title;
  let left = title;
  for (const { start, end } of parseReferences(title).toReversed()) {
    const kept = left.slice(start, end).replace(/\d+/g, (number) => (counts.includes(number) ? ' ' : number));
    left = left.slice(0, start) + kept + left.slice(end);
  }
  return left;
}

/** The content words of a question outside the references it makes. */
function withoutReferences({ question }: ResearchRequest): string {
  let left = question;
  for (const { start, end } of parseReferences(question).toReversed())
    left = `${left.slice(0, start)} ${left.slice(end)}`;
  return words(left)
    .filter((word) => !isStopWord(word))
    .join(' ');
}

/** The hit without its features. */
function plain({ id, ordinal, facts, chunk, text, score, namesake }: Hit): Found {
  return { id, ordinal, facts, chunk, text, score, ...(namesake && { namesake }) };
}
