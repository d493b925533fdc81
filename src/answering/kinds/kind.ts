/**
 * A kind of question: which questions belong to it, what it looks up, and how it presents the findings. Each kind is a
 * folder here with its words in every language; `index.ts` lists the kinds in order of priority. To add a kind, add its
 * folder and its line there.
 */
import type { CorpusSettings, Language, Mode } from '../../domain/events.ts';
import type { Found, RetrievalResult } from '../reading/passages.ts';
import type { Edition } from '../understanding/editions.ts';
import type { AskedReference, Question } from '../understanding/question.ts';
import type { PreparedAnswer } from '../writing/builder.ts';
import type { AnswerContext } from '../writing/context.ts';
import type { FollowReferences } from './references/port.ts';

export interface Kind {
  readonly name: string;
  /** How to look up a question of this kind; null: the question is of another kind. Pure. */
  asks(question: Question, corpus: CorpusSettings): Look | null;
}

/** Does the look-up. Null: nothing was found, and the next kind is tried. Rejects like the tools. */
export type Look = (tools: Tools) => Promise<Findings | null>;

/** One look-up of passages. */
export interface LookUp {
  question: string;
  /** Context around the question. It helps to find passages but need not be answered. */
  story?: string;
  edition: Edition;
  /** The language of the question, if the answer is requested in another one. */
  from?: Language;
  /** Provisions asked for by number. */
  references: readonly AskedReference[];
  /** Words that the passages must be about, treated like names. */
  focus?: string;
}

/** The look-ups available to a kind, all in the public layers of the asker's corpus. */
export interface Tools {
  lang: Language;
  /** The result for the question's words, completed from the dialogue. Looked up once, however many kinds use it. */
  found(): Promise<Side>;
  /** Passages with their sentences scored as answers. Equal look-ups are made once. */
  lookUp(wanted: LookUp): Promise<RetrievalResult>;
  /**
   * Passages of the text in force, in any language, that contain all of the words in any form, best first. At most
   * `limit`; if that many are returned, there may be more. Absent if this look-up is unavailable.
   */
  holding?(words: string, limit: number): Promise<Found[]>;
  /** Follows references from or to provisions; absent without a reference graph. */
  follow?: FollowReferences;
}

/** The result of one look-up. `label`: its name in a comparison; null: its edition. */
export interface Side {
  edition: Edition;
  label: string | null;
  found: RetrievalResult;
}

/** The findings of a kind and how to present them. */
export interface Findings {
  /** At least one; for a comparison or several questions, one per subject or question. */
  sides: readonly [Side, ...Side[]];
  /** Further passages that the answer may quote. */
  others?: readonly Found[];
  /** The passages in display order for sources without an answer; absent: taken from the sides in turn. */
  sources?: readonly Found[];
  /** The mode of an answer from them. */
  mode: Mode;
  /** The sides are compared; a model's instructions say so. */
  compares?: true;
  /** The answer, if its wording is the same for every answerer; null or absent: a model may write it. */
  prescribed?(context: AnswerContext): PreparedAnswer | null;
  /** The answer without a model. */
  compose(context: AnswerContext): PreparedAnswer;
}
