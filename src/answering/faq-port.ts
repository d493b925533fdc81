/** The FAQ cache, as answering needs it. */
import type {
  AnswerLabel,
  Citation,
  Language,
  RecordedSource,
  RepeatableAnswer,
  Style,
} from '../domain/events.ts';

/** A question that stands by itself. `style`: null where none counts. */
export interface FaqQuestion {
  corpus_id: string;
  lang: Language;
  style: Style | null;
  query: string;
}

/** A pair of a FAQ layer, or an answer as it was recorded. */
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

/** The FAQ cache as an ask needs it. */
export interface FaqLookup {
  /** What answers this very question; null: nothing that holds. */
  find(question: FaqQuestion): Promise<FaqHit | null>;
  /** What is recorded of an answer that may be repeated. */
  repeatable(
    question: FaqQuestion,
    given: { answer: string; sources: readonly RecordedSource[]; subject: string },
  ): Promise<RepeatableAnswer>;
  /** Resolves when what was recorded here counts for those who ask next: an answer to be repeated, a rating. */
  caughtUp(): Promise<void>;
}
