/** What retrieval is asked for and what it finds: the shapes its files share. */
import { statedFacts } from '../../domain/chunk-text.ts';
import type { Language } from '../../domain/events.ts';
import type { Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { SearchHit, SearchResult } from '../../search/search.ts';
import type { NamedAct } from '../../text/references/acts.ts';
import type { Numbered, Reference } from '../../text/references/parse.ts';

/** A provision asked for, and the act it is asked of where the question names one. */
export interface Wanted extends Pick<Reference, 'unit' | 'number' | 'of' | 'chain'> {
  act: NamedAct | null;
  /** The key of the document it is wanted of alone; absent: of any. */
  doc_key?: string;
}

/** `layers`: the leading one first. */
export interface RetrievalRequest extends SearchScope {
  /** The question made whole, typed as it was. */
  question: string;
  /** What else was written around the question: passages are found by it too, the evidence is that for the question. */
  story?: string;
  /** Passages of this language are preferred; null: no preference. */
  lang: Language | null;
  /** The language of the question, where its answer is told in `lang` all the same. */
  from?: Language;
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
  /** Passages are read with what is struck out of them: what was before is asked for. Default false. */
  past?: boolean;
  /** Documents whose passages alone are wanted; all where absent. */
  only?: ReadonlySet<number>;
  /** What models say of the question; absent: nothing. */
  models?: ModelHints;
}

/** What language models say of a question, for the ranking of passages. */
export interface ModelHints {
  /** The question's vector, and by which embedder. */
  vector: { embedder: string; values: Float32Array } | null;
  /**
   * Its passages as they were found ahead, best first; absent: they are looked for. `reordered`: their order is another
   * than that they were found in.
   */
  found?: Retrieved & { reordered: boolean };
}

/** Further search queries for a question, on their way: whoever makes them bounds the time, and has none on a failure. */
export type MoreSearches = () => Promise<readonly string[]>;

/** A passage with its score; 0 for one that was not found by words. */
export interface Found extends Passage {
  score: number;
  /** Another document has the title of its own, too: it says nothing of which this is. */
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
  /** The question names an act that no document here is. */
  unknownAct: boolean;
  /** Title of the one document that is the act the question names, where that lacks the provision and the title says so. */
  lackedBy?: string;
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

/** An office and who holds it, as a document states them. */
export interface Holder {
  doc_id: number;
  person: string;
  office: string;
}

/** The same with the document's first passage, and the sentence of it that says so too, if there is one. */
export interface StatedHolder extends Holder {
  passage: Found;
  quote: { start: number; end: number } | null;
}

/** What a document is divided into: headings in their order, each with the first passage below it. */
export interface Outline {
  /** Only how many there are was asked. */
  counts: boolean;
  parts: { heading: string; passage: Found }[];
}

/** What of the leading layer a passage of another layer names: the norm behind a comment or an answer. */
export interface Links {
  /** The passage answers the very question asked. */
  sameQuestion: boolean;
  provisions: Provision[];
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
