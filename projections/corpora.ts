/**
 * The corpora and the size of their contents. The records of documents are in documents.ts. `changed_at` is the
 * position of the last event that changed the corpus; anything derived from the corpus stays valid until this changes.
 */
import type { Projection } from './runner.ts';

const collection = 'corpora';

export const corpora: Projection = {
  name: 'corpora',
  version: 2,
  collections: [{ name: collection, fields: { is_active: 'number' } }],
  on: {
    CorpusRegistered: ({ data, time, position }) => [
      {
        op: 'put',
        collection,
        key: data.corpus_id,
        doc: {
          corpus_id: data.corpus_id,
          ...data.settings,
          is_active: true,
          document_count: 0,
          chunk_count: 0,
          created_at: time,
          updated_at: time,
          changed_at: position,
        },
      },
    ],
    CorpusChanged: ({ data, time, position }) => [
      {
        op: 'merge',
        collection,
        key: data.corpus_id,
        // The record is replaced entirely, so that fields that are no longer set are removed.
        doc: { examples: {}, ...data.settings, updated_at: time, changed_at: position },
      },
    ],
    CorpusActivated: ({ data, time, position }) => [
      {
        op: 'merge',
        collection,
        key: data.corpus_id,
        doc: { is_active: true, updated_at: time, changed_at: position },
      },
    ],
    CorpusDeactivated: ({ data, time, position }) => [
      {
        op: 'merge',
        collection,
        key: data.corpus_id,
        doc: { is_active: false, updated_at: time, changed_at: position },
      },
    ],
    RevisionPublished: ({ data, time, position }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { updated_at: time, changed_at: position } },
      {
        op: 'increment',
        collection,
        key: data.corpus_id,
        by: {
          document_count: data.replaces === null ? 1 : 0,
          chunk_count: data.chunk_count - (data.replaces?.chunk_count ?? 0),
        },
      },
    ],
    DocumentWithdrawn: ({ data, time, position }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { updated_at: time, changed_at: position } },
      {
        op: 'increment',
        collection,
        key: data.corpus_id,
        by: { document_count: -1, chunk_count: -data.chunk_count },
      },
    ],
  },
};
