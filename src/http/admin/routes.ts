/** The administration: every path under /admin/api. Credentials are looked at before these are reached (auth.ts). */
import type { Door } from '../context.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditLogRoutes } from './audit-log.ts';
import { corpusRoutes } from './corpora.ts';
import { documentRoutes } from './documents.ts';
import type { AdminDoor } from './door.ts';
import { dossierRoute } from './dossier.ts';
import { embeddingRoutes } from './embeddings.ts';
import { faqRoutes } from './faq.ts';
import { forgettingRoutes } from './forgetting.ts';
import { historyRoutes } from './history.ts';
import { momentRoutes } from './moments.ts';
import { queryLogRoutes } from './query-log.ts';
import { settingsRoutes } from './settings.ts';
import { statisticsRoutes } from './statistics.ts';
import { uploadRoute } from './upload.ts';

export function adminRoutes({ server, app }: Pick<Door, 'server' | 'app'>): void {
  if (app.admin === undefined) return;
  // Read models follow the history: each reply says how far those of this instance were behind it.
  server.addHook('onRequest', async ({ url }, reply) => {
    if (!url.startsWith('/admin/api/')) return;
    const lags = Object.values(app.health().projections).map(({ lag_ms }) => lag_ms);
    reply.header('x-read-models-lag-ms', Math.max(0, ...lags));
  });
  const door: AdminDoor = { server, admin: app.admin, moments: app.moments };
  statisticsRoutes(door);
  queryLogRoutes(door);
  documentRoutes(door);
  uploadRoute(door);
  settingsRoutes(door);
  embeddingRoutes(door);
  apiKeyRoutes(door);
  corpusRoutes(door);
  auditLogRoutes(door);
  faqRoutes(door);
  forgettingRoutes(door);
  historyRoutes(door);
  dossierRoute(door);
  momentRoutes(door);
}
