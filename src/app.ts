/** The one place where the use cases and their adapters are put together, and nothing else. */

import { projections } from '../projections/index.ts';
import { Access } from './access/access.ts';
import { KeyRing } from './access/keys.ts';
import { AdminLogins } from './access/logins.ts';
import { createAdministration } from './administration/administration.ts';
import { AdminAudit } from './administration/audit.ts';
import { forget, forgetAndWait, oneself } from './administration/forget.ts';
import { createAsk } from './answering/ask.ts';
import { retrieveAsConfigured } from './answering/reading/with-models.ts';
import { createQueryMaker } from './answering/search-queries.ts';
import { createGeneratingAnswerer } from './answering/writing/generating/answerer.ts';
import type { App } from './app-port.ts';
import { admitted } from './asks/admission.ts';
import { Asks } from './asks/asks.ts';
import { Chats } from './asks/chats.ts';
import { listDocuments } from './asks/documents.ts';
import { AskHistory } from './asks/history.ts';
import { OverdueAsks } from './asks/overdue.ts';
import { PublicCorpora } from './asks/public-corpora.ts';
import { SourceDocuments } from './asks/source-document.ts';
import { SourceLinks } from './asks/source-links.ts';
import { openSource } from './asks/source-reader.ts';
import { refuseHidden } from './asks/still-shown.ts';
import { FairQueue } from './async/fair-queue.ts';
import { StampedCache } from './async/stamped-cache.ts';
import { type Config, embedsOffline, keysOf, modelsOf, sealingOf, spendingOf } from './config.ts';
import { crossReferences } from './corpora/cross-references.ts';
import { inTurn, KnowledgeGraph } from './corpora/knowledge-graph.ts';
import { uuidv7 } from './domain/ids.ts';
import { CatchingUp } from './event-sourcing/catching-up.ts';
import { Commands } from './event-sourcing/commands.ts';
import { CurrentPrompt } from './event-sourcing/current-prompt.ts';
import { FreshCatalog } from './event-sourcing/fresh-catalog.ts';
import { ReadYourWrites } from './event-sourcing/read-your-writes.ts';
import { FaqCache } from './faq/cache.ts';
import { openSealer } from './history/sealer.ts';
import { verifyAndRecord } from './history/verify-and-record.ts';
import { Backfills } from './ingest/embedding/backfill.ts';
import { EmbeddingGenerations } from './ingest/embedding/embedding-generations.ts';
import { Ingestions } from './ingest/ingestion.ts';
import { createEntityExtractor } from './ingest/model-entities.ts';
import { restoreDocument } from './ingest/restore.ts';
import { createMoments, type MomentsDeps } from './moments.ts';
import { HealthMonitor } from './operations/health.ts';
import type { CoreMetrics } from './operations/metrics/core.ts';
import { Readiness } from './operations/readiness.ts';
import { openRetention } from './operations/retention.ts';
import { Spending } from './operations/spending.ts';
import type { Clock } from './ports/clock.ts';
import type { Position } from './ports/event-log.ts';
import { version } from './version.ts';
import { type AdapterConfig, adapterConfig } from './workers/adapter-config.ts';
import { openModels } from './workers/open-models.ts';
import { PastMoments } from './workers/past-moments.ts';
import { openStores, type Stores } from './workers/stores.ts';

export interface OpenOptions {
  /** Sentences for the operator: what waits, what was set aside. No question, prompt or secret stands in them. */
  onTrouble?: (sentence: string) => void;
  /** The history can be neither written nor read any more in this process, which should end. */
  onLost?: () => void;
  /** Questions will be asked: all is got ready for the first. Default true. */
  asksSoon?: boolean;
  /** Many will ask at once: all is got ready for them too. Default false. */
  manyAsk?: boolean;
  /** Where a door reports how the service does. */
  metrics?: CoreMetrics;
}

/** Opens the service of one process. Failure `newer_format`, `unavailable`, `invalid`. */
export async function openApp(
  config: Config,
  { onTrouble = () => {}, onLost = () => {}, asksSoon = true, manyAsk = false, metrics }: OpenOptions = {},
): Promise<App> {
  const adapters = adapterConfig({
    folder: config.DOCENT_DATA,
    eventstoreUrl: config.EVENTSTOREDB_URL,
    namespace: config.DOCENT_NAMESPACE,
    provider: modelsOf(config) === null ? 'offline' : 'model',
    embedsOffline: embedsOffline(config),
    ...keysOf(config),
  });
  const stores = await openStores(adapters, {
    onTrouble,
    onLost,
    searchesSoon: asksSoon,
    searchesMany: manyAsk,
    secret: config.DOCENT_SECRET,
  });
  try {
    return await compose(config, { adapters, stores, onTrouble, metrics });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

interface Opened {
  adapters: AdapterConfig;
  stores: Stores;
  onTrouble: (sentence: string) => void;
  metrics: CoreMetrics | undefined;
}

async function compose(config: Config, { adapters, stores, onTrouble, metrics }: Opened): Promise<App> {
  const { reads, progress, leases } = stores;
  const readYourWrites = new ReadYourWrites(progress, projections);
  const log = readYourWrites.track(metrics?.log(stores.log) ?? stores.log);
  const clock: Clock = { now: () => new Date() };
  const commands = new Commands(log, clock);
  const pages = new SourceLinks({
    publicUrl: config.DOCENT_PUBLIC_URL,
    secret: config.DOCENT_PUBLIC === 'key' ? stores.secret : null,
    clock,
  });
  const sealing = sealingOf(config);
  const sealer =
    sealing && openSealer(sealing, { head: (signal) => stores.treeHead(signal), commands, onTrouble });
  const retention = openRetention(config.DOCENT_RETENTION_DAYS, {
    ...{ keys: stores.keys, log, commands, leases, clock, onTrouble },
  });
  const spending = new Spending({ commands, clock, ...spendingOf(config), onTrouble });
  const modelSettings = modelsOf(config);
  if (modelSettings) await spending.start();
  const models = await openModels(modelSettings, {
    onTrouble,
    onUsage: (call, usage) => {
      spending.count(call, usage);
      metrics?.onModelUsage(call, usage, spending.costOf(usage));
    },
    admit: () => spending.admit(),
  });
  const { embedder, generator, reranker, structured, verifier } = models;
  const embeds = embedder?.deterministic === false;
  const extractor = structured && config.DOCENT_GRAPH_MODEL ? createEntityExtractor(structured) : null;
  await commands.catalog.load();
  const catalog = new FreshCatalog(commands.catalog, progress);
  const readiness = new Readiness(progress, await log.head());
  await readiness.settle();
  // Records and index each answer it, whether or not they are complete.
  const readModels = () => reads.poisoned();
  const health = new HealthMonitor({
    version,
    log,
    readModels,
    threads: stores.threads,
    modelsDown: () => models.down(),
    spent: () => (modelSettings ? spending.spent() : null),
    progress,
    projections: projections.map((p) => p.name),
    historyFault: () => sealer?.fault ?? null,
    rebuilding: () => readiness.rebuilding,
    onTrouble,
  });
  await health.start();
  const catchingUp = new CatchingUp({ log, progress, projections, readModels });

  const faq = new FaqCache({
    reads,
    commands,
    progress,
    clock,
    vectors: embeds ? (texts) => embedder!.embed(texts, 'query') : null,
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
  const retrieveOver: MomentsDeps['retrieveOver'] = (from, held) =>
    retrieveAsConfigured(from, { embedder: () => held.serving(), reranker, embeds });
  const prompts = new CurrentPrompt(commands.settings);
  const turns = new FairQueue({ atOnce: stores.atOnce });
  const graph = new KnowledgeGraph({
    graphs: stores.graphs,
    catalog,
    progress,
    waitForOwnWrites: () => readYourWrites.waitFor('graph'),
  });
  /** The thread that reads has the next question before it by the time it has answered one. */
  const graphTurns = new FairQueue({ atOnce: 2 });
  const graphFor: App['graphFor'] = (who, signal) =>
    inTurn(graph, (work) => graphTurns.take({ who, size: 1 }, work, signal));
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
    holding: (scope, words, limit) => reads.holding(scope, words, limit),
    ...(generator && {
      answerer: createGeneratingAnswerer({
        generator,
        prompt: () => prompts.current(),
        maxTokens: config.MODEL_MAX_TOKENS,
        ...{ verifier, verifyMs: config.MODEL_VERIFY_MS, unverified: config.DOCENT_UNVERIFIED },
      }),
    }),
    ...(generator && structured && { queries: createQueryMaker(structured, config.MODEL_REWRITE_MS) }),
    enter: (piece, signal) => turns.enter(piece, signal),
    references: (wanted) => crossReferences({ graph, reads }, wanted),
    retrieve: retrieveOver(reads, generations),
    ...(modelSettings && { costOf: (usage) => spending.costOf(usage) }),
    ...(metrics && { onStages: metrics.onStages }),
    onTrouble,
    commands,
  });
  const corpora = new PublicCorpora(reads, progress, config.DOCENT_DEFAULT_CORPUS);
  const ingestions = new Ingestions({
    commands,
    reads,
    embedder,
    extractor,
    caughtUp: () => catchingUp.searchable(),
  });

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
    caughtUp: () => catchingUp.searchable(),
  });
  backfills.start();
  const forgetSubject: App['forget'] = (subject, cause) =>
    forget(
      { keys: stores.keys, commands, clock, renewed: (position) => stores.renewed(position) },
      subject,
      cause,
    );
  /** However many want it at once: asks are sealed with keys of the same store, and have their turn between. */
  const forgettings = new FairQueue({ atOnce: 1 });
  const admin = createAdministration({
    forget: forgetAndWait(forgetSubject),
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

  const kept = new PastMoments(adapters, { onTrouble });
  const closing = new AbortController();
  const moments = createMoments({
    signal: closing.signal,
    ...{ log, kept, config, audit, embedder, retrieveOver, clock },
    embedderNamed: (name) => models.embedderNamed(name),
    asking: {
      pages,
      newId: () => uuidv7(),
      enter: (piece, signal) => turns.enter(piece, signal),
    },
  });

  const overdue = new OverdueAsks({ reads, commands, clock, onTrouble });
  overdue.start();
  retention?.start();
  sealer?.start();

  const { ask, sourceRefs } = admitted({
    asking,
    checkReady: () => readiness.check(),
    corpusFor: (wanted) => access.corpusFor(null, wanted),
  });
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
    sourceRefs,
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
    rebuild: () => stores.rebuild(),
    verifyProjections: verifyAndRecord({
      commands,
      caughtUp: () => catchingUp.all(),
      verify: (onProgress, signal) => stores.verify(onProgress, signal),
    }),
    sealing: sealer,
    caughtUp: (limitMs) => catchingUp.all(limitMs),
    searchable: () => catchingUp.searchable(),
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
