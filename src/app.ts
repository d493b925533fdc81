/** The use cases every door calls; openApp(config) is the one place where they and their adapters are put together. */

import { projections } from '../projections/index.ts';
import { Access } from './access/access.ts';
import { KeyRing } from './access/keys.ts';
import { AdminLogins } from './access/logins.ts';
import { type Administration, createAdministration } from './administration/administration.ts';
import { AdminAudit } from './administration/audit.ts';
import { type Forgotten, forget, oneself } from './administration/forget.ts';
import { createAsk } from './answering/ask.ts';
import type { Asker, LookedUp, LookUpQuestion } from './answering/ask-port.ts';
import { extractiveAnswerer } from './answering/extractive/answerer.ts';
import { createGeneratingAnswerer } from './answering/generating/answerer.ts';
import { createRewriter } from './answering/generating/rewriting.ts';
import type { Part } from './answering/parts.ts';
import type { Corpus } from './api/corpora.ts';
import type { Health } from './api/health.ts';
import type { AskInput } from './asks/ask-input.ts';
import { Asks } from './asks/asks.ts';
import { Chats } from './asks/chats.ts';
import { AskHistory } from './asks/history.ts';
import { OverdueAsks } from './asks/overdue.ts';
import { SourceDocuments, type SourceInput } from './asks/source-document.ts';
import { SourceLinks } from './asks/source-links.ts';
import { type OpenedSource, openSource, type SourceReader } from './asks/source-reader.ts';
import { refuseHidden } from './asks/still-shown.ts';
import { FairTurns } from './async/fair-turns.ts';
import { within } from './async/within.ts';
import { type Config, keysOf } from './config.ts';
import { crossReferences } from './corpora/cross-references.ts';
import { listDocuments } from './corpora/documents.ts';
import { FreshCatalog } from './corpora/fresh-catalog.ts';
import { KnowledgeGraph } from './corpora/knowledge-graph.ts';
import { PublicCorpora } from './corpora/public-corpora.ts';
import type { Language } from './domain/events.ts';
import { apartIn } from './domain/graph-splits.ts';
import { uuidv7 } from './domain/ids.ts';
import { type Cause, Commands } from './event-sourcing/commands.ts';
import { CurrentPrompt } from './event-sourcing/current-prompt.ts';
import { ReadYourWrites } from './event-sourcing/read-your-writes.ts';
import { FaqCache } from './faq/cache.ts';
import type { IngestProgress, IngestReport, IngestRequest } from './ingest/ingest.ts';
import { Ingestions } from './ingest/ingestion.ts';
import { createEntityExtractor } from './ingest/model-entities.ts';
import { restoreDocument } from './ingest/restore.ts';
import { Backfills } from './jobs/backfill.ts';
import { EmbeddingGenerations } from './jobs/embedding-generations.ts';
import { createMoments, type Moments } from './moments.ts';
import { HealthMonitor } from './operations/health.ts';
import type { CoreMetrics } from './operations/metrics/core.ts';
import { Readiness } from './operations/readiness.ts';
import { Retention, unsealed } from './operations/retention.ts';
import { Spending } from './operations/spending.ts';
import type { Clock } from './ports/clock.ts';
import type { Position } from './ports/event-log.ts';
import type { Leases } from './ports/leases.ts';
import type { Doc } from './ports/read-models.ts';
import type { Reads } from './reads/reads.ts';
import { StampedCache } from './reads/stamped-cache.ts';
import type { RetrievalRequest } from './retrieval/pipeline.ts';
import { retrieveWithModels } from './retrieval/with-models.ts';
import { checkpointPlace } from './transparency/publish.ts';
import { Sealer } from './transparency/sealer.ts';
import { readSigningKey } from './transparency/signed-note.ts';
import { recordedReport } from './verification/recorded-report.ts';
import type { VerificationProgress, VerificationReport } from './verification/report.ts';
import { version } from './version.ts';
import { adapterConfig } from './workers/adapter-config.ts';
import { KeptMoments } from './workers/kept-moments.ts';
import { type CohereSettings, openModels } from './workers/open-models.ts';
import { openStores, type Stores } from './workers/stores.ts';

export type { Part, SourceRef } from './answering/parts.ts';
export type { Health } from './api/health.ts';
export type { AskInput } from './asks/ask-input.ts';
export type { SourceDocument, SourceInput } from './asks/source-document.ts';
export type { OpenedSource, SourceReader } from './asks/source-reader.ts';

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
  /** What one instance at a time does. */
  leases: Leases;
  /** Who may ask what, and how often. */
  access: Access;
  /** What administrators may do, and who they are. */
  admin: Administration;
  logins: AdminLogins;
  /** The service as it was, for administrators and auditors. */
  moments: Moments;
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
  /** Erases everything that a subject (as the query log names it) asked and was answered. See src/administration/forget.ts. */
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
  /** Resolves when the read models hold what the history held when it was called. */
  caughtUp(timeoutMs?: number): Promise<void>;
  /**
   * Resolves when the lexicons hold what the documents teach that the read models show: answers no longer change by
   * themselves. At once where another process learns them.
   */
  learned(): Promise<void>;
  /** Waits for what was begun, then closes the stores. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Sentences for the operator: what waits, what was set aside. No question, prompt or secret stands in them. */
  onTrouble?: (sentence: string) => void;
  /** The history can be neither written nor read any more in this process, which should end. */
  onLost?: () => void;
  /** Questions will be asked: all is got ready for the first. Default true. */
  asksSoon?: boolean;
  /** Where a door reports how the service does. */
  metrics?: CoreMetrics;
}

const catchUpMs = 10 * 60_000;
/** A forgetting is answered at the latest after so long; of a long history the read models let go later. */
const renewedMs = 5_000;

/** null: there is no key. */
const cohereSettings = (config: Config): CohereSettings | null =>
  config.COHERE_API_KEY === null
    ? null
    : {
        apiKey: config.COHERE_API_KEY,
        baseUrl: config.COHERE_BASE_URL,
        chatModel: config.COHERE_CHAT_MODEL,
        embedModel: config.COHERE_EMBED_MODEL,
        rerankModel: config.COHERE_RERANK_MODEL,
        embedDimension: config.COHERE_EMBED_DIMENSION,
        citations: config.COHERE_CITATIONS,
        chatSilenceMs: config.COHERE_CHAT_SILENCE_MS,
        embedMs: config.COHERE_EMBED_MS,
        rerankMs: config.COHERE_RERANK_MS,
      };

/** Opens the service of one process. Failure `newer_format`, `unavailable`. */
export async function openApp(
  config: Config,
  { onTrouble = () => {}, onLost = () => {}, asksSoon = true, metrics }: OpenOptions = {},
): Promise<App> {
  const adapters = adapterConfig({
    folder: config.DOCENT_DATA,
    eventstoreUrl: config.EVENTSTOREDB_URL,
    namespace: config.DOCENT_NAMESPACE,
    provider: config.COHERE_API_KEY === null ? 'offline' : 'cohere',
    ...keysOf(config),
  });
  const stores = await openStores(adapters, {
    onTrouble,
    onLost,
    searchesSoon: asksSoon,
    secret: config.DOCENT_SECRET,
  });
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
  const sealer = createSealer(config, stores, commands, onTrouble);
  const days = config.DOCENT_RETENTION_DAYS;
  const { keys: sealedWith, leases } = stores;
  if (days !== null && sealedWith === null) {
    await stores.close();
    throw unsealed();
  }
  const retention =
    days === null || sealedWith === null
      ? null
      : new Retention({ days, keys: sealedWith, log, commands, leases, clock, onTrouble });
  const spending = new Spending({
    commands,
    clock,
    prices: {
      input: config.COHERE_PRICE_INPUT,
      output: config.COHERE_PRICE_OUTPUT,
      embed: config.COHERE_PRICE_EMBED,
      search: config.COHERE_PRICE_SEARCH,
    },
    budget: { day: config.DOCENT_BUDGET_DAY, month: config.DOCENT_BUDGET_MONTH },
    onTrouble,
  });
  const cohere = cohereSettings(config);
  if (cohere) await spending.start();
  const models = await openModels(cohere, {
    onTrouble,
    onUsage: (call, usage) => {
      spending.count(call, usage);
      metrics?.onModelUsage(call, usage, spending.costOf(usage));
    },
    admit: () => spending.admit(),
  });
  const { embedder, generator, reranker } = models;
  const extractor = generator && config.DOCENT_GRAPH_MODEL ? createEntityExtractor(generator) : null;
  await commands.catalog.load();
  const catalog = new FreshCatalog(commands.catalog, progress);
  const readiness = new Readiness(progress, await log.head());
  await readiness.settle();
  const health = new HealthMonitor({
    version,
    log,
    readModels: () => reads.get('corpora', config.DOCENT_DEFAULT_CORPUS),
    threads: stores.threads,
    modelsDown: () => models.down(),
    spent: () => (cohere ? spending.spent() : null),
    progress,
    projections: projections.map((p) => p.name),
    faults: stores.faults,
    historyFault: () => sealer?.fault ?? null,
    rebuilding: () => readiness.rebuilding,
    onTrouble,
  });
  await health.start();
  const reached = async (wanted: typeof projections, timeoutMs = catchUpMs) => {
    const head = await log.head();
    await Promise.all(wanted.map(({ name }) => progress.waitFor(name, head, timeoutMs)));
  };
  const caughtUp = (timeoutMs?: number) => reached(projections, timeoutMs);
  // What is taken in is there when it can be found.
  const searchable = (timeoutMs?: number) =>
    reached(
      projections.filter(({ late }) => !late),
      timeoutMs,
    );

  const faq = new FaqCache({
    reads,
    commands,
    progress,
    clock,
    vectors: embedder?.deterministic === false ? (texts) => embedder.embed(texts, 'query') : null,
    waitForOwnWrites: () => readYourWrites.waitFor('faq'),
  });
  const corpusChanges = new StampedCache<string, Position | null>(
    () => progress.changes('corpora'),
    async (corpusId) => ((await reads.get('corpora', corpusId))?.changed_at as Position | undefined) ?? null,
  );
  const generations = new EmbeddingGenerations({
    reads,
    embedder,
    embedderNamed: (name) => models.embedderNamed(name),
  });
  const retrieveOver = (from: Reads, held: Pick<EmbeddingGenerations, 'serving'>) =>
    reranker || embedder?.deterministic === false
      ? retrieveWithModels({
          retrieve: (request, signal) => from.retrieve(request, signal),
          candidates: (request, limit, signal) => from.candidates(request, limit, signal),
          embedder: () => held.serving(),
          reranker,
        })
      : (request: RetrievalRequest, signal: AbortSignal) => from.retrieve(request, signal);
  const retrieve = retrieveOver(reads, generations);
  const prompts = new CurrentPrompt(commands.settings);
  const turns = new FairTurns({ atOnce: stores.atOnce });
  // Whatever other processes part or join again stands in the audit log.
  const splits = new StampedCache(
    () => progress.changes('audit'),
    (_: 'all') => commands.graphSplits.load(),
  );
  const graph = new KnowledgeGraph({
    graphs: stores.graphs,
    catalog,
    progress,
    apart: async (corpusId) => apartIn(await splits.get('all'), corpusId),
    waitForOwnWrites: () => readYourWrites.waitFor('graph'),
  });
  /** Of the graphs' one thread, which has the next question before it by the time it has answered one. */
  const graphTurns = new FairTurns({ atOnce: 2 });
  const graphFor: App['graphFor'] = (who, signal) => {
    const inTurn = <T>(work: () => Promise<T>) => graphTurns.take({ who, size: 1 }, work, signal);
    return {
      query: (...question) => inTurn(() => graph.query(...question)),
      stats: (corpusIds) => inTurn(() => graph.stats(corpusIds)),
    };
  };
  const asking = createAsk({
    clock,
    pages,
    newId: () => uuidv7(),
    corpus: (corpusId) => catalog.corpus(corpusId),
    faq,
    answers: {
      cache: stores.cache,
      corpusChangedAt: (corpusId) => corpusChanges.get(corpusId),
      indexHolds: (position) =>
        progress.hasReached('chunks', position) && progress.hasReached('graph', position),
    },
    wording: (scope, question) => reads.wording(scope, question),
    ...(generator && {
      answerer: createGeneratingAnswerer({
        generator,
        prompt: () => prompts.current(),
        instead: extractiveAnswerer,
        maxTokens: config.COHERE_MAX_TOKENS,
        relevance: reranker?.rerank.bind(reranker) ?? null,
      }),
      rewrite: createRewriter(generator),
    }),
    turn: (of, work, signal) => turns.take(of, work, signal),
    references: (wanted) => crossReferences({ graph, reads }, wanted),
    retrieve,
    ...(cohere && { costOf: (usage) => spending.costOf(usage) }),
    ...(metrics && { onStages: metrics.onStages }),
    onTrouble,
    commands,
  });
  const corpora = new PublicCorpora(reads, progress, config.DOCENT_DEFAULT_CORPUS);
  const ingestions = new Ingestions({ commands, reads, embedder, extractor, caughtUp: searchable });

  const keys = new KeyRing({ commands, clock });
  await keys.start();
  const access = new Access({
    clock,
    secret: stores.secret,
    keys,
    limiter: stores.limiter,
    catalog: () => catalog.load(),
    defaultCorpus: config.DOCENT_DEFAULT_CORPUS,
    isPublic: config.DOCENT_PUBLIC === 'open',
    publicLimits: { perMinute: config.DOCENT_PUBLIC_RPM, perHour: config.DOCENT_PUBLIC_RPH },
  });
  const sources = {
    catalog,
    documents: new SourceDocuments(log),
    links: pages,
    mayRead: access.mayRead.bind(access),
  };
  const audit = new AdminAudit({ commands, clock, onTrouble });
  const logins = new AdminLogins({
    admins: config.DOCENT_ADMINS,
    onFailure: (name) => audit.failed(name),
  });
  const backfills = new Backfills({
    ...{ commands, reads, embedder, clock, onTrouble },
    caughtUp: searchable,
  });
  backfills.start();
  const forgetSubject: App['forget'] = (subject, cause) =>
    forget(
      {
        keys: stores.keys,
        commands,
        clock,
        renewed: (position) => stores.renewed(position),
      },
      subject,
      cause,
    );
  /** However many want it at once: asks are sealed with keys of the same store, and have their turn between. */
  const forgettings = new FairTurns({ atOnce: 1 });
  const admin = createAdministration({
    forget: async (subject, cause) => {
      const { done, ...forgotten } = await forgetSubject(subject, cause);
      await within(done, renewedMs, () => {});
      return forgotten;
    },
    log,
    commands,
    reads: readYourWrites.consistentReads(reads),
    progress,
    clock,
    config,
    embedder,
    generations,
    keys,
    backfills,
    audit,
    ingest: (request, cause) => ingestions.takeIn(request, cause),
    restore: (docId, cause) => restoreDocument({ log, commands, embedder, extractor }, docId, cause),
    faq,
  });

  const kept = new KeptMoments(adapters, { onTrouble });
  const closing = new AbortController();
  const moments = createMoments({
    signal: closing.signal,
    ...{ log, kept, config, audit, embedder, retrieveOver, clock },
    embedderNamed: (name) => models.embedderNamed(name),
    asking: {
      pages,
      newId: () => uuidv7(),
      turn: (of, work, signal) => turns.take(of, work, signal),
    },
  });

  const overdue = new OverdueAsks({ reads, commands, clock, onTrouble });
  overdue.start();
  retention?.start();
  sealer?.start();

  const ask: App['ask'] = async function* (input, signal) {
    readiness.check();
    const corpus_id = await access.corpusFor(null, input.corpus_id ?? null);
    yield* asking.ask({ ...input, corpus_id }, signal);
  };
  const shown = {
    reads: readYourWrites.consistentReads(reads),
    corpus: async (corpusId: string) => (await catalog.load()).corpora.get(corpusId) ?? null,
  };
  const history = new AskHistory(
    commands,
    clock,
    pages,
    {
      stamp: () => progress.changes('queries'),
      after: (stamp, signal) => progress.changed('queries', stamp, signal),
    },
    () => faq.caughtUp(),
    (corpusId, sources) => refuseHidden(shown, corpusId, sources),
  );
  const asks = new Asks({ ask, history, secret: stores.secret, clock });
  const chats = new Chats({ commands, reads, leases, history, secret: stores.secret, clock });

  return {
    ask,
    asks,
    async sourceRefs(input, signal) {
      readiness.check();
      const corpus_id = await access.corpusFor(null, input.corpus_id ?? null);
      return asking.sourceRefs({ ...input, corpus_id }, signal);
    },
    history,
    graph,
    graphFor,
    chats,
    leases,
    access,
    admin,
    logins,
    moments,
    source: (input, reader) => openSource(sources, input, reader),
    corpora: (reader) => corpora.list(reader),
    health: () => health.report(),
    documents: (corpusId, page) => listDocuments({ catalog, reads }, corpusId, page),
    ingest: ({ actor, ...request }, onProgress, signal) =>
      ingestions.takeIn(request, { actor, correlation_id: uuidv7() }, onProgress, signal),
    forget: forgetSubject,
    forgetOneself: oneself({
      access,
      turn: (who, work) => forgettings.take({ who, size: 1 }, work, closing.signal),
      forget: forgetSubject,
    }),
    rebuild: () => stores.rebuild(projections.map((p) => p.name)),
    async verifyProjections(onProgress, signal) {
      await caughtUp();
      const report = await stores.verify(onProgress, signal);
      const verified = { type: 'ReadModelsVerified' as const, data: recordedReport(report) };
      const correlation_id = uuidv7();
      await commands.record(`verification-${correlation_id}`, -1, [verified], {
        actor: 'system',
        correlation_id,
      });
      return report;
    },
    sealing: sealer,
    caughtUp,
    learned: () => stores.learned(),
    async close() {
      await sealer?.stop();
      await asks.close(0);
      await chats.close();
      await ingestions.close();
      overdue.stop();
      retention?.stop();
      health.stop();
      keys.stop();
      await backfills.stop().catch(() => {});
      await audit.close().catch(() => {});
      await spending.stop();
      closing.abort();
      await kept.close();
      await stores.close();
    },
  };
}

const second = 1_000;

/** null: no key to seal with is configured. */
function createSealer(
  config: Config,
  stores: Pick<Stores, 'treeHead'>,
  commands: Commands,
  onTrouble: (sentence: string) => void,
): Sealer | null {
  const { DOCENT_SEAL_KEY: key, DOCENT_SEAL_KEY_BEFORE: before, DOCENT_SEAL_TO: to } = config;
  if (key === null) return null;
  return new Sealer({
    key: readSigningKey(key),
    before: before === null ? null : readSigningKey(before),
    head: (signal) => stores.treeHead(signal),
    commands,
    place: to === null ? null : checkpointPlace(to),
    onTrouble,
    everyMs: config.DOCENT_SEAL_SECONDS * second,
  });
}
