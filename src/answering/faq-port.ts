/** The interface of the FAQ cache that answering uses. */
import type {
  AnswerLabel,
  Citation,
  Language,
  RecordedSource,
  RepeatableAnswer,
  Style,
} from '../domain/events.ts';

/** A self-contained question. `style`: null if it does not matter. */
export interface FaqQuestion {
  corpus_id: string;
  lang: Language;
  style: Style | null;
  query: string;
}

/** A pair of a FAQ layer, or a recorded answer. */
export type FaqHit =
  | { kind: 'pair'; entry_id: number; doc_id: number; revision: number; chunk_index: string }
  | {
      kind: 'answer';
      entry_id: number;
      answer_key: string | null;
      answer: string;
      sources: RecordedSource[];
      citations: Citation[];
      labels: AnswerLabel[];
      finish_reason: 'stop' | 'length';
    };

/** The FAQ cache as an ask uses it. */
export interface FaqLookup {
  /** The answer to this question; null: no valid one. */
  find(question: FaqQuestion): Promise<FaqHit | null>;
  /** The data to record with an answer so that it can be repeated. */
  repeatable(
    question: FaqQuestion,
    given: { answer: string; sources: readonly RecordedSource[]; subject: string },
  ): Promise<RepeatableAnswer>;
  /** Resolves when records made by this process (an answer to repeat, a rating) apply to later askers. */
  caughtUp(): Promise<void>;
}
