/** The parts an answer is made of, whoever makes it: sentences chosen from passages, or text a model writes. */
import type { AnswerProvenance, Citation, EventTypes, Mode, RecordedSource } from '../../domain/events.ts';

/** The FAQ entry an answer comes from. */
export type FaqUse = NonNullable<EventTypes['AnswerGiven']['faq']>;

/**
 * The parts of an answer as plain JSON: one `opening`, then text and citations in turn, then one `closing`. A stream
 * that breaks off rejects. Offsets of citations are UTF-16 units into the text so far.
 */
export type AnswerPart =
  | {
      type: 'opening';
      mode: Mode;
      /** What the answer may rest on; every citation names one of them. */
      sources: RecordedSource[];
      /** Citations that are known already: the addresses of the sources mark what they quote. */
      citations: readonly Citation[];
      faq?: FaqUse;
      /** The text puts in other words what its citations quote. */
      paraphrases?: true;
    }
  | {
      type: 'text';
      text: string;
      /** It only names a source: whoever lists the sources can leave it out. */
      label?: true;
    }
  | { type: 'citation'; citation: Citation }
  /** What came before is void: this is the text now, its citations follow. */
  | { type: 'replace'; mode: Mode; answer: string; reason: string }
  | {
      type: 'closing';
      /** `length`: something was left out for its length. */
      finish: 'stop' | 'length';
      /** null: no model wrote it. */
      model: string | null;
      prompt_version: number | null;
      /** SHA-256 of the whole prompt; absent where there is no model. */
      prompt_sha256?: string;
      usage: { input_tokens: number; output_tokens: number; search_units?: number } | null;
      /** It was made without a model that was to make it, or that broke off. */
      degraded?: true;
      /** A model wrote it, and something of it was not checked by a second reading. */
      unverified?: true;
      /** How it was written and checked; absent where no model had a part in it. */
      writing?: AnswerProvenance['writing'];
    };
