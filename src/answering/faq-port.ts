/** The interface of the FAQ cache for answering. */
import type {
  AnswerLabel,
  Citation,
  Language,
  RecordedSource,
  RepeatableAnswer,
  Style,
} from '../domain/events.ts';

/** A self-contained question. `style`: null if none was requested. */
export interface FaqQuestion {
  corpus_id: string;
  lang: Language;
  style: Style | null;
  query: string;
}

/** A question–answer pair from a FAQ layer, or a recorded answer. */
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

export interface FaqLookup {
  /** Returns a valid entry for the question, or null. */
  find(question: FaqQuestion): Promise<FaqHit | null>;
  /** Returns the data to record with an answer so that it can be repeated. */
  repeatable(
    question: FaqQuestion,
    given: { answer: string; sources: readonly RecordedSource[]; subject: string },
  ): Promise<RepeatableAnswer>;
  /** Resolves when records of this process, such as a rating or a repeatable answer, take effect for later askers. */
  caughtUp(): Promise<void>;
}
