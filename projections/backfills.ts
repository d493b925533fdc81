/** One record per backfill: its request and its progress. */
import type { Projection } from './runner.ts';

const collection = 'backfills';

export const backfills: Projection = {
  name: 'backfills',
  version: 1,
  collections: [{ name: collection, fields: { status: 'tag', requested_at: 'time' } }],
  on: {
    BackfillRequested: ({ data }) => [
      {
        op: 'put',
        collection,
        key: data.job_id,
        doc: { ...data, status: 'queued', finished_at: null, error: null, last_revision: -1 },
      },
    ],
    BackfillClaimed: ({ data }) => [
      { op: 'merge', collection, key: data.job_id, doc: { status: 'running' } },
    ],
    ChunksEmbedded: ({ data: { job_id, count }, revision }) =>
      job_id === null
        ? []
        : [
            { op: 'merge', collection, key: job_id, doc: { last_revision: revision } },
            { op: 'increment', collection, key: job_id, by: { embedded_chunks: count } },
          ],
    BackfillCompleted: ({ data }) => [
      {
        op: 'merge',
        collection,
        key: data.job_id,
        doc: { status: 'completed', finished_at: data.finished_at },
      },
    ],
    BackfillFailed: ({ data }) => [
      {
        op: 'merge',
        collection,
        key: data.job_id,
        doc: { status: 'failed', finished_at: data.finished_at, error: data.reason },
      },
    ],
  },
};
