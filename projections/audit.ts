/** The audit log: which changes were made, by whom and when. */
import type { RecordedEvent } from '../src/ports/event-log.ts';
import type { Write } from '../src/ports/read-models.ts';
import type { Projection } from './runner.ts';

const collection = 'audit';

function entry(
  event: RecordedEvent,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): Write[] {
  const { id, time, correlation_id, position } = event;
  // Administrators appear by name; keys, the public and the service itself by their kind.
  const actor = event.actor.replace(/^admin:/, '');
  return [
    {
      op: 'put',
      collection,
      key: id,
      doc: {
        entry_id: id,
        occurred_at: time,
        actor,
        action,
        target,
        detail,
        request_id: correlation_id,
        position,
      },
    },
  ];
}

export const audit: Projection = {
  name: 'audit',
  version: 4,
  collections: [
    { name: collection, fields: { occurred_at: 'time', action: 'tag', actor: 'tag', target: 'tag' } },
  ],
  on: {
    CorpusRegistered: (e) => entry(e, 'corpus.register', e.data.corpus_id),
    CorpusChanged: (e) => entry(e, 'corpus.change', e.data.corpus_id),
    CorpusActivated: (e) => entry(e, 'corpus.activate', e.data.corpus_id),
    CorpusDeactivated: (e) => entry(e, 'corpus.deactivate', e.data.corpus_id),
    RevisionPublished: (e) =>
      entry(
        e,
        e.data.restored_from === undefined ? 'document.ingest' : 'document.restore',
        `${e.data.corpus_id}/${e.data.doc_key}`,
        {
          doc_id: e.data.doc_id,
          revision: e.data.revision,
          content_hash: e.data.content_hash,
          chunk_count: e.data.chunk_count,
          ...(e.data.restored_from !== undefined && { restored_from: e.data.restored_from }),
        },
      ),
    RevisionAbandoned: (e) =>
      entry(e, 'document.abandon', `${e.data.corpus_id}/${e.data.doc_id}`, {
        revision: e.data.revision,
        reason: e.data.reason,
      }),
    DocumentWithdrawn: (e) =>
      entry(e, 'document.withdraw', `${e.data.corpus_id}/${e.data.doc_key}`, {
        doc_id: e.data.doc_id,
        reason: e.data.reason,
      }),
    ApiKeyCreated: (e) => {
      const { key_id, name, prefix, corpus_ids, rate_limit_rpm, rate_limit_rph } = e.data;
      return entry(e, 'api_key.create', String(key_id), {
        name,
        prefix,
        corpus_ids,
        rate_limit_rpm,
        rate_limit_rph,
      });
    },
    ApiKeyRevoked: (e) => entry(e, 'api_key.revoke', String(e.data.key_id)),
    BackfillRequested: (e) => {
      const { job_id, doc_key, batch_size, embedder, total_chunks, embedded_chunks } = e.data;
      return entry(e, 'embeddings.backfill', doc_key ?? 'all', {
        job_id,
        batch_size,
        embedder,
        total_chunks,
        embedded_chunks,
      });
    },
    BackfillCompleted: (e) => entry(e, 'embeddings.complete', e.data.job_id),
    BackfillFailed: (e) => entry(e, 'embeddings.fail', e.data.job_id, { reason: e.data.reason }),
    SystemPromptChanged: (e) =>
      entry(e, 'system_prompt.change', 'system_prompt', {
        version: e.data.version,
        ...(e.data.restored_from !== undefined && { restored_from: e.data.restored_from }),
      }),
    FaqEntryAdded: (e) => entry(e, 'faq.add', String(e.data.entry_id), { corpus_id: e.data.corpus_id }),
    FaqEntryRemoved: (e) => entry(e, 'faq.remove', String(e.data.entry_id)),
    FaqEntryProposed: (e) =>
      entry(e, 'faq.propose', String(e.data.proposal_id), {
        corpus_id: e.data.corpus_id,
        subject: e.data.subject,
      }),
    FaqProposalDecided: (e) =>
      entry(e, e.data.entry_id === null ? 'faq.reject' : 'faq.accept', String(e.data.proposal_id), {
        entry_id: e.data.entry_id,
      }),
    ChatChanged: (e) => {
      const { chat_id: _, channel, place, changed_at: __, ...detail } = e.data;
      // Changing the settings of a private chat does not count as a change to the service.
      return place === null ? [] : entry(e, 'chat.change', `${channel}/${place}`, detail);
    },
    GraphEntitySplit: (e) =>
      entry(e, 'graph.split', `${e.data.corpus_id}/${e.data.key}`, { split_id: e.data.split_id }),
    GraphSplitUndone: (e) =>
      entry(e, 'graph.undo_split', `${e.data.corpus_id}/${e.data.key}`, { split_id: e.data.split_id }),
    AdminLoginFailed: (e) =>
      entry(e, 'admin.login_failed', 'admin', { count: e.data.count, names: e.data.names }),
    AdminSessionOpened: (e) => entry(e, 'admin.sign_in', 'console', { expires_at: e.data.expires_at }),
    AdminSessionClosed: (e) => entry(e, 'admin.sign_out', 'console'),
    SubjectForgotten: (e) => entry(e, 'subject.forget', e.data.subject),
    WordsExpired: (e) =>
      entry(e, 'retention.expire', e.data.before, { keys_destroyed: e.data.keys_destroyed }),
    KeysLost: (e) => entry(e, 'keys.give_up', 'keys'),
    ReadModelsVerified: (e) =>
      entry(e, 'projections.verify', 'projections', { same: e.data.same, events: e.data.events }),
    TrialMade: (e) => {
      const { name: _, at: __, corpus_id, ...detail } = e.data;
      return entry(e, 'admin.trial', corpus_id, detail);
    },
    AdminRead: (e) => entry(e, 'admin.read_questions', e.data.what, { filter: e.data.filter ?? {} }),
  },
};
