/**
 * The use cases every door calls. openApp(config) is the one place where adapters are chosen.
 */

import { projections } from '../projections/index.ts';
import { Access } from './access/access.ts';
import { KeyRing } from './access/keys.ts';
import { AdminLogins } from './access/logins.ts';
import { type Administration, createAdministration } from './administration/administration.ts';
import { AdminAudit } from './administration/audit.ts';
import { createAsk } from './answering/ask.ts';
import type { Ask, Asker, LookedUp, LookUpQuestion } from './answering/ask-port.ts';
import type { Part } from './answering/parts.ts';
import type { Corpus } from './api/corpora.ts';
import type { Health } from './api/health.ts';
import { type AskInput, Asks } from './asks/asks.ts';
import { AskHistory } from './asks/history.ts';
import { OverdueAsks } from './asks/overdue.ts';
import { type SourceDocument, type SourceInput, sourceDocument } from './asks/source-document.ts';
import { SourceLinks } from './asks/source-links.ts';
import type { Config } from './config.ts';
import { defaultCorpus } from './domain/catalog.ts';
import type { CorpusSettings, Language, Localized } from './domain/events.ts';
import { uuidv7 } from './domain/ids.ts';
import { type Cause, Commands } from './event-sourcing/commands.ts';
import { ReadYourWrites } from './event-sourcing/read-your-writes.ts';
import { Failure } from './failures.ts';
import { FaqCache } from './faq/cache.ts';
import { type IngestProgress, type IngestReport, type IngestRequest, ingest } from './ingest/ingest.ts';
import { openParsePool } from './ingest/parse-pool.ts';
import { Backfills } from './jobs/backfill.ts';
import { HealthMonitor } from './operations/health.ts';
import type { CoreMetrics } from './operations/metrics/core.ts';
import type { Clock } from './ports/clock.ts';
import type { Position } from './ports/event-log.ts';
import type { Doc } from './ports/read-models.ts';
import { version } from './version.ts';
import { adapterConfig } from './workers/adapter-config.ts';
import { openModels } from './workers/open-models.ts';
import { openStores } from './workers/stores.ts';

export type { Part, SourceRef } from './answering/parts.ts';
export type { AskInput } from './asks/asks.ts';
export type { SourceDocument, SourceInput } from './asks/source-document.ts';

/** Who asks, as a door knows it. */
export type Caller = Asker;

/** `corpus_id` absent: the default corpus, as `Access.corpusFor` chooses it. */
export type SourceRefsInput = Omit<LookUpQuestion, 'corpus_id'> & { corpus_id?: string | null };
export type SourceRefsResult = LookedUp;

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
  /** The text of a revision, for whoever opens a source. Failure `not_found`: corpus, document or revision is unknown. */
  source(input: SourceInput): Promise<SourceDocument>;
  /** Who may ask what, and how often. */
  access: Access;
  /** What administrators may do, and who they are. */
  admin: Administration;
  logins: AdminLogins;
  /** The active ones; told in the reader's language where they are, else in their own first one. */
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
  /** Builds all read models anew beside those that serve, and resolves when the new ones do. */
  rebuild(): Promise<void>;
  /** Resolves when the read models hold what the history held when it was called. */
  caughtUp(timeoutMs?: number): Promise<void>;
  /** Waits for what was begun, then closes the stores. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Sentences for the operator: what waits, what was set aside. No question, prompt or secret stands in them. */
  onTrouble?: (sentence: string) => void;
  /** The history can be neither written nor read any more in this process, which had better end. */
  onLost?: () => void;
  /** Where a door tells how the service does. */
  metrics?: CoreMetrics;
}

const catchUpMs = 10 * 60_000;
/** How long opening waits for the search index before it lets questions be refused. */
const settleMs = 300;

/** Opens the service of one process. Failure `newer_format`, `unavailable`. */
export async function openApp(
  config: Config,
  { onTrouble = () => {}, onLost = () => {}, metrics }: OpenOptions = {},
): Promise<App> {
  const adapters = adapterConfig({
    folder: config.DOCENT_DATA,
    eventstoreUrl: config.EVENTSTOREDB_URL,
    redisUrl: config.REDIS_URL,
    namespace: config.DOCENT_NAMESPACE,
  });
  const stores = await openStores(adapters, { onTrouble, onLost });
  const { embedder } = openModels(adapters.models);
  const { reads, progress } = stores;
  const readYourWrites = new ReadYourWrites(progress, projections);
  const log = readYourWrites.track(metrics?.log(stores.log) ?? stores.log);
  const clock: Clock = { now: () => new Date() };
  const commands = new Commands(log, clock);
  const pages = new SourceLinks({
    publicUrl: config.DOCENT_PUBLIC_URL,
    secret: config.DOCENT_PUBLIC === 'key' ? stores.secret : null,
    clock,
  });
  const headAtStart = await log.head();
  await commands.catalog.load();

  // What was appended since the last commit is passed over in moments; nobody should be turned away for that.
  await progress.waitFor('chunks', headAtStart, settleMs).catch(() => {});
  const rebuilding = () => !progress.hasReached('chunks', headAtStart) || progress.isBehindItself('chunks');
  const health = new HealthMonitor({
    version,
    log,
    readModels: () => reads.get('corpora', config.DOCENT_DEFAULT_CORPUS),
    threads: stores.threads,
    progress,
    projections: projections.map((p) => p.name),
    rebuilding,
  });
  await health.start();

  const faq = new FaqCache({
    reads,
    commands,
    progress,
    clock,
    waitForOwnWrites: () => readYourWrites.waitFor('faq'),
  });
  const changedAt = new Map<string, { stamp: number; position: Position | null }>();
  const corpusChangedAt = async (corpusId: string): Promise<Position | null> => {
    const stamp = progress.changes('corpora');
    const known = changedAt.get(corpusId);
    if (known?.stamp === stamp) return known.position;
    const position = ((await reads.get('corpora', corpusId))?.changed_at as Position | undefined) ?? null;
    changedAt.set(corpusId, { stamp, position });
    return position;
  };
  const asking: Ask = createAsk({
    clock,
    pages,
    newId: () => uuidv7(),
    corpus: (corpusId) => commands.catalog.state.corpora.get(corpusId) ?? null,
    faq,
    answers: {
      cache: stores.cache,
      corpusChangedAt,
      indexHolds: (position) => progress.hasReached('chunks', position),
    },
    research: (request) => reads.research(request),
    ...(metrics && { onStages: metrics.onStages }),
    commands,
  });

  const refuseWhileRebuilding = () => {
    if (rebuilding())
      throw new Failure('unavailable', 'The search index is being built, try again shortly.', {
        retryAfterS: 5,
      });
  };

  /** The catalog's tail is read whenever another process may have changed it. */
  let catalogStamp = -1;
  const freshCatalog = async () => {
    const stamp = progress.changes('corpora');
    if (stamp !== catalogStamp) {
      await commands.catalog.load();
      catalogStamp = stamp;
    }
  };

  const corporaCache = { stamp: -1, lists: new Map<Language | null, Corpus[]>() };
  const corpora = async (reader: Language | null = null) => {
    const stamp = progress.changes('corpora');
    if (corporaCache.stamp !== stamp) {
      corporaCache.lists.clear();
      corporaCache.stamp = stamp;
    }
    const known = corporaCache.lists.get(reader);
    if (known) return known;
    const { items } = await reads.find('corpora', { where: { is_active: true }, limit: 10_000 });
    const ids = items.map(({ corpus_id }) => String(corpus_id));
    const byDefault = defaultCorpus(ids, config.DOCENT_DEFAULT_CORPUS);
    const list = items.map((doc) => publicCorpus(doc, byDefault, reader));
    if (corporaCache.stamp === stamp) corporaCache.lists.set(reader, list);
    return list;
  };

  const caughtUp = async (timeoutMs = catchUpMs) => {
    const head = await log.head();
    await Promise.all(projections.map((p) => progress.waitFor(p.name, head, timeoutMs)));
  };

  const takeIn = async (
    request: Omit<IngestRequest, 'cause'>,
    cause: Cause,
    onProgress?: (progress: IngestProgress) => void,
    signal?: AbortSignal,
  ): Promise<IngestReport> => {
    const pool = openParsePool({ workers: 2 });
    try {
      const report = await ingest(
        { commands, reads, embedder, pool, caughtUp },
        { ...request, cause },
        onProgress,
        signal,
      );
      await caughtUp();
      return report;
    } finally {
      await pool.close();
    }
  };

  const keys = new KeyRing({ commands, clock });
  await keys.start();
  const access = new Access({
    keys,
    limiter: stores.limiter,
    catalog: async () => {
      await freshCatalog();
      return commands.catalog.state;
    },
    defaultCorpus: config.DOCENT_DEFAULT_CORPUS,
    isPublic: config.DOCENT_PUBLIC === 'open',
    publicLimits: { perMinute: config.DOCENT_PUBLIC_RPM, perHour: config.DOCENT_PUBLIC_RPH },
  });
  const audit = new AdminAudit({ commands, clock, onTrouble });
  const logins = new AdminLogins({
    admins: config.DOCENT_ADMINS,
    onFailure: (name) => audit.failed(name),
  });
  const backfills = new Backfills({ commands, reads, embedder, clock, caughtUp, onTrouble });
  backfills.start();
  const admin = createAdministration({
    commands,
    reads: readYourWrites.consistentReads(reads),
    progress,
    clock,
    config,
    embedder,
    keys,
    backfills,
    audit,
    ingest: takeIn,
    faq,
  });

  const overdue = new OverdueAsks({ reads, commands, clock, onTrouble });
  overdue.start();

  const ask: App['ask'] = async function* (input, signal) {
    refuseWhileRebuilding();
    const corpus_id = await access.corpusFor(null, input.corpus_id ?? null);
    yield* asking.ask({ ...input, corpus_id }, signal);
  };
  const history = new AskHistory(commands, clock, pages, () => faq.caughtUp());
  const asks = new Asks({ ask, history, clock });

  return {
    ask,
    asks,
    async sourceRefs(input, signal) {
      refuseWhileRebuilding();
      const corpus_id = await access.corpusFor(null, input.corpus_id ?? null);
      return asking.sourceRefs({ ...input, corpus_id }, signal);
    },
    history,
    access,
    admin,
    logins,
    async source(input) {
      await freshCatalog();
      const corpus = commands.catalog.state.corpora.get(input.corpus_id);
      const events = corpus?.active ? await log.readStream(`document-${input.doc_id}`) : [];
      const source = corpus && sourceDocument(events, input, corpus.settings);
      if (!source) throw new Failure('not_found', 'There is no such source.');
      return source;
    },
    corpora,
    health: () => health.report(),
    async documents(corpusId, page) {
      await freshCatalog();
      if (corpusId !== null && !commands.catalog.state.corpora.has(corpusId))
        throw new Failure('not_found', `There is no corpus "${corpusId}".`);
      return reads.find('documents', {
        ...(corpusId === null ? {} : { where: { corpus_id: corpusId } }),
        orderBy: { field: 'doc_id' },
        ...page,
      });
    },
    ingest: ({ actor, ...request }, onProgress, signal) =>
      takeIn(request, { actor, correlation_id: uuidv7() }, onProgress, signal),
    rebuild: () => stores.rebuild(projections.map((p) => p.name)),
    caughtUp,
    async close() {
      await asks.close(0);
      overdue.stop();
      health.stop();
      keys.stop();
      await backfills.stop().catch(() => {});
      await audit.close().catch(() => {});
      await stores.close();
    },
  };
}

/** A text of several languages in the corpus' first one that has it. */
function localized(text: Localized, order: readonly Language[]): string {
  if (typeof text === 'string') return text;
  for (const lang of order) if (text[lang] !== undefined) return text[lang];
  return Object.values(text)[0] ?? '';
}

function publicCorpus(doc: Doc, byDefault: string | null, reader: Language | null): Corpus {
  const { corpus_id, title, description, languages, styles, document_count, chunk_count, updated_at } =
    doc as unknown as CorpusSettings & Omit<Corpus, 'title' | 'description' | 'is_default'>;
  const order = reader === null ? languages : [reader, ...languages];
  return {
    corpus_id,
    title: localized(title, order),
    description: description === null ? null : localized(description, order),
    languages,
    styles,
    is_default: corpus_id === byDefault,
    document_count,
    chunk_count,
    updated_at,
  };
}
