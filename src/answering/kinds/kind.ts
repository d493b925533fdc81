/**
 * A kind of question. It recognises its questions, looks up passages and presents the findings. Each kind has a folder
 * with its code and its words in every language. To add a kind, create its folder and add it to `index.ts`, which lists
 * the kinds in order of priority.
 */
import type { CorpusSettings, Language, Mode } from '../../domain/events.ts';
import type { Edition } from '../../question/editions.ts';
import type { AskedReference, Question } from '../../question/question.ts';
import type { Found, RetrievalResult } from '../../reading/passages.ts';
import type { Holding } from '../../search/passages-holding.ts';
import type { PreparedAnswer } from '../writing/builder.ts';
import type { AnswerContext } from '../writing/context.ts';
import type { FollowReferences } from './references/port.ts';

export interface Kind {
  readonly name: string;
  /** Returns how to look up a question of this kind, or null if it is of another kind. Pure. */
  recognise(question: Question, corpus: CorpusSettings): Look | null;
}

/** Performs the lookup. Returns null if nothing was found; then the next kind is tried. Rejects if a tool rejects. */
export type Look = (tools: Tools) => Promise<Findings | null>;

/** A lookup of passages. */
export interface LookUp {
  question: string;
  /** The context of the question. It helps to find passages, but is not itself answered. */
  story?: string;
  edition: Edition;
  /** The language of the question, if the answer is requested in another language. */
  from?: Language;
  /** Provisions asked for by number. */
  references: readonly AskedReference[];
  /** Words that the passages must be about, treated like names. */
  focus?: string;
}

/** The lookups available to a kind, all in the public layers of the asker's corpus. */
export interface Tools {
  lang: Language;
  /** Looks up the words of the question, completed from the dialogue. The result is shared by all kinds. */
  found(): Promise<Side>;
  /** Looks up passages and scores their sentences as answers. Identical lookups are performed once. */
  lookUp(wanted: LookUp): Promise<RetrievalResult>;
  /**
   * Returns at most `limit` passages of the current text, in any language, that contain all the words in any form, best
   * first. The words need not be adjacent, and stop words are ignored. Absent if this lookup is unavailable.
   */
  holding?(words: string, limit: number): Promise<Holding<Found>>;
  /** Follows references from or to provisions. Absent if there is no reference graph. */
  follow?: FollowReferences;
}

/** The result of a lookup. `label`: its name in a comparison; null: the name of its edition. */
export interface Side {
  edition: Edition;
  label: string | null;
  found: RetrievalResult;
}

/** The findings of a kind and how to present them. */
export interface Findings {
  /** One side, or one per subject of a comparison or per question in the message. */
  sides: readonly [Side, ...Side[]];
  /** Further passages that the answer may quote. */
  others?: readonly Found[];
  /** The passages to show as sources without an answer, in display order. Default: alternately from each side. */
  sources?: readonly Found[];
  /** The mode of an answer based on the findings. */
  mode: Mode;
  /** Present if the sides are compared. A model is then instructed to compare them. */
  compares?: true;
  /** The answer, if its wording must be the same with and without a model. If null or absent, a model may write it. */
  prescribed?(context: AnswerContext): PreparedAnswer | null;
  /** The answer without a model. */
  compose(context: AnswerContext): PreparedAnswer;
}
