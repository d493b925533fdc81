/** What asks and look-ups of sources are given, what they need from outside, and what both of them do. */
import type { AskCommand } from '../domain/ask.ts';
import type {
  Channel,
  Citation,
  CorpusSettings,
  HistoryMessage,
  Language,
  Mode,
  RecordedSource,
  RepeatableAnswer,
  Style,
} from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Found, Research, ResearchRequest } from '../retrieval/pipeline.ts';
import type { AnswersDeps } from './answer-cache.ts';
import { layersOf } from './context.ts';
import type { SourcePages, SourceRef } from './parts.ts';
import type { PhaseObserver } from './stage-timer.ts';

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
}

export interface LookUpQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  /** 1 to 20, default 5. */
  limit?: number;
  caller: Asker;
}

export interface LookedUp {
  request_id: string;
  query: string;
  mode: Mode;
  lang: Language;
  latency_ms: number;
  sources: SourceRef[];
}

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

export interface AskDeps {
  clock: Clock;
  pages: SourcePages;
  newId(): string;
  /** What is known of a corpus; null for an unknown one. */
  corpus(corpusId: string): { corpus_id: string; settings: CorpusSettings; active: boolean } | null;
  /** Without it every question is looked up. */
  faq?: FaqLookup;
  /** Without it every answer is made anew. */
  answers?: AnswersDeps;
  /** Runs off the main thread. */
  research(request: ResearchRequest): Promise<Research>;
  onPhases?: PhaseObserver;
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

/** An active corpus, or Failure `not_found`. */
export function activeCorpus(deps: AskDeps, corpusId: string): { settings: CorpusSettings } {
  const corpus = deps.corpus(corpusId);
  if (!corpus?.active) throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return corpus;
}

/** Something to be looked up in the text in force or in what stood before it. */
export interface LookUpRequest extends Pick<ResearchRequest, 'question' | 'references' | 'focus'> {
  generation: 'current' | 'superseded';
}

/** A look-up in the public layers of one generation. */
export function requestOf(
  corpus_id: string,
  settings: CorpusSettings,
  lang: Language,
  limit: number,
  { question, generation, references }: Omit<LookUpRequest, 'focus'>,
): ResearchRequest {
  return {
    corpus_id,
    question,
    lang,
    references: references.map(({ unit, number, of, chain, act }) => ({ unit, number, of, chain, act })),
    about: [settings.title, ...layersOf(settings, generation).map(({ title }) => title)].flatMap((title) =>
      typeof title === 'string' ? [title] : Object.values(title ?? {}),
    ),
    layers: layersOf(settings, generation).map(({ name }) => name),
    limit,
  };
}

/** Each passage once, at its first place. */
export function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** The promise, or a rejection as soon as the signal aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Failure('cancelled', 'The question was cancelled.'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
