/** The interface of asks and source look-ups, and their dependencies. */
import type { Piece } from '../async/fair-queue.ts';
import type { AskCommand } from '../domain/ask.ts';
import type { Channel, CorpusSettings, HistoryMessage, Language, Mode, Style } from '../domain/events.ts';
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelUsage } from '../ports/models.ts';
import type { AnswerCacheDeps } from './answer-cache.ts';
import type { Answerer } from './answerer.ts';
import type { FaqLookup } from './faq-port.ts';
import type { CrossReferences, ReferencesWanted } from './kinds/references/port.ts';
import type { Part, SourcePages, SourceRef } from './parts.ts';
import type { RetrievalRequest, RetrievalResult } from './reading/passages.ts';
import type { MakeQueries } from './search-queries.ts';
import type { StageObserver } from './stage-timer.ts';
import type { TypedQuestion } from './understanding/in-corpus.ts';
import type { Question } from './understanding/question.ts';

export interface Asker {
  /** `key:<id>`, `public`, `admin:<account>`: the actor of the recorded events. */
  actor: string;
  key_id: number | null;
  /** Opaque; the request id if there is no other. */
  subject: string | null;
}

export interface AskQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  style?: Style | null;
  history?: HistoryMessage[];
  channel: Channel;
  caller: Asker;
  body_hash?: string | null;
  /** No user asked it: the answer may never be shown, so it is not repeated for others. Default false. */
  unasked?: boolean;
  /**
   * Answers from private files of the conversation, as parts of an ask. Used if it yields an answer; otherwise the
   * corpus is asked. Its sources are not recorded.
   */
  fromFiles?: (signal: AbortSignal) => AsyncIterable<Part>;
}

export interface SourceRefsQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  /** 1 to 20, default 5. */
  limit?: number;
  caller: Asker;
}

export interface SourceRefsResult {
  request_id: string;
  query: string;
  mode: Mode;
  lang: Language;
  latency_ms: number;
  sources: SourceRef[];
  /** The texts of the passages, in the order of `sources`. */
  texts: string[];
}

export interface Ask {
  /**
   * The parts of an answer, the last of them `done` or `error`. Rejects before the first part, without recording
   * anything, with Failure `not_found` for an unknown or inactive corpus and with the log's own failures. Aborting the
   * signal, or leaving the loop early, ends the ask as cancelled.
   */
  ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined>;
  /** Sources only; recorded as SourcesLookedUp. Rejects as `ask` does, and with `unavailable`, `cancelled`. */
  sourceRefs(question: SourceRefsQuestion, signal: AbortSignal): Promise<SourceRefsResult>;
}

/** How a question is answered for a comparison, instead of with the configured settings. */
export interface TrialSettings {
  /** Whether the configured models are used. */
  model: boolean;
  /** The prompt to use; null: the one in force. */
  prompt: string | null;
  /** Receives the milliseconds of each stage. */
  onStages: StageObserver;
}

export interface Answering extends Ask {
  /** As `ask`, with these settings, without the caches and without recording. */
  trial(question: AskQuestion, settings: TrialSettings, signal: AbortSignal): AsyncGenerator<Part, void>;
}

export interface AskDeps {
  clock: Clock;
  pages: SourcePages;
  newId(): string;
  /** The settings of a corpus; null for an unknown one. */
  corpus(corpusId: string): { corpus_id: string; settings: CorpusSettings; active: boolean } | null;
  /** Without it every question is looked up. */
  faq?: FaqLookup;
  /** Without it every answer is computed again. */
  answers?: AnswerCacheDeps;
  /** Default: sentences chosen from the passages. */
  answerer?: Answerer;
  /**
   * Interprets a question with evidence from the documents, off the main thread; fails with `cancelled` when the signal
   * aborts. Absent: interpreted here, without evidence.
   */
  understand?(scope: SearchScope, typed: TypedQuestion, signal: AbortSignal): Promise<Question>;
  /** Passages that contain all of the words, best first. Absent: no kind of question can count them. */
  holding?(scope: SearchScope, words: string, limit: number): Promise<Passage[]>;
  /**
   * Resolves when it is the asker's turn, with a function that ends the turn; absent: all are answered at once. `size`:
   * estimated work, 1 for a short question. Failure `unavailable`: no turn is available; `cancelled`.
   */
  enter?(piece: Piece, signal: AbortSignal): Promise<() => void>;
  /**
   * Runs off the main thread; fails with `cancelled` when the signal aborts. `searches`: further search queries for the
   * same question, still being generated.
   */
  retrieve(
    request: RetrievalRequest,
    signal: AbortSignal,
    searches?: () => Promise<readonly string[]>,
  ): Promise<RetrievalResult>;
  /**
   * The references to or from provisions. Absent, or if it rejects because they are unknown: provisions are quoted
   * instead.
   */
  references?(wanted: ReferencesWanted): Promise<CrossReferences>;
  /**
   * Generates search queries for a question whose own words find too little; absent: only the question's words are
   * searched.
   */
  queries?: MakeQueries;
  /** The cost of model usage, in millionths of a US dollar; absent: no cost is recorded. */
  costOf?(usage: ModelUsage): number;
  onStages?: StageObserver;
  /** Receives a sentence for the operator about an unexpected error; it contains no question. */
  onTrouble?(sentence: string): void;
  /** The record of one ask; the same object is used for its beginning and its end. */
  commands: {
    ask(requestId: string): {
      execute(
        command: AskCommand,
        cause: { actor: string; correlation_id: string },
        options?: { assumeCurrent?: boolean },
      ): Promise<unknown>;
    };
  };
}
