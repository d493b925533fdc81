/** The use cases called by all doors. `openApp` in app.ts connects them to their adapters. */
import type { Access } from './access/access.ts';
import type { AdminLogins } from './access/logins.ts';
import type { AdminSessions } from './access/sessions.ts';
import type { SingleSignOn } from './access/single-sign-on.ts';
import type { Asker } from './asks/ask-port.ts';
import type { KnowledgeGraph } from './asks/knowledge-graph.ts';
import type { OpenAsks } from './asks/open-asks.ts';
import type { PrivateFiles } from './asks/private-files.ts';
import type { Cause } from './event-sourcing/commands.ts';
import type { Forgotten } from './history/forget.ts';
import type { VerificationProgress, VerificationReport } from './history/report.ts';
import type { Sealer } from './history/sealer.ts';
import type { IngestProgress, IngestReport, IngestRequest } from './ingest/ingest.ts';
import type { Health } from './operations/health.ts';
import type { Leases } from './ports/leases.ts';

export type { Part, SourceRef } from './answering/parts.ts';
export type { SourceReader } from './asks/open-source.ts';
export type { SourceInput } from './asks/source-document.ts';

/** The caller as identified by a door. */
export type Caller = Asker;

type IngestInput = Omit<IngestRequest, 'cause'> & { actor: string };

export interface App extends OpenAsks {
  /** The knowledge graphs of the corpora. */
  graph: Pick<KnowledgeGraph, 'query' | 'stats' | 'whole'>;
  /**
   * The same for a single asker, whose queries wait in a fair queue. Fails like KnowledgeGraph, and also with
   * `unavailable` if the wait is too long and with `cancelled`.
   */
  graphFor(who: string, signal: AbortSignal): Pick<KnowledgeGraph, 'query' | 'stats'>;
  /** Files sent to conversations. If null, files are not read. */
  files: Pick<PrivateFiles, 'read' | 'ask' | 'forget'> | null;
  /** Leases for work that only one instance may do at a time. */
  leases: Leases;
  /** Access control and limits for questions. */
  access: Access;
  /** Authenticates administrators. */
  logins: AdminLogins;
  /** Sessions of administrators in the console. */
  sessions: AdminSessions;
  /** If null, administrators sign in only with a password. */
  singleSignOn: SingleSignOn | null;
  health(): Health;
  ingest(
    request: IngestInput,
    onProgress?: (progress: IngestProgress) => void,
    signal?: AbortSignal,
  ): Promise<IngestReport>;
  /**
   * Erases all questions asked by a subject (as named in the query log) and their answers. See src/history/forget.ts.
   */
  forget(subject: string, cause: Cause): Promise<Forgotten>;
  /**
   * Like `forget`, but requested by the person concerned. Limited to a few times an hour, and one person at a time. May
   * also fail with `rate_limited`.
   */
  forgetOneself(subject: string): Promise<Forgotten>;
  /** Rebuilds all read models while the old ones stay in use. Resolves when the new ones are live. */
  rebuild(): Promise<void>;
  /**
   * Compares the read models with a replay of the history while they are in use, and records the result. May fail with
   * `unavailable` or `cancelled`.
   */
  verifyProjections(
    onProgress?: (progress: VerificationProgress) => void,
    signal?: AbortSignal,
  ): Promise<VerificationReport>;
  /** Signed checkpoints over the history. If null, the history is not sealed. */
  sealing: Pick<Sealer, 'checkpoint' | 'key' | 'seal'> | null;
  /**
   * Resolves when the read models include everything that was in the history when the call was made. Fails with
   * `timeout` if one of them has made no progress for ten minutes or has not caught up after `limitMs` (default: no
   * limit).
   */
  caughtUp(limitMs?: number): Promise<void>;
  /** The same for the read models of passages and lists, without the graph, which takes longer. */
  searchable(): Promise<void>;
  /** Waits for running work, then closes the stores. */
  close(): Promise<void>;
}
