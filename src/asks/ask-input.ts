/** The input of a question as doors pass it, and the functions that answer it. */
import type { AskQuestion, SourceRefsQuestion, SourceRefsResult } from '../answering/ask-port.ts';
import type { Part } from '../answering/parts.ts';

/** `corpus_id` absent: the default corpus, as `Access.corpusFor` chooses it. */
export type AskInput = Omit<AskQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** As App.ask. */
export type AskQuestions = (input: AskInput, signal: AbortSignal) => AsyncIterable<Part>;

/** `corpus_id` as in `AskInput`. */
export type SourceRefsInput = Omit<SourceRefsQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** As App.sourceRefs. */
export type FindSourceRefs = (input: SourceRefsInput, signal: AbortSignal) => Promise<SourceRefsResult>;
