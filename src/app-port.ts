/** The use cases every door calls. `openApp` of `app.ts` puts them together with their adapters. */
import type { Access } from './access/access.ts';
import type { AdminLogins } from './access/logins.ts';
import type { AdminSessions } from './access/sessions.ts';
import type { SingleSignOn } from './access/single-sign-on.ts';
import type { Asker, SourceRefsResult } from './answering/ask-port.ts';
import type { Part } from './answering/parts.ts';
import type { AskInput, SourceRefsInput } from './asks/ask-input.ts';
import type { Asks } from './asks/asks.ts';
import type { Chats } from './asks/chats.ts';
import type { AskHistory } from './asks/history.ts';
import type { KnowledgeGraph } from './asks/knowledge-graph.ts';
import type { PrivateFiles } from './asks/private-files.ts';
import type { Corpus } from './asks/public-corpora.ts';
import type { SourceInput } from './asks/source-document.ts';
import type { OpenedSource, SourceReader } from './asks/source-reader.ts';
import type { Language } from './domain/events.ts';
import type { Cause } from './event-sourcing/commands.ts';
import type { Forgotten } from './history/forget.ts';
import type { VerificationProgress, VerificationReport } from './history/report.ts';
import type { Sealer } from './history/sealer.ts';
import type { IngestProgress, IngestReport, IngestRequest } from './ingest/ingest.ts';
import type { Health } from './operations/health.ts';
import type { Leases } from './ports/leases.ts';
import type { Doc } from './ports/read-models.ts';

export type { SourceRefsResult } from './answering/ask-port.ts';
export type { Part, SourceRef } from './answering/parts.ts';
export type { AskInput, SourceRefsInput } from './asks/ask-input.ts';
export type { SourceDocument, SourceInput } from './asks/source-document.ts';
export type { OpenedSource, SourceReader } from './asks/source-reader.ts';
export type { Health } from './operations/health.ts';

/** Who asks, as a door knows it. */
export type Caller = Asker;

export type IngestInput = Omit<IngestRequest, 'cause'> & { actor: string };

/** A document as it is listed; see the contract for the fields. */
export type DocumentRecord = Doc;

export interface App {
  /**
   * The answer as a sequence of parts that ends in exactly one `done` or `error`. Rejects with Failure before the
   * first part for an unknown corpus (`not_found`), read models that are behind (`unavailable`) or a history that
   * cannot be written (`unavailable`, `storage_full`): nothing was asked then.
   */
  ask(input: AskInput, signal: AbortSignal): AsyncIterable<Part>;
  /** How doors ask: idempotent, resumable, limited in number and closed in order, all doors together. */
  asks: Asks;
  sourceRefs(input: SourceRefsInput, signal: AbortSignal): Promise<SourceRefsResult>;
  /** Asks that were recorded: found again, waited for, cancelled. */
  history: AskHistory;
  /**
   * The text of a revision, for whoever opens a source. Failure `not_found`: corpus, document, revision or part is
   * unknown.
   */
  source(input: SourceInput, reader?: SourceReader): Promise<OpenedSource>;
  /** The knowledge graphs of the corpora. */
  graph: Pick<KnowledgeGraph, 'query' | 'stats' | 'whole'>;
  /**
   * The same for one asker among many: each question is asked when it is their turn. Failure as of KnowledgeGraph,
   * `unavailable` where the turn does not come, `cancelled`.
   */
  graphFor(who: string, signal: AbortSignal): Pick<KnowledgeGraph, 'query' | 'stats'>;
  /** Conversations in chats: their messages that are being answered, what was said, how they are to be answered. */
  chats: Chats;
  /** Files of conversations; null: none is read. */
  files: Pick<PrivateFiles, 'read' | 'ask' | 'forget'> | null;
  /** What one instance at a time does. */
  leases: Leases;
  /** Who may ask what, and how often. */
  access: Access;
  /** Who administrators are. */
  logins: AdminLogins;
  /** Their sessions in the console. */
  sessions: AdminSessions;
  /** null: they sign in with a password only. */
  singleSignOn: SingleSignOn | null;
  /** The active ones, described in the reader's language where possible, else in their own first one. */
  corpora(reader?: Language): Promise<Corpus[]>;
  health(): Health;
  /** Documents of a corpus (all of them without one), by corpus and key. Failure `not_found` for an unknown corpus. */
  documents(
    corpusId: string | null,
    page?: { limit: number; offset: number },
  ): Promise<{ items: DocumentRecord[]; total: number }>;
  ingest(
    request: IngestInput,
    onProgress?: (progress: IngestProgress) => void,
    signal?: AbortSignal,
  ): Promise<IngestReport>;
  /** Erases everything that a subject (as the query log names it) asked and was answered. See src/history/forget.ts. */
  forget(subject: string, cause: Cause): Promise<Forgotten>;
  /**
   * As `forget`, for whoever wants it of themself: a few times an hour, and one person after the other. Failure also
   * `rate_limited`.
   */
  forgetOneself(subject: string): Promise<Forgotten>;
  /** Rebuilds all read models beside the live ones, and resolves when the new ones are live. */
  rebuild(): Promise<void>;
  /**
   * Compares the read models with what a replay of the history makes, while they serve, and records what came of it.
   * Failure `unavailable`, `cancelled`.
   */
  verifyProjections(
    onProgress?: (progress: VerificationProgress) => void,
    signal?: AbortSignal,
  ): Promise<VerificationReport>;
  /** Signed checkpoints over the history; null where it is not sealed. */
  sealing: Pick<Sealer, 'checkpoint' | 'key' | 'seal'> | null;
  /**
   * Resolves when the read models hold what the history held when it was called. Failure `timeout` where one of them has
   * not moved for ten minutes, or is not there after `limitMs` (default: it may take any time).
   */
  caughtUp(limitMs?: number): Promise<void>;
  /** The same of those that passages and lists are read from, without the graph, which takes longer. */
  searchable(): Promise<void>;
  /** Waits for what was begun, then closes the stores. */
  close(): Promise<void>;
}
