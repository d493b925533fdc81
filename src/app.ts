/** The composition root, which is the only place that chooses adapters. Each module opens its own part. */
import { KeptReports } from '../tools/evaluation/kept-reports.ts';
import { openGate } from './access/gate.ts';
import { type Administration, createAdministration } from './admin/administration.ts';
import { AdminAudit } from './admin/audit.ts';
import { createMoments, type Moments } from './admin/moments.ts';
import type { App } from './app-port.ts';
import { openGraphs } from './asks/knowledge-graph.ts';
import { openAnswering, retrievalWith } from './asks/open-answering.ts';
import { openAsks } from './asks/open-asks.ts';
import { PrivateFiles } from './asks/private-files.ts';
import { SourceLinks } from './asks/source-links.ts';
import { FairQueue } from './async/fair-queue.ts';
import { type Config, embedsOffline, keysOf, modelsOf, sealingOf, spendingOf } from './config.ts';
import { uuidv7 } from './domain/ids.ts';
import { openCore } from './event-sourcing/core.ts';
import { FaqCache } from './faq/cache.ts';
import { CuratedAnswers } from './faq/curated-answers.ts';
import { forget, forgetAndWait, oneself } from './history/forget.ts';
import { openSealer } from './history/sealer.ts';
import { verifyAndRecord } from './history/verify-and-record.ts';
import { openIngest } from './ingest/open-ingest.ts';
import type { CoreMetrics } from './operations/metrics/core.ts';
import { openOperations } from './operations/operations.ts';
import { Spending } from './operations/spending.ts';
import { version } from './version.ts';
import { type AdapterConfig, adapterConfig, uploadFolder } from './workers/adapter-config.ts';
import { openModels } from './workers/open-models.ts';
import { PastMoments } from './workers/past-moments.ts';
import { openStores, type Stores } from './workers/stores.ts';
import { sweepUntil } from './workers/temporary-folders.ts';

/** The service of one process: the use cases for all doors, and the administration. */
export interface Service extends App {
  admin: Administration;
  /** Past states of the service, for administrators and auditors. */
  moments: Moments;
}

export interface AppOptions {
  /** Receives messages for the operator, which contain no question, prompt or secret. */
  onTrouble?: (sentence: string) => void;
  /** Called when this process can no longer read or write the history and should exit. */
  onLost?: () => void;
  /** Whether to prepare for the first question. Default: true. */
  asksSoon?: boolean;
  /** Whether to prepare for many concurrent questions. Default: false. */
  manyAsk?: boolean;
  /** The metrics of the process. */
  metrics?: CoreMetrics;
  /** Models that the caller has opened and whose usage the caller accounts for. */
  models?: Awaited<ReturnType<typeof openModels>>;
}

/** The configuration of a service that has its own folder and shares only the models. */
const apart = (config: Config, folder: string): Config => ({
  ...config,
  DOCENT_DATA: folder,
  EVENTSTOREDB_URL: null,
  REDIS_URL: null,
  DOCENT_KEYS: null,
  DOCENT_PUBLIC_URL: null,
  DOCENT_SEAL_KEY: null,
  DOCENT_RETENTION_DAYS: null,
  DOCENT_CHAT_FILES: 'off',
  DOCENT_GRAPH_MODEL: false,
});

/** Opens the service of one process. May fail with `newer_format`, `unavailable` or `invalid`. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<Service> {
  const { onTrouble = () => {}, onLost = () => {}, asksSoon = true, manyAsk = false } = options;
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
    return await compose(config, adapters, stores, { onTrouble, ...options });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function compose(
  config: Config,
  adapters: AdapterConfig,
  stores: Stores,
  { onTrouble, metrics, models: given }: AppOptions & { onTrouble: (sentence: string) => void },
): Promise<Service> {
  const core = await openCore({ ...stores, log: metrics?.log(stores.log) ?? stores.log }, onTrouble);
  const { clock, commands, log, catchingUp } = core;
  const newId = () => uuidv7();
  const pages = new SourceLinks({
    publicUrl: config.DOCENT_PUBLIC_URL,
    clock,
    secret: config.DOCENT_PUBLIC === 'key' ? stores.secret : null,
  });

  const modelSettings = modelsOf(config);
  const spending = new Spending({ commands, clock, ...spendingOf(config), onTrouble });
  if (modelSettings && !given) await spending.start();
  const models =
    given ??
    (await openModels(modelSettings, {
      onTrouble,
      onUsage: (call, usage) => {
        spending.count(call, usage);
        metrics?.onModelUsage(call, usage, spending.costOf(usage));
      },
      admit: () => spending.admit(),
    }));
  const { embedder, structured } = models;
  const embedderNamed = (name: string) => models.embedderNamed(name);

  const sealing = sealingOf(config);
  const sealer =
    sealing && openSealer(sealing, { head: (signal) => stores.treeHead(signal), commands, onTrouble });
  const operations = await openOperations(core, config.DOCENT_RETENTION_DAYS, {
    version,
    threads: stores.threads,
    modelsDown: () => models.down(),
    spent: () => (modelSettings ? spending.spent() : null),
    historyFault: () => sealer?.fault ?? null,
  });
  const entities = config.DOCENT_GRAPH_MODEL ? structured : null;
  const ingest = openIngest(core, { embedder, entities, embedderNamed });
  const graphs = openGraphs(core, stores.graphs);
  const audit = new AdminAudit({ commands, clock, onTrouble });
  const gate = await openGate(core, config, {
    limiter: stores.limiter,
    onFailure: (name) => audit.failed(name),
  });

  const faqDeps = {
    reads: stores.reads,
    commands,
    progress: core.progress,
    clock,
    waitForOwnWrites: () => core.showsOwnWrites('faq'),
  };
  const faq = new FaqCache({
    ...faqDeps,
    vectors: embedder?.deterministic === false ? (texts) => embedder.embed(texts, 'query') : null,
  });
  const turns = new FairQueue({ atOnce: stores.atOnce });
  const enter: FairQueue['enter'] = (piece, signal) => turns.enter(piece, signal);
  const retrieveOver = retrievalWith(models);
  const asking = openAnswering(
    core,
    stores.reads,
    models,
    {
      maxTokens: config.MODEL_MAX_TOKENS,
      verifyMs: config.MODEL_VERIFY_MS,
      rewriteMs: config.MODEL_REWRITE_MS,
      unverified: config.DOCENT_UNVERIFIED,
      ...(modelSettings && { costOf: (usage) => spending.costOf(usage) }),
    },
    {
      pages,
      newId,
      enter,
      faq,
      references: graphs.references,
      cache: stores.cache,
      retrieve: retrieveOver(stores.reads, ingest.generations),
      ...(metrics && { onStages: metrics.onStages }),
    },
  );
  const asks = openAsks(core, {
    asking,
    access: gate.access,
    pages,
    defaultCorpus: config.DOCENT_DEFAULT_CORPUS,
    checkReady: () => operations.readiness.check(),
    rated: () => faq.caughtUp(),
  });

  const files =
    config.DOCENT_CHAT_FILES === 'off'
      ? null
      : new PrivateFiles({ open: (folder) => openApp(apart(config, folder), { onTrouble, models }) });

  const closing = new AbortController();
  sweepUntil(closing.signal, uploadFolder(config.DOCENT_DATA));
  const forgetSubject: App['forget'] = async (subject, cause) => {
    await files?.forget(subject);
    return forget({ ...core, renewed: (position) => stores.renewed(position) }, subject, cause);
  };
  /** One at a time, so that asks, which need keys from the same store, get their turn in between. */
  const forgettings = new FairQueue({ atOnce: 1 });
  const admin = createAdministration({
    ...core,
    reads: core.ownReads,
    config,
    embedder,
    audit,
    keys: gate.keys,
    chats: asks.chats,
    faq: new CuratedAnswers(faqDeps),
    generations: ingest.generations,
    backfills: ingest.backfills,
    restore: ingest.restore,
    inspect: (request) => ingest.ingestions.inspect(request),
    ingest: (request, cause) => ingest.ingestions.takeIn(request, cause),
    evaluations: new KeptReports(config.DOCENT_DATA),
    trial: asking.trial,
    recordTrial: (...made) => audit.tried(...made),
    checkReady: () => operations.readiness.check(),
    forget: forgetAndWait(forgetSubject),
    proveEvent: (eventId, signal) => stores.proveEvent(eventId, signal),
  });
  const past = new PastMoments(adapters, { onTrouble });
  const moments = createMoments({
    log,
    kept: past,
    config,
    audit,
    embedder,
    embedderNamed,
    retrieveOver,
    clock,
    asking: { pages, newId, enter },
    signal: closing.signal,
  });
  sealer?.start();

  const { close: closeAsks, ...asked } = asks;
  return {
    ...asked,
    graph: graphs.graph,
    graphFor: graphs.graphFor,
    access: gate.access,
    logins: gate.logins,
    sessions: gate.sessions,
    singleSignOn: gate.singleSignOn,
    admin,
    moments,
    files,
    leases: core.leases,
    sealing: sealer,
    forget: forgetSubject,
    health: () => operations.health.report(),
    ingest: ({ actor, ...request }, onProgress, signal) =>
      ingest.ingestions.takeIn(request, { actor, correlation_id: newId() }, onProgress, signal),
    forgetOneself: oneself({
      access: gate.access,
      forget: forgetSubject,
      turn: (who, work) => forgettings.take({ who, size: 1 }, work, closing.signal),
    }),
    rebuild: () => stores.rebuild(),
    verifyProjections: verifyAndRecord({
      commands,
      caughtUp: () => catchingUp.all(),
      verify: (onProgress, signal) => stores.verify(onProgress, signal),
    }),
    caughtUp: (limitMs) => catchingUp.all(limitMs),
    searchable: () => catchingUp.searchable(),
    async close() {
      await sealer?.stop();
      await closeAsks();
      await files?.close();
      await ingest.close();
      operations.stop();
      gate.stop();
      await audit.close().catch(() => {});
      await spending.stop();
      closing.abort();
      await past.close();
      await stores.close();
    },
  };
}
