/** The parts of an answer, whether it is composed of quotations or written by a model. */
import type { AnswerProvenance, Citation, EventTypes, Mode, RecordedSource } from '../../domain/events.ts';

/** The FAQ entry that an answer comes from. */
export type FaqUse = NonNullable<EventTypes['AnswerGiven']['faq']>;

/**
 * The parts of an answer as plain JSON: one `opening`, alternating text and citations, and one `closing`. A broken
 * stream rejects. Offsets of citations are in UTF-16 units of the text so far.
 */
export type AnswerPart =
  | {
      type: 'opening';
      mode: Mode;
      /** The only sources that the answer may use. Every citation names one of them. */
      sources: RecordedSource[];
      /** Citations that are known in advance. They let the addresses of sources highlight the quoted text. */
      citations: readonly Citation[];
      faq?: FaqUse;
      /** Present if the text paraphrases the quotations in its citations. */
      paraphrases?: true;
    }
  | {
      type: 'text';
      text: string;
      /** Present if the text only names a source. It can be omitted if the sources are listed. */
      label?: true;
    }
  | { type: 'citation'; citation: Citation }
  /** Replaces all previous text and citations by `answer`. Its citations follow. */
  | { type: 'replace'; mode: Mode; answer: string; reason: string }
  | {
      type: 'closing';
      /** `length`: text was omitted because the answer reached its maximum length. */
      finish: 'stop' | 'length';
      /** Null if no model wrote the answer. */
      model: string | null;
      prompt_version: number | null;
      /** The SHA-256 hash of the whole prompt; absent without a model. */
      prompt_sha256?: string;
      usage: { input_tokens: number; output_tokens: number; search_units?: number } | null;
      /** Present if a model should have written the answer but was not used, or failed before the end. */
      degraded?: true;
      /** Present if a model wrote the answer and part of it was not checked by a second reading. */
      unverified?: true;
      /** How the answer was written and checked; absent if no model took part. */
      writing?: AnswerProvenance['writing'];
    };
