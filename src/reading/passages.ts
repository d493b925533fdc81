/** The types of retrieval requests and results. */

import { statedFacts } from '../domain/chunk-text.ts';
import type { Language } from '../domain/events.ts';
import type { Span } from '../domain/span.ts';
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ModelUsage } from '../ports/models.ts';
import type { SearchHit, SearchResult } from '../search/search.ts';
import type { NamedAct } from '../text/references/acts.ts';
import type { Numbered, Reference } from '../text/references/parse.ts';
import type { Evidence } from './evidence.ts';
import type { ScoredSentence } from './sentence-model.ts';

/** A requested provision, and its act if the question names one. */
export interface Wanted extends Pick<Reference, 'unit' | 'number' | 'of' | 'chain'> {
  act: NamedAct | null;
  /** The key of the only document to search; default: any document. */
  doc_key?: string;
}

/** A request for passages. The layers of its scope are in order of precedence. */
export interface RetrievalRequest extends SearchScope {
  /** The question, completed from the dialogue but otherwise as typed. */
  question: string;
  /** The context of the question. It helps to find passages, but the evidence is computed for the question alone. */
  story?: string;
  /** The preferred language of passages; null: no preference. */
  lang: Language | null;
  /** The language of the question, if it differs from `lang`. */
  from?: Language;
  /** Words that the answer must be about. They are treated like names. */
  focus?: string;
  /** The provisions requested by number. */
  references: readonly Wanted[];
  /** The titles of the corpus and its layers, which may name an act. */
  about?: readonly string[];
  /** Maximum number of passages, best first. */
  limit: number;
  /** Number of passages whose sentences are scored; default: 8. */
  read?: number;
  /** Whether to include struck-out text, because the question is about the past. Default: false. */
  past?: boolean;
  /** The documents to search; default: all. */
  only?: ReadonlySet<number>;
  /** Results of models for the question; absent if there are none. */
  models?: ModelHints;
}

/** Results of models that are used to find and rank passages. */
export interface ModelHints {
  /** The vector of the question, and its embedder. */
  vector: { embedder: string; values: Float32Array } | null;
  /**
   * Passages that have already been found, best first; if absent, they are searched for. `reordered`: whether a
   * reranker or additional queries have changed their order.
   */
  found?: Retrieved & { reordered: boolean };
}

/**
 * Waits for the additional search queries that are being generated for a question. The implementation limits the time
 * and returns none on failure.
 */
export type Searches = () => Promise<readonly string[]>;

/** A passage with its score, which is 0 if it was not found by words. */
export interface Found extends Passage {
  score: number;
  /** Present if another document has the same title, which is therefore ambiguous. */
  namesake?: true;
}

export interface Hit extends SearchHit, Pick<Found, 'namesake'> {}

export interface Retrieved extends Omit<SearchResult, 'hits'> {
  /** Best first. */
  hits: Hit[];
}

/** A provision, or the requested part of one. Offsets are in UTF-16 units of the passage's text. */
export interface Provision extends Span {
  passage: Found;
}

export interface ExactFinding {
  unit: string;
  number: string;
  chain: readonly Numbered[];
  /** Whether the question names an act that matches no document. */
  unknownAct: boolean;
  /**
   * The title of the document that is the named act, if that document lacks the provision and its title names the kind
   * of act.
   */
  lackedBy?: string;
  /** All occurrences of the provision, ordered by layer, then by language (preferred first), then by score. */
  provisions: Provision[];
  /**
   * If the provision is missing, the provisions with adjacent numbers, or the article that lacks the requested part.
   * Empty if no such units are numbered.
   */
  neighbours: Found[];
  /** If the provision is missing, the adjacent numbers, or the numbers of the points in the article. */
  near: string[];
}

/** An office and its holder, as stated in the metadata of a document. */
export interface Holder {
  doc_id: number;
  person: string;
  office: string;
}

/** A holder with the first passage of the document, and the sentence that states the fact, if there is one. */
export interface StatedHolder extends Holder {
  passage: Found;
  quote: Span | null;
}

/** The structure of a document: its headings in order, each with the first passage below it. */
export interface Outline {
  /** Whether only the number of headings was asked for. */
  counts: boolean;
  parts: { heading: string; passage: Found }[];
}

/**
 * The metadata of a passage as text: the title, date and stated facts of its document (such as the speaker), its
 * headings, and the question that it answers.
 */
export function titleOf({ facts, chunk }: Pick<Passage, 'facts' | 'chunk'>): string {
  const above = [facts.title, facts.event_date ?? '', ...statedFacts(facts.metadata), ...chunk.path];
  if (chunk.heading !== '' && chunk.path.at(-1) !== chunk.heading) above.push(chunk.heading);
  if (chunk.question !== null && chunk.question !== chunk.heading) above.push(chunk.question);
  return above.filter((part) => part !== '').join('. ');
}

/** The offset at which the body of a passage begins: in a numbered provision, after its title line. */
export function bodyStart({ chunk, text }: Pick<Passage, 'chunk' | 'text'>): number {
  const line = text.indexOf('\n');
  if (line < 0 || chunk.number === null) return 0;
  const first = text.slice(0, line).trim();
  return first === chunk.heading || chunk.heading.endsWith(first) || first.startsWith(chunk.heading)
    ? line + 1
    : 0;
}

export interface RetrievalResult {
  /** The question as interpreted, with the keyboard layout corrected. */
  question: string;
  /** Whether words of the question were replaced because of misspellings, the keyboard layout or the script. */
  corrected: boolean;
  hits: Found[];
  /** The scored sentences, best first. `passage`: the index among `hits`. */
  sentences: ScoredSentence[];
  evidence: Evidence;
  threshold: number;
  /** Whether the evidence is sufficient to answer. */
  answerable: boolean;
  exact: ExactFinding[];
  /** Present if `exact` contains only the first few of the requested provisions, because of the limit on reads. */
  exactIsCut?: true;
  /** The provisions of the leading layer that the best passage names, if it is from another layer. */
  linked: readonly Provision[];
  /** The answer, if the question asks who holds an office or who someone is. */
  holders: StatedHolder[];
  /** The answer, if the question asks for the structure of a document. */
  outline: Outline | null;
  /** The answer, if only the dates or number of documents are asked for. `passages`: the first of `total` documents. */
  statements?: { asks: 'dates' | 'number'; ordered: boolean; total: number; passages: Found[] };
  /** Whether the question asks how something has changed. */
  changes: boolean;
  /** The speakers to whom the search was restricted, as named in the metadata. */
  speakers: readonly string[];
  /** Whether the question asks for the latest state, so that the next document may change the answer. */
  ofTheDay: boolean;
  /** The models that found and ordered the passages; absent if there were none. */
  models?: ModelsUsed;
}

/** The use of models in a lookup. */
export interface ModelsUsed {
  embedder: string | null;
  reranker: string | null;
  /** Whether one of the models did not respond in time. */
  degraded: boolean;
  usage: ModelUsage;
}
