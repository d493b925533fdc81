/**
 * All that an answer is made from, in one call: numbered provisions looked up exactly, the passages ranked, the
 * evidence weighed and the sentences scored. Runs inside a worker thread; its request and result are plain data.
 */
import type { ChunkSearch, Generation, Language, Passage } from '../ports.ts';
import { type Evidence, enough, read, threshold, weigh } from './evidence.ts';
import { type ScoredSentence, score } from './extract.ts';
import { lookUp } from './provisions.ts';
import { analyseQuestion, questionStems } from './question.ts';
import type { Hit, Retriever } from './retrieve.ts';

export interface ResearchRequest {
  corpus_id: string;
  /** The question made whole, typed as it was. */
  question: string;
  /** Passages of this language are preferred; null: no preference. */
  lang: Language | null;
  generation: Extract<Generation, 'current' | 'superseded'>;
  /** Provisions asked for by number. */
  references: readonly { unit: string; number: string; of: { unit: string; number: string } | null }[];
  /** Names of the layers, the leading one first. */
  layers: readonly string[];
  /** Passages wanted, best first. */
  limit: number;
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
  hits: Found[];
  /** Scored sentences, best first; `passage` is the place among `hits`. */
  sentences: ScoredSentence[];
  evidence: Evidence;
  threshold: number;
  /** Whether the evidence is enough to answer. */
  answerable: boolean;
  exact: ExactFinding[];
}

/** Passages whose sentences are read; the leading layer has some among them where it has hits at all. */
const readAtMost = 5;
/** Hits that the evidence is weighed over. */
const weighed = 10;

/** Looks up everything for one question in one generation of a corpus. Rejects with Failure `unavailable`. */
export async function research(
  retriever: Retriever,
  search: ChunkSearch,
  request: ResearchRequest,
  signal?: AbortSignal,
): Promise<Research> {
  const { corpus_id, generation, lang, layers } = request;
  const found = await retriever.retrieve(
    {
      corpus_id,
      query: request.question,
      lang,
      generations: [generation],
      layers,
      limit: Math.max(request.limit, weighed),
    },
    signal,
  );
  const known = found.corrections.flatMap((correction) => correction.known);
  const { documents, df } = await retriever.frequencies(corpus_id, generation, [
    ...questionStems(found.query),
    ...known,
  ]);
  const question = analyseQuestion(found.query, { documents, df, corrections: found.corrections });
  const readings = found.hits
    .slice(0, readAtMost)
    .map((hit) => read(question, titleOf(hit), hit.text, hit.score, bodyStart(hit)));
  const evidence = weigh(
    question,
    readings,
    found.hits.slice(0, weighed).map((hit) => hit.bm25),
  );
  const limit = threshold(found.hits.slice(0, weighed).map(titleOf));
  const hits = found.hits.slice(0, request.limit).map(plain);
  const exact: ExactFinding[] = [];
  for (const reference of request.references) exact.push(await lookUp(search, request, hits, reference));
  return {
    question: found.query,
    hits,
    sentences: score(question, readings),
    evidence,
    threshold: limit,
    answerable: found.hits.length > 0 && enough(evidence, limit),
    exact,
  };
}

/** The hit without its features. */
function plain({ id, ordinal, facts, chunk, text, score }: Hit): Found {
  return { id, ordinal, facts, chunk, text, score };
}

/** What stands above a passage's text: its document's title, its headings, the question it answers. */
export function titleOf({ facts, chunk }: Pick<Passage, 'facts' | 'chunk'>): string {
  const above = [facts.title, ...chunk.path];
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
