/** Embedding coverage, and the backfill jobs that complete it. */
import { type Static, Type } from 'typebox';
import * as sample from './sample.ts';
import { asOf, Count, exampleOf, filter, NullableText, orNull, record, Time } from './schema.ts';

export const Coverage = record(
  'Coverage',
  {
    total_chunks: Count,
    embedded_chunks: Count,
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Rounded down; 1 where there are no chunks.',
    }),
  },
  {
    description: 'Visible chunks, and those of them that have a vector.',
    example: { total_chunks: 412, embedded_chunks: 400, coverage: 0.9708 },
  },
);
export type Coverage = Static<typeof Coverage>;

export const EmbeddingsQuery = Type.Object(asOf);
export const BackfillQuery = Type.Object({
  doc_key: filter('Only documents with this key, in every corpus; absent: all documents.'),
  batch_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Chunks at a time.' }),
  ),
});
export const JobIdPath = Type.Object({ job_id: Type.String() });

export const Backfill = record(
  'Backfill',
  {
    job_id: Type.String(),
    status: Type.Enum(['queued', 'running', 'completed', 'failed']),
    doc_key: NullableText,
    batch_size: Type.Integer(),
    embedder: Type.String(),
    total_chunks: Count,
    embedded_chunks: Count,
    requested_at: Time,
    requested_by: Type.String(),
    finished_at: orNull(Time),
    error: NullableText,
  },
  {
    example: {
      job_id: sample.jobId,
      status: 'running',
      doc_key: null,
      batch_size: 50,
      embedder: 'offline-grams-1',
      total_chunks: 412,
      embedded_chunks: 400,
      requested_at: sample.now,
      requested_by: 'olga',
      finished_at: null,
      error: null,
    },
  },
);
export type Backfill = Static<typeof Backfill>;

export const BackfillConflict = record(
  'BackfillConflict',
  { detail: Type.String(), job_id: Type.String() },
  { example: { detail: 'A backfill is under way over the same documents.', job_id: sample.jobId } },
);

export const EmbeddingStatus = record(
  'EmbeddingStatus',
  {
    ...Coverage.properties,
    embedder: orNull(
      Type.Object({ name: Type.String(), dimension: Type.Integer(), deterministic: Type.Boolean() }),
    ),
    generations: Type.Array(
      Type.Object({
        embedder: Type.String(),
        serves: Type.Boolean({ description: 'Whether questions are compared with these embeddings.' }),
        ...Coverage.properties,
      }),
      { description: 'Embeddings of each embedder; those that cover the most chunks are in use.' },
    ),
    corpora: Type.Array(Type.Object({ corpus_id: Type.String(), ...Coverage.properties })),
    jobs: Type.Array(Backfill, { description: 'The latest backfills, newest first.' }),
  },
  {
    example: {
      ...(exampleOf(Coverage) as Coverage),
      embedder: { name: 'offline-grams-1', dimension: 256, deterministic: true },
      generations: [{ embedder: 'offline-grams-1', serves: true, ...(exampleOf(Coverage) as Coverage) }],
      corpora: [{ corpus_id: 'krk_2026', ...(exampleOf(Coverage) as Coverage) }],
      jobs: [exampleOf(Backfill)],
    },
  },
);
export type EmbeddingStatus = Static<typeof EmbeddingStatus>;
