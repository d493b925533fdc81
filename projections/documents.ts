/** One record per document: its visible revision, and whether another is being written. */
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const collection = 'documents';

export const documents: Projection = {
  name: 'documents',
  version: analysed(4),
  collections: [
    {
      name: collection,
      fields: {
        corpus_id: 'tag',
        doc_key: 'tag',
        status: 'tag',
        layer: 'tag',
        path: 'tag',
        doc_id: 'number',
        updated_at: 'time',
        title: 'text',
      },
    },
  ],
  on: {
    DocumentRegistered: ({ data, time }) => {
      const { corpus_id, doc_id, doc_key, root } = data;
      return [
        {
          op: 'merge',
          collection,
          key: String(doc_id),
          doc: { doc_id, doc_key, corpus_id, root, updated_at: time },
        },
        { op: 'increment', collection, key: String(doc_id), by: { chunk_count: 0 } },
      ];
    },
    RevisionStarted: ({ data, time }) => {
      const { doc_id, doc_key, corpus_id } = data;
      // A visible document stays published while its next revision is being written.
      const status = data.revision === 1 ? { status: 'ingesting' } : {};
      return [
        {
          op: 'merge',
          collection,
          key: String(doc_id),
          doc: { doc_id, doc_key, corpus_id, ...status, updated_at: time },
        },
      ];
    },
    RevisionPublished: ({ data, time }) => {
      const { text_length: _, replaces: __, restored_from: ___, layer, title, ...rest } = data;
      return [
        {
          op: 'merge',
          collection,
          key: String(data.doc_id),
          // A record without a title has none.
          doc: {
            ...rest,
            title: title === '' ? null : title,
            layer: layer.name,
            status: 'published',
            updated_at: time,
          },
        },
      ];
    },
    DocumentWithdrawn: ({ data, time }) => [
      {
        op: 'merge',
        collection,
        key: String(data.doc_id),
        doc: { status: 'withdrawn', chunk_count: 0, updated_at: time },
      },
    ],
  },
};
