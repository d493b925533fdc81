/** Shared by the use cases of the administration. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { KeptReports } from '../../tools/evaluation/kept-reports.ts';
import type { KeyRing } from '../access/keys.ts';
import type { Acting } from '../access/logins.ts';
import type { Answering } from '../asks/ask-port.ts';
import type { Chats } from '../asks/chats.ts';
import { pages } from '../async/pages.ts';
import type { Config } from '../config.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { CuratedAnswers } from '../faq/curated-answers.ts';
import type { ForgottenSubject } from '../history/forget.ts';
import type { Backfills } from '../ingest/embedding/backfill.ts';
import type { EmbeddingGenerations } from '../ingest/embedding/embedding-generations.ts';
import type { IngestReport, IngestRequest } from '../ingest/ingest.ts';
import type { InspectedFile, InspectRequest } from '../ingest/inspect.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog, Position, RecordedEvent } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import type { AdminAudit } from './audit.ts';

export interface AdministrationDeps {
  commands: Commands;
  reads: Pick<ReadModelReads, 'get' | 'getMany' | 'find' | 'chunks' | 'coverage' | 'embeddedByDocument'>;
  progress: Pick<ProjectionProgress, 'waitFor'>;
  clock: Clock;
  config: Config;
  embedder: Embedder | null;
  generations: Pick<EmbeddingGenerations, 'all'>;
  keys: KeyRing;
  backfills: Backfills;
  audit: Pick<AdminAudit, 'read'>;
  /** Ingests a single file. Resolves when the read models show it. */
  ingest(request: Omit<IngestRequest, 'cause'>, cause: Cause): Promise<IngestReport>;
  /** Shows how a file would be parsed; see src/ingest/inspect.ts. */
  inspect(request: InspectRequest): Promise<InspectedFile>;
  /** See src/ingest/restore.ts. */
  restore(docId: number, cause: Cause): Promise<Position | null>;
  trial: Answering['trial'];
  recordTrial: AdminAudit['tried'];
  /** Fails with `unavailable` while the read models are being built. */
  checkReady(): void;
  evaluations: Pick<KeptReports, 'list' | 'read'>;
  faq: CuratedAnswers;
  chats: Pick<Chats, 'place'>;
  /** Like App.forget, but also waits a limited time for the read models. */
  forget(subject: string, cause: Cause): Promise<ForgottenSubject>;
  /** See Stores.proveEvent. */
  proveEvent(eventId: string, signal: AbortSignal): Promise<string>;
  log: Pick<EventLog, 'head' | 'readStored' | 'readStoredBefore' | 'readStream' | 'subscribe'>;
}

/** Maximum time to wait for the read models to show a change, in ms. */
const shownMs = 3000;
const recordsAtOnce = 10_000;

export const causeOf = ({ name, request_id }: Acting): Cause => ({
  actor: `admin:${name}`,
  correlation_id: request_id,
});

/** Waits for a limited time until the audit log and the given projections include the appended events. */
export async function shown(
  { progress }: Pick<AdministrationDeps, 'progress'>,
  position: Position | null,
  ...projections: string[]
): Promise<void> {
  await Promise.all(
    ['audit', ...projections].map((projection) =>
      progress.waitFor(projection, position, shownMs).catch(() => {}),
    ),
  );
}

/** Runs one piece of work at a time in this process, and fails with `unavailable` for any other. */
export function oneAtATime(busy: string, retryAfterS: number): <T>(work: () => Promise<T>) => Promise<T> {
  let isRunning = false;
  return async (work) => {
    if (isRunning) throw new Failure('unavailable', busy, { retryAfterS });
    isRunning = true;
    try {
      return await work();
    } finally {
      isRunning = false;
    }
  };
}

/** Number of events read at a time. An event may have several hundred kilobytes, and other requests wait. */
const eventsAtOnce = 4;

/** All events of a document, including its texts. */
export async function* documentEvents(
  log: Pick<EventLog, 'readStream'>,
  docId: number,
): AsyncGenerator<RecordedEvent> {
  for (let next = 0; ; next += eventsAtOnce) {
    const events = await log.readStream(`document-${docId}`, next, eventsAtOnce);
    yield* events;
    if (events.length < eventsAtOnce) return;
  }
}

/** Times at or after `from` and before `before`. */
export interface TimeRange {
  from?: string | undefined;
  before?: string | undefined;
}

/** A query condition for a time range; empty if neither end is given. */
export function between(
  field: string,
  { from, before: to, asOf }: TimeRange & { asOf?: string | undefined },
): Pick<Query, 'between'> {
  const [before] = [to, asOf].filter((time) => time !== undefined).sort();
  if (from === undefined && before === undefined) return {};
  return { between: { field, ...(from !== undefined && { from }), ...(before !== undefined && { before }) } };
}

/** The given filters as equality conditions. */
export const equal = (filters: Record<string, string | number | boolean | undefined>): Query['where'] & {} =>
  Object.fromEntries(
    Object.entries(filters).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
    ),
  );

/** A query condition for words; empty if the text is blank. */
export const words = (search: string | undefined): Pick<Query, 'search'> =>
  search !== undefined && search.trim() !== '' ? { search } : {};

/** All records of a collection whose size does not depend on the number of questions. */
export async function all(
  { reads }: Pick<AdministrationDeps, 'reads'>,
  collection: string,
  query: Query = {},
): Promise<Doc[]> {
  const found: Doc[] = [];
  for await (const items of pages((page) => reads.find(collection, { ...query, ...page }), recordsAtOnce))
    found.push(...items);
  return found;
}
