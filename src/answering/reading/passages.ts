/** Types of retrieval requests and results. */
import { statedFacts } from '../../domain/chunk-text.ts';
import type { Language } from '../../domain/events.ts';
import type { Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { ModelUsage } from '../../ports/models.ts';
import type { SearchHit, SearchResult } from '../../search/search.ts';
import type { NamedAct } from '../../text/references/acts.ts';
import type { Numbered, Reference } from '../../text/references/parse.ts';
import type { Evidence } from './evidence.ts';
import type { ScoredSentence } from './sentence-model.ts';

/** A provision asked for, with the act if the question names one. */
export interface Wanted extends Pick<Reference, 'unit' | 'number' | 'of' | 'chain'> {
  act: NamedAct | null;
  /** The key of the only document to search; absent: any. */
  doc_key?: string;
}

/** `layers`: the leading one first. */
export interface RetrievalRequest extends SearchScope {
  /** The question completed from the dialogue, as typed. */
  question: string;
  /** Context around the question. It helps to find passages; the evidence is computed for the question alone. */
  story?: string;
  /** Passages of this language are preferred; null: no preference. */
  lang: Language | null;
  /** The language of the question, if the answer is requested in `lang` instead. */
  from?: Language;
  /** Words that the answer must be about, treated like names. */
  focus?: string;
  /** Provisions asked for by number. */
  references: readonly Wanted[];
  /** Titles of the corpus and its layers, which may name an act just as document titles do. */
  about?: readonly string[];
  /** Maximum number of passages, best first. */
  limit: number;
  /** Number of passages with scored sentences; default 5. */
  read?: number;
  /** Include struck-out text, because the question is about the past. Default false. */
  past?: boolean;
  /** Restricts the search to these documents; absent: all. */
  only?: ReadonlySet<number>;
  /** Results of models for the question; absent: none. */
  models?: ModelHints;
}

/** Results of models used for ranking passages. */
export interface ModelHints {
  /** The question's vector and its embedder. */
  vector: { embedder: string; values: Float32Array } | null;
  /**
   * Passages found in advance, best first; absent: they are searched for. `reordered`: their order is not the original
   * one.
   */
  found?: Retrieved & { reordered: boolean };
}

/**
 * Further search queries for a question, still being generated. The implementation limits the time and returns none on
 * failure.
 */
export type Searches = () => Promise<readonly string[]>;

/** A passage with its score; 0 if it was not found by words. */
export interface Found extends Passage {
  score: number;
  /** Another document has the same title, so the title is ambiguous. */
  namesake?: true;
}

export interface Hit extends SearchHit, Pick<Found, 'namesake'> {}

export interface Retrieved extends Omit<SearchResult, 'hits'> {
  /** Best first. */
  hits: Hit[];
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
  /** The question names an act that no document matches. */
  unknownAct: boolean;
  /**
   * Title of the only document that is the named act, if it lacks the provision and its title says that it is the act.
   */
  lackedBy?: string;
  /** All occurrences of the provision: by layer rank, then the preferred language, then score. */
  provisions: Provision[];
  /**
   * If there is none: the provisions with adjacent numbers, or the article that lacks the part asked for. Empty if the
   * unit is not numbered.
   */
  neighbours: Found[];
  /** The adjacent numbers, or the points of the article. */
  near: string[];
}

/** An office and its holder, as stated by a document. */
export interface Holder {
  doc_id: number;
  person: string;
  office: string;
}

/** The same, with the document's first passage and the sentence that states it, if any. */
export interface StatedHolder extends Holder {
  passage: Found;
  quote: { start: number; end: number } | null;
}

/** The structure of a document: headings in order, each with the first passage below it. */
export interface Outline {
  /** Only the number was asked for. */
  counts: boolean;
  parts: { heading: string; passage: Found }[];
}

/** The provisions of the leading layer that a passage of another layer names. */
export interface Links {
  /** The passage is the answer to the same question. */
  sameQuestion: boolean;
  provisions: Provision[];
}

/**
 * Metadata of a passage: its document's title, date and named facts (speaker, position), its headings, the question it
 * answers.
 */
export function titleOf({ facts, chunk }: Pick<Passage, 'facts' | 'chunk'>): string {
  const above = [facts.title, facts.event_date ?? '', ...statedFacts(facts.metadata), ...chunk.path];
  if (chunk.heading !== '' && chunk.path.at(-1) !== chunk.heading) above.push(chunk.heading);
  if (chunk.question !== null && chunk.question !== chunk.heading) above.push(chunk.question);
  return above.filter((part) => part !== '').join('. ');
}

/** Where a passage's own text begins: after the title line inside a numbered provision. */
export function bodyStart({ chunk, text }: Pick<Passage, 'chunk' | 'text'>): number {
  const line = text.indexOf('\n');
  if (line < 0 || chunk.number === null) return 0;
  const first = text.slice(0, line).trim();
  return first === chunk.heading || chunk.heading.endsWith(first) || first.startsWith(chunk.heading)
    ? line + 1
    : 0;
}

export interface RetrievalResult {
  /** The question as interpreted, with a wrong keyboard layout corrected. */
  question: string;
  /** Some of its words were replaced: misspellings, or another layout or script. */
  corrected: boolean;
  hits: Found[];
  /** Scored sentences, best first; `passage` is the index among `hits`. */
  sentences: ScoredSentence[];
  evidence: Evidence;
  threshold: number;
  /** Whether the evidence is sufficient to answer. */
  answerable: boolean;
  exact: ExactFinding[];
  /** `exact` contains only the first of the requested provisions, because looking up more would take too long. */
  exactIsCut?: true;
  linked: Links;
  /** The answer, if the question asks who holds an office or who somebody is. */
  holders: StatedHolder[];
  /** The answer, if the question asks for the structure of a document. */
  outline: Outline | null;
  /** The answer, if only the dates or the number of documents are asked for; `passages` are the first of `total`. */
  statements?: { asks: 'dates' | 'number'; ordered: boolean; total: number; passages: Found[] };
  /** The question asks how something changed. */
  changes: boolean;
  /** The speakers to whom the search was restricted, as named in the documents. */
  speakers: readonly string[];
  /** The question asks for the latest state, so the next document may change the answer. */
  ofTheDay: boolean;
  /** The models that found and ordered the passages; absent: none. */
  models?: ModelsUsed;
}

/** The use of models in one look-up. */
export interface ModelsUsed {
  embedder: string | null;
  reranker: string | null;
  /** One of them did not respond in time. */
  degraded: boolean;
  usage: ModelUsage;
}
