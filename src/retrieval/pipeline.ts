/**
 * All that an answer is made from, in one call: numbered provisions looked up exactly, the passages ranked, the
 * evidence weighed and the sentences scored. Runs inside a worker thread; its request and result are plain data.
 */
import { statedFacts } from '../domain/chunk-text.ts';
import type { Language } from '../domain/events.ts';
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { NamedAct } from '../text/references/acts.ts';
import { type Numbered, parseReferences, type Reference } from '../text/references/parse.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import { covers, type Evidence, enough, read, threshold, weigh } from './evidence.ts';
import { followLinks, lookUp } from './provision-lookup.ts';
import { analyseQuestion, questionStems, standIns, withoutFraming } from './question.ts';
import type { Hit, Retriever } from './retrieve.ts';
import { holdsCount, holdsName, type ScoredSentence, score } from './sentence-scoring.ts';

/** A provision asked for, and the act it is asked of where the question names one. */
export interface Wanted extends Pick<Reference, 'unit' | 'number' | 'of' | 'chain'> {
  act: NamedAct | null;
}

/** `layers`: the leading one first. */
export interface ResearchRequest extends SearchScope {
  /** The question made whole, typed as it was. */
  question: string;
  /** Passages of this language are preferred; null: no preference. */
  lang: Language | null;
  /** Words the answer must be about, as if they were names. */
  focus?: string;
  /** Provisions asked for by number. */
  references: readonly Wanted[];
  /** Titles of the corpus and its layers: they name an act as the titles of documents do. */
  about?: readonly string[];
  /** Passages wanted, best first. */
  limit: number;
  /** Passages whose sentences are scored; default 5. */
  read?: number;
}

/** A passage with its score; 0 for one that was not found by words. */
export interface Found extends Passage {
  score: number;
}

/** A provision, or the part of one that was asked for. Offsets are UTF-16 units into the passage's text. */
export interface Provision {
  passage: Found;
  start: number;
  end: number;
}

export interface ExactFinding {
  unit: string;
  number: string;
  chain: readonly Numbered[];
  /** The question names an act that no document here is. */
  unknownAct: boolean;
  /** The provision wherever it stands: by rank of layer, then the preferred language, then as ranked. */
  provisions: Provision[];
  /**
   * Where there is none: the provisions whose numbers stand beside it, or the article that lacks the part asked
   * for. Empty where nothing of the unit is numbered.
   */
  neighbours: Found[];
  /** The numbers that stand beside it, the points the article has. */
  near: string[];
}

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
}

/** What of the leading layer a passage of another layer names: the norm behind a comment or an answer. */
export interface Links {
  /** The passage answers the very question asked. */
  sameQuestion: boolean;
  provisions: Provision[];
}

/** Passages whose sentences are scored, and how many more of the leading layer where it has fewer among them. */
const readByDefault = 5;
const leadingAtLeast = 2;
/** Sentences of which one must hold the number asked for. */
const counted = 3;
/** Hits that the evidence is weighed over, and the part of the best one's word score below which they are not. */
const weighed = 10;
const hardly = 0.1;

/** Looks up everything for one question in layers of a corpus. Rejects with Failure `unavailable`. */
export async function research(
  retriever: Retriever,
  search: ChunkSearch,
  request: ResearchRequest,
  signal?: AbortSignal,
): Promise<Research> {
  const { corpus_id, lang, layers } = request;
  const found = await retriever.retrieve(
    {
      corpus_id,
      query: withoutFraming(request.question),
      lang,
      layers,
      limit: Math.max(request.limit, weighed),
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
  const readings = chosen.map((hit) => {
    const title = withoutOwnNumbers(titleOf(hit), question.counts);
    return read(question, title, hit.text, hit.score, bodyStart(hit));
  });
  // Passages found by their vectors alone say nothing about words.
  const bestWords = found.hits[0]?.bm25 ?? 0;
  const lexical = found.hits
    .slice(0, weighed)
    .filter(({ bm25, window, similarity }) => bm25 > hardly * bestWords && (window > 0 || similarity === 0));
  const evidence = weigh(
    question,
    readings,
    lexical.map(({ bm25 }) => bm25),
  );
  const limit = threshold(lexical.map(titleOf));
  const hits = found.hits.slice(0, request.limit).map(plain);
  const exact = await Promise.all(
    request.references.map((reference) => lookUp(search, request, hits, reference)),
  );
  // Nothing but the number of what is not there: the words of the number are no subject.
  const bare = request.references.length > 0 && withoutReferences(request) === '';
  const sentences = score(question, readings)
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
      .slice(0, counted)
      .some(({ passage, start, end }) => holdsCount(hits[passage]!.text.slice(start, end)));
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
function plain({ id, ordinal, facts, chunk, text, score }: Hit): Found {
  return { id, ordinal, facts, chunk, text, score };
}

/**
 * What is known of a passage besides its text: its document's title, date and named facts (speaker, position), its
 * headings, the question it answers.
 */
export function titleOf({ facts, chunk }: Pick<Passage, 'facts' | 'chunk'>): string {
  const above = [facts.title, facts.event_date ?? '', ...statedFacts(facts.metadata), ...chunk.path];
  if (chunk.heading !== '' && chunk.path.at(-1) !== chunk.heading) above.push(chunk.heading);
  if (chunk.question !== null && chunk.question !== chunk.heading) above.push(chunk.question);
  return above.filter((part) => part !== '').join('. ');
}

/** Where a passage's own text begins: after the title line that a numbered provision carries inside. */
export function bodyStart({ chunk, text }: Pick<Passage, 'chunk' | 'text'>): number {
  const line = text.indexOf('\n');
  if (line < 0 || chunk.number === null) return 0;
  const first = text.slice(0, line).trim();
  return first === chunk.heading || chunk.heading.endsWith(first) || first.startsWith(chunk.heading)
    ? line + 1
    : 0;
}
