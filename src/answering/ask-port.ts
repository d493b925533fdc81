/** Asks and look-ups of sources: what they are given, what they need from outside. */
import type { Piece } from '../async/fair-queue.ts';
import type { AskCommand } from '../domain/ask.ts';
import type { Channel, CorpusSettings, HistoryMessage, Language, Mode, Style } from '../domain/events.ts';
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelUsage } from '../ports/models.ts';
import type { Wording } from '../text/language.ts';
import type { AnswerCacheDeps } from './answer-cache.ts';
import type { Answerer } from './answerer.ts';
import type { FaqLookup } from './faq-port.ts';
import type { CrossReferences, ReferencesWanted } from './kinds/references/port.ts';
import type { Part, SourcePages, SourceRef } from './parts.ts';
import type { RetrievalRequest, RetrievalResult } from './reading/read.ts';
import type { MakeQueries } from './search-queries.ts';
import type { StageObserver } from './stage-timer.ts';

export interface Asker {
  /** `key:<id>`, `public`, `admin:<account>`: the actor of what is appended. */
  actor: string;
  key_id: number | null;
  /** Opaque; the request id where there is no other. */
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
  /** Nobody asked it of the service: its answer may not be shown, and is given to nobody else. Default false. */
  unasked?: boolean;
  /**
   * The answer of private files of the conversation, as an ask has it: it is given where it is one, else the corpus is
   * asked. Of where it comes from nothing is recorded.
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
  /** The passages' texts, in the order of `sources`. */
  texts: string[];
}

export interface Ask {
  /**
   * The parts of an answer, the last of them `done` or `error`. Rejects before the first part, with nothing recorded,
   * with Failure `not_found` for an unknown or inactive corpus and with the log's own failures. Aborting the signal,
   * or leaving the loop early, ends the ask as cancelled.
   */
  ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined>;
  /** Sources only; recorded as SourcesLookedUp. Rejects as `ask` does, and with `unavailable`, `cancelled`. */
  sourceRefs(question: SourceRefsQuestion, signal: AbortSignal): Promise<SourceRefsResult>;
}

export interface AskDeps {
  clock: Clock;
  pages: SourcePages;
  newId(): string;
  /** What is known of a corpus; null for an unknown one. */
  corpus(corpusId: string): { corpus_id: string; settings: CorpusSettings; active: boolean } | null;
  /** Without it every question is looked up. */
  faq?: FaqLookup;
  /** Without it every answer is made again. */
  answers?: AnswerCacheDeps;
  /** Default: sentences chosen from the passages. */
  answerer?: Answerer;
  /**
   * What the documents say of how a question was typed and of its language, where its own words do not tell; null where
   * there are none. Without it they say nothing.
   */
  wording?(scope: SearchScope, question: string): Promise<Wording | null>;
  /** Passages that hold all of the words, the best first; without it no kind of question can count them. */
  holding?(scope: SearchScope, words: string, limit: number): Promise<Passage[]>;
  /**
   * Resolves when it is the asker's turn, with what ends it; without it all are answered at once. `size`: how much it
   * may take, 1 for a short question. Failure `unavailable`: its turn does not come; `cancelled`.
   */
  enter?(piece: Piece, signal: AbortSignal): Promise<() => void>;
  /**
   * Runs off the main thread; ends with Failure `cancelled` when the signal aborts. `searches`: further search queries
   * for the same question, on their way.
   */
  retrieve(
    request: RetrievalRequest,
    signal: AbortSignal,
    searches?: () => Promise<readonly string[]>,
  ): Promise<RetrievalResult>;
  /**
   * What refers to provisions, or what they refer to; without it they are quoted instead. Rejects where it cannot be
   * told: then too.
   */
  references?(wanted: ReferencesWanted): Promise<CrossReferences>;
  /** Makes search queries of a question whose own words find too little; without it they are all that is searched for. */
  queries?: MakeQueries;
  /** What models cost, in millionths of a US dollar; without it no cost is recorded. */
  costOf?(usage: ModelUsage): number;
  onStages?: StageObserver;
  /** A sentence for the operator about an unexpected error; it contains no question. */
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
