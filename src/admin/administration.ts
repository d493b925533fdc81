/**
 * The use cases of the administration. Every change is appended with its actor, and acknowledged once the read models
 * show it. Reading people's questions is recorded before they are returned.
 */
import { type ApiKeys, apiKeys } from './api-keys.ts';
import { type AuditLog, auditLog } from './audit-log.ts';
import { type ChatRooms, chatRooms } from './chats.ts';
import type { AdministrationDeps } from './context.ts';
import { type Corpora, corpora } from './corpora.ts';
import { type Documents, documents } from './documents.ts';
import { type Dossiers, dossiers } from './dossier.ts';
import { type Embeddings, embeddings } from './embeddings.ts';
import { type Evaluations, evaluations } from './evaluations.ts';
import { type Faq, faq } from './faq.ts';
import { type Forgetting, forgetting } from './forgetting.ts';
import { type History, history } from './history.ts';
import { type Inspections, inspections } from './inspection.ts';
import { type Proofs, proofs } from './proofs.ts';
import { type QueryLog, queryLog } from './query-log.ts';
import { type Revisions, revisions } from './revisions.ts';
import { type Settings, settings } from './settings.ts';
import { type Statistics, statistics } from './statistics.ts';
import { type Trials, trials } from './trials.ts';

export interface Administration
  extends ApiKeys,
    AuditLog,
    ChatRooms,
    Corpora,
    Documents,
    Dossiers,
    Embeddings,
    Evaluations,
    Faq,
    Forgetting,
    History,
    Inspections,
    Proofs,
    QueryLog,
    Revisions,
    Settings,
    Statistics,
    Trials {}

export function createAdministration(deps: AdministrationDeps): Administration {
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
