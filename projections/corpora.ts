/** The corpora with what they hold; the documents' records are in documents.ts. */
import type { Projection } from './runner.ts';

const collection = 'corpora';

export const corpora: Projection = {
  name: 'corpora',
  version: 1,
  collections: [{ name: collection, fields: { is_active: 'number' } }],
  on: {
    CorpusRegistered: ({ data, time }) => [
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
        },
      },
    ],
    CorpusChanged: ({ data, time }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { ...data.settings, updated_at: time } },
    ],
    CorpusActivated: ({ data, time }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { is_active: true, updated_at: time } },
    ],
    CorpusDeactivated: ({ data, time }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { is_active: false, updated_at: time } },
    ],
    RevisionPublished: ({ data, time }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { updated_at: time } },
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
    DocumentWithdrawn: ({ data, time }) => [
      { op: 'merge', collection, key: data.corpus_id, doc: { updated_at: time } },
      {
        op: 'increment',
        collection,
        key: data.corpus_id,
        by: { document_count: -1, chunk_count: -data.chunk_count },
      },
    ],
  },
};
