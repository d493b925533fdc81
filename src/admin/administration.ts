/**
 * The use cases of the administration. Every change is appended with its actor, and acknowledged once the read models
 * show it. Reading people's questions is recorded before they are returned.
 */
import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit-log.ts';
import { chatRooms } from './chats.ts';
import type { AdministrationDeps } from './context.ts';
import { corpora } from './corpora.ts';
import { documents } from './documents.ts';
import { dossiers } from './dossier.ts';
import { embeddings } from './embeddings.ts';
import { evaluations } from './evaluations.ts';
import { faq } from './faq.ts';
import { forgetting } from './forgetting.ts';
import { history } from './history.ts';
import { proofs } from './proofs.ts';
import { queryLog } from './query-log.ts';
import { revisions } from './revisions.ts';
import { settings } from './settings.ts';
import { statistics } from './statistics.ts';
import { trials } from './trials.ts';
import { inspections } from './uploads.ts';

export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(deps: AdministrationDeps) {
  return {
    ...statistics(deps),
    ...queryLog(deps),
    ...documents(deps),
    ...embeddings(deps),
    ...corpora(deps),
    ...faq(deps),
    ...settings(deps),
    ...apiKeys(deps),
    ...auditLog(deps),
    ...chatRooms(deps),
    ...forgetting(deps),
    ...history(deps),
    ...proofs(deps),
    ...dossiers(deps),
    ...evaluations(deps),
    ...trials(deps),
    ...revisions(deps),
    ...inspections(deps),
  };
}
