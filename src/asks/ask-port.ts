/** The interface for asks and source lookups, and their dependencies. */
import type { Acting } from '../access/logins.ts';
import type { Answerer } from '../answering/answerer.ts';
import type { FaqLookup } from '../answering/faq-port.ts';
import type { CrossReferences, ReferencesWanted } from '../answering/kinds/references/port.ts';
import type { Part, SourcePages, SourceRef } from '../answering/parts.ts';
import type { Reads } from '../answering/reads.ts';
import type { MakeQueries } from '../answering/search-queries.ts';
import type { QueuedWork } from '../async/fair-queue.ts';
import type { AskCommand } from '../domain/ask.ts';
import type { Channel, CorpusSettings, HistoryMessage, Language, Mode, Style } from '../domain/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { ModelUsage } from '../ports/models.ts';
import type { RetrievalRequest, RetrievalResult } from '../reading/passages.ts';
import type { AnswerCacheDeps } from './answer-cache.ts';
import type { StageObserver } from './stage-timer.ts';

export interface Asker {
  /** The actor of the recorded events: `key:<id>`, `public` or `admin:<account>`. */
  actor: string;
  key_id: number | null;
  /** An opaque id; the request id if there is no other. */
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
  /**
   * Whether no user asked the question. The answer may never be shown, so it is not repeated for others. Default:
   * false.
   */
  unasked?: boolean;
  /**
   * Answers from the private files of the conversation. If it yields no answer, the question is answered from the
   * corpus. Its sources are not recorded.
   */
  fromFiles?: (signal: AbortSignal) => AsyncIterable<Part>;
}

export interface SourceRefsQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  /** From 1 to 20. Default: 5. */
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

interface PastLookUp {
  request_id: string;
  query: string;
  corpus_id: string | null;
  limit?: number | undefined;
}

/** The sources as they were after the event at `position`. */
export interface PastSources {
  position: Position;
  /**
   * Returns the sources that would have been found at that moment, according to the layers and visibility of that time,
   * with the text of each source. Fails with `not_found` if the corpus did not exist or was not active.
   */
  sourceRefs(lookUp: PastLookUp, acting: Acting, signal: AbortSignal): Promise<SourceRefsResult>;
}

/** The input of a question as received from the doors. If `corpus_id` is absent, the default corpus is chosen. */
export type AskInput = Omit<AskQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** See OpenAsks.ask. */
export type AskQuestions = (input: AskInput, signal: AbortSignal) => AsyncIterable<Part>;

/** `corpus_id`: see `AskInput`. */
export type SourceRefsInput = Omit<SourceRefsQuestion, 'corpus_id'> & { corpus_id?: string | null };

/** See Ask.sourceRefs. */
export type FindSourceRefs = (input: SourceRefsInput, signal: AbortSignal) => Promise<SourceRefsResult>;

export interface Ask {
  /**
   * Yields the parts of an answer. The last part is `done` or `error`. Rejects before the first part, without recording
   * anything, with Failure `not_found` if the corpus is unknown or inactive, or with a Failure of the log. If the
   * signal is aborted or the loop is left early, the ask ends as cancelled.
   */
  ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined>;
  /**
   * Looks up sources only, and records this as SourcesLookedUp. Rejects like `ask`, and also with Failure `unavailable`
   * or `cancelled`.
   */
  sourceRefs(question: SourceRefsQuestion, signal: AbortSignal): Promise<SourceRefsResult>;
}

/** Settings for answers that are compared, instead of the configured ones. */
export interface TrialSettings {
  /** Whether to use the configured models. */
  model: boolean;
  /** The prompt to use; null: the current one. */
  prompt: string | null;
  /** Receives the duration of each stage in milliseconds. */
  onStages: StageObserver;
}

export interface Answering extends Ask {
  /** Like `ask`, but with these settings, without the caches and without recording. */
  trial(question: AskQuestion, settings: TrialSettings, signal: AbortSignal): AsyncGenerator<Part, void>;
}

export interface AskDeps {
  clock: Clock;
  pages: SourcePages;
  newId(): string;
  /** Returns the settings of a corpus, or null if it is unknown. */
  corpus(corpusId: string): { corpus_id: string; settings: CorpusSettings; active: boolean } | null;
  /** The FAQ cache. Without it, every question is looked up. */
  faq?: FaqLookup;
  /** The answer cache. Without it, every answer is computed. */
  answers?: AnswerCacheDeps;
  /** Writes answers. Default: answers are composed of sentences from the passages. */
  answerer?: Answerer;
  /**
   * Interprets a question with evidence from the documents, off the main thread. Rejects with Failure `cancelled` if
   * the signal is aborted. If absent, questions are interpreted on this thread without such evidence.
   */
  understand?: Reads['understand'];
  /** Finds passages that contain all the words, best first. If absent, no kind of question can count such passages. */
  holding?: Reads['holding'];
  /**
   * Resolves when it is the asker's turn, with a function that ends the turn. If absent, all questions are answered
   * immediately. `size`: the estimated work; 1 for a short question. Rejects with Failure `unavailable` if no turn is
   * available, or `cancelled`.
   */
  enter?(piece: QueuedWork, signal: AbortSignal): Promise<() => void>;
  /**
   * Retrieves passages off the main thread. Rejects with Failure `cancelled` if the signal is aborted. `searches`:
   * additional search queries for the same question, which may still be being generated.
   */
  retrieve(
    request: RetrievalRequest,
    signal: AbortSignal,
    searches?: () => Promise<readonly string[]>,
  ): Promise<RetrievalResult>;
  /**
   * Follows the references to or from provisions. If absent, or if it rejects because the references are unknown, the
   * provisions themselves are quoted.
   */
  references?(wanted: ReferencesWanted): Promise<CrossReferences>;
  /**
   * Generates search queries for a question whose own words find too little. If absent, only the words of the question
   * are searched.
   */
  queries?: MakeQueries;
  /** The cost of model usage, in millionths of a US dollar; absent: no cost is recorded. */
  costOf?(usage: ModelUsage): number;
  onStages?: StageObserver;
  /** Receives a message for the operator about an unexpected error. It never contains the question. */
  onTrouble?(sentence: string): void;
  /** The record of one ask. The same object is used for its beginning and its end. */
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
