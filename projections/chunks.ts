/** The search index: chunks are written as they are added, and become visible when their revision is published. */
import { factsOf } from '../src/domain/document.ts';
import { decodeVectors } from '../src/domain/vectors.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

export const chunks: Projection = {
  name: 'chunks',
  version: analysed(7),
  collections: [],
  on: {
    RevisionStarted: ({ data }) => [{ op: 'chunks.revision', facts: factsOf(data) }],
    ChunksAdded: ({ data: { doc_id, revision, first, from, text, chunks: added } }) => [
      {
        op: 'chunks.add',
        doc_id,
        revision,
        first,
        chunks: added.map((chunk) => ({ ...chunk, text: text.slice(chunk.start - from, chunk.end - from) })),
      },
    ],
    ChunksEmbedded: ({ data: { doc_id, revision, embedder, dimension, first, count, vectors } }) =>
      vectors === null
        ? [{ op: 'chunks.embed', doc_id, revision, embedder, first, count }]
        : [
            {
              op: 'chunks.vectors',
              doc_id,
              revision,
              embedder,
              first,
              vectors: decodeVectors(vectors, dimension),
            },
          ],
    RevisionPublished: ({ data: { doc_id, revision } }) => [{ op: 'chunks.publish', doc_id, revision }],
    RevisionAbandoned: ({ data: { doc_id, revision } }) => [{ op: 'chunks.drop', doc_id, revision }],
    DocumentWithdrawn: ({ data: { doc_id } }) => [{ op: 'chunks.withdraw', doc_id }],
  },
};
