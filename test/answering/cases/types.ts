import type { HistoryMessage, Mode, Style } from '../../../src/domain/events.ts';

/** A question over the sample corpora, and the expected answer. */
export interface Case {
  kind:
    | 'exact'
    | 'missing'
    | 'superseded'
    | 'comparison'
    | 'style'
    | 'follow-up'
    | 'parts'
    | 'injection'
    | 'greeting'
    | 'meta'
    | 'unanswerable'
    | 'leading'
    | 'ordinary'
    /** Who holds an office according to the documents: a fixed phrase without a quotation. */
    | 'holder'
    /** The structure of a document: its headings, without a quotation. */
    | 'outline'
    /** By the date or speaker of a document. */
    | 'dated'
    | 'change';
  q: string;
  corpus?: 'krk_2026' | 'reestr_texts';
  style?: Style;
  history?: HistoryMessage[];
  mode: Mode;
  /** Text the answer must contain. */
  has?: string[];
  /** Text the answer must not contain. */
  not?: string[];
  /** References that must be among the sources, with the first one leading. */
  refs?: string[];
  /** Prefixes of references that must not be among the sources. */
  notFrom?: string[];
}

/** The conversation so far: question, answer, question, … */
export const turns = (...contents: string[]): HistoryMessage[] =>
  contents.map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }));
