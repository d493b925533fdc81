/**
 * A kind of question: whether a question is of it, what it looks up, and how it tells what was found. Each kind is a
 * folder of this room with its words in every language; `index.ts` lists them in the order they are asked. To add one,
 * add its folder and its line there.
 */
import type { CorpusSettings, Language, Mode } from '../../domain/events.ts';
import type { Found, RetrievalResult } from '../reading/read.ts';
import type { Edition } from '../understanding/editions.ts';
import type { AskedReference, Question } from '../understanding/question.ts';
import type { PreparedAnswer } from '../writing/builder.ts';
import type { AnswerContext } from '../writing/context.ts';
import type { FollowReferences } from './references/port.ts';

export interface Kind {
  readonly name: string;
  /** How a question of this kind is looked up; null: the question is of another kind. Pure. */
  asks(question: Question, corpus: CorpusSettings): Look | null;
}

/** Looks it up. Null: there is no such thing here, and the next kind is asked. Rejects as the tools do. */
export type Look = (tools: Tools) => Promise<Findings | null>;

/** One look-up of passages. */
export interface LookUp {
  question: string;
  /** What else was written around the question: it helps to find passages, and need not be answered. */
  story?: string;
  edition: Edition;
  /** The language the question is in, where the answer is wanted in another. */
  from?: Language;
  /** Provisions asked for by number. */
  references: readonly AskedReference[];
  /** Words the passages must be about, as if they were names. */
  focus?: string;
}

/** What a kind looks things up with; all of it in the public layers of the asker's corpus. */
export interface Tools {
  lang: Language;
  /** What the words of the question find, made whole with the dialogue. Looked up once, whichever kinds ask. */
  found(): Promise<Side>;
  /** Passages, their sentences weighed as answers. Equal look-ups are made once. */
  lookUp(wanted: LookUp): Promise<RetrievalResult>;
  /**
   * Passages of the text in force, in any language, that hold all of the words in any of their forms, the best first. At
   * most `limit`: where there are as many, there may be more. Absent where nothing can be looked up so.
   */
  holding?(words: string, limit: number): Promise<Found[]>;
  /** Follows references from or to provisions; absent where no graph of them is kept. */
  follow?: FollowReferences;
}

/** What one look-up found. `label`: what a comparison calls it; null: its edition. */
export interface Side {
  edition: Edition;
  label: string | null;
  found: RetrievalResult;
}

/** What a kind found, and how it is told. */
export interface Findings {
  /** At least one; of a comparison or several questions one for each. */
  sides: readonly [Side, ...Side[]];
  /** Passages beside those of the sides that the answer may quote. */
  others?: readonly Found[];
  /** The passages in the order sources alone are shown; absent: in turn from each side. */
  sources?: readonly Found[];
  /** The mode of an answer from them. */
  mode: Mode;
  /** The sides are compared: a model is told so. */
  compares?: true;
  /** The answer whose words are prescribed, whoever answers; null or absent: a model may write it. */
  prescribed?(context: AnswerContext): PreparedAnswer | null;
  /** The answer without a model. */
  compose(context: AnswerContext): PreparedAnswer;
}
