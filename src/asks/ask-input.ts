/** The input of a question as received from the doors, and the functions that answer it. */
import type { Part } from '../answering/parts.ts';
import type { AskQuestion, SourceRefsQuestion, SourceRefsResult } from './ask-port.ts';

/** If `corpus_id` is absent, `Access.corpusFor` chooses the default corpus. */
export type AskInput = Omit<AskQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** See App.ask. */
export type AskQuestions = (input: AskInput, signal: AbortSignal) => AsyncIterable<Part>;

/** `corpus_id`: see `AskInput`. */
export type SourceRefsInput = Omit<SourceRefsQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** See App.sourceRefs. */
export type FindSourceRefs = (input: SourceRefsInput, signal: AbortSignal) => Promise<SourceRefsResult>;
