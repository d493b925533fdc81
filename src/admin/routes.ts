/** The administration: every path under /admin/api. Credentials are checked beforehand (http/auth.ts). */
import type { HttpApp, MoreRoutes } from '../http/context.ts';
import type { Administration } from './administration.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditLogRoutes } from './audit-log.ts';
import { chatRoutes } from './chats.ts';
import { corpusRoutes } from './corpora.ts';
import { documentRoutes } from './documents.ts';
import { dossierRoute } from './dossier.ts';
import { embeddingRoutes } from './embeddings.ts';
import { evaluationRoutes } from './evaluations.ts';
import { faqRoutes } from './faq.ts';
import { forgettingRoutes } from './forgetting.ts';
import { historyRoutes, liveHistoryRoute } from './history.ts';
import { type Moments, momentRoutes } from './moments.ts';
import { proofRoute } from './proofs.ts';
import { queryLogRoutes } from './query-log.ts';
import { revisionRoutes } from './revisions.ts';
import { settingsRoutes } from './settings.ts';
import { statisticsRoutes } from './statistics.ts';
import { trialRoutes } from './trials.ts';
import { uploadRoutes } from './uploads.ts';

interface Administered extends Pick<HttpApp, 'health'> {
  admin: Administration;
  /** If absent, the past is not available. */
  moments?: Moments | undefined;
}

export const adminRoutes = ({ admin, moments, health }: Administered): MoreRoutes => ({
  register(server) {
    server.addHook('onRoute', (route) => {
      if (route.url.startsWith('/admin/api/'))
        route.config = { security: 'basic', errors: [404], ...route.config };
    });
    // The read models lag behind the history; each reply states the lag on this instance.
    server.addHook('onRequest', async ({ url }, reply) => {
      if (!url.startsWith('/admin/api/')) return;
      const lags = Object.values(health().projections).map(({ lag_ms }) => lag_ms);
      reply.header('x-read-models-lag-ms', Math.max(0, ...lags));
    });
    const door = { server, admin, moments };
    statisticsRoutes(door);
    queryLogRoutes(door);
    documentRoutes(door);
    revisionRoutes(door);
    uploadRoutes(door);
    settingsRoutes(door);
    embeddingRoutes(door);
    apiKeyRoutes(door);
    corpusRoutes(door);
    auditLogRoutes(door);
    faqRoutes(door);
    chatRoutes(door);
    forgettingRoutes(door);
    historyRoutes(door);
    proofRoute(door);
    dossierRoute(door);
    momentRoutes(door);
    trialRoutes(door);
    evaluationRoutes(door);
  },
  registerSockets: (server, pingMs) => liveHistoryRoute({ server, admin }, pingMs),
});
