/** What was changed, by whom and when. */
import type { RecordedEvent, Write } from '../src/ports.ts';
import type { Projection } from './runner.ts';

const collection = 'audit';

function entry(
  event: RecordedEvent,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): Write[] {
  const { id, time, actor, correlation_id, position } = event;
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
  version: 1,
  collections: [{ name: collection, fields: { occurred_at: 'time', action: 'tag', actor: 'tag' } }],
  on: {
    CorpusRegistered: (e) => entry(e, 'corpus.register', e.data.corpus_id),
    CorpusChanged: (e) => entry(e, 'corpus.change', e.data.corpus_id),
    CorpusActivated: (e) => entry(e, 'corpus.activate', e.data.corpus_id),
    CorpusDeactivated: (e) => entry(e, 'corpus.deactivate', e.data.corpus_id),
    RevisionPublished: (e) =>
      entry(e, 'document.ingest', `${e.data.corpus_id}/${e.data.doc_key}`, {
        doc_id: e.data.doc_id,
        revision: e.data.revision,
        content_hash: e.data.content_hash,
        chunk_count: e.data.chunk_count,
      }),
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
  },
};
