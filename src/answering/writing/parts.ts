/** The parts of an answer, whether composed of sentences from passages or written by a model. */
import type { AnswerProvenance, Citation, EventTypes, Mode, RecordedSource } from '../../domain/events.ts';

/** The FAQ entry an answer comes from. */
export type FaqUse = NonNullable<EventTypes['AnswerGiven']['faq']>;

/**
 * The parts of an answer as plain JSON: one `opening`, then text and citations in turn, then one `closing`. A broken
 * stream rejects. Offsets of citations are UTF-16 units into the text so far.
 */
export type AnswerPart =
  | {
      type: 'opening';
      mode: Mode;
      /** The only sources that the answer may use; every citation names one of them. */
      sources: RecordedSource[];
      /** Citations known in advance, so that the addresses of the sources highlight the quoted text. */
      citations: readonly Citation[];
      faq?: FaqUse;
      /** The text paraphrases what its citations quote. */
      paraphrases?: true;
    }
  | {
      type: 'text';
      text: string;
      /** The text only names a source and can be omitted if the sources are listed. */
      label?: true;
    }
  | { type: 'citation'; citation: Citation }
  /** Replaces all previous text and citations with `answer`, whose citations follow. */
  | { type: 'replace'; mode: Mode; answer: string; reason: string }
  | {
      type: 'closing';
      /** `length`: text was omitted because the answer reached its maximum length. */
      finish: 'stop' | 'length';
      /** null: no model wrote it. */
      model: string | null;
      prompt_version: number | null;
      /** SHA-256 of the whole prompt; absent without a model. */
      prompt_sha256?: string;
      usage: { input_tokens: number; output_tokens: number; search_units?: number } | null;
      /** The model that should have written the answer was not used, or failed before the end. */
      degraded?: true;
      /** A model wrote the answer, and a part of it had no second reading. */
      unverified?: true;
      /** How the answer was written and checked; absent if no model took part. */
      writing?: AnswerProvenance['writing'];
    };
