/** Embedding coverage, and the backfill jobs that complete it. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import type { CorpusCoverage } from '../ports/chunk-search.ts';
import { asOf, Count, filter, NullableText, orNull, record, Time } from '../schema.ts';
import { type AdministrationDeps, all, causeOf, shown } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

export const Coverage = record(
  'Coverage',
  {
    total_chunks: Count,
    embedded_chunks: Count,
    coverage: Type.Number({ minimum: 0, maximum: 1, description: 'Rounded down; 1 if there are no chunks.' }),
  },
  { description: 'Visible chunks, and visible chunks with a vector.' },
);
export type Coverage = Static<typeof Coverage>;

export const EmbeddingsQuery = Type.Object(asOf);
export const BackfillQuery = Type.Object({
  doc_key: filter('Only documents with this key, in every corpus. Default: all documents.'),
  batch_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Chunks per batch.' }),
  ),
});
export const JobIdPath = Type.Object({ job_id: Type.String() });

export const Backfill = record('Backfill', {
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
});
export type Backfill = Static<typeof Backfill>;

export const BackfillConflict = record('BackfillConflict', { detail: Type.String(), job_id: Type.String() });

export const EmbeddingStatus = record('EmbeddingStatus', {
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
    { description: 'Embeddings by embedder. Those that cover the most chunks are in use.' },
  ),
  corpora: Type.Array(Type.Object({ corpus_id: Type.String(), ...Coverage.properties })),
  jobs: Type.Array(Backfill, { description: 'The latest backfills, newest first.' }),
});
export type EmbeddingStatus = Static<typeof EmbeddingStatus>;

const latestJobs = 10;

export function embeddings(
  deps: Pick<AdministrationDeps, 'reads' | 'progress' | 'embedder' | 'generations' | 'backfills'>,
) {
  const { reads, embedder, generations, backfills } = deps;
  return {
    async embeddingStatus(): Promise<EmbeddingStatus> {
      const [corpora, rows, held, jobs] = await Promise.all([
        all(deps, 'corpora'),
        reads.coverage(embedder?.name ?? ''),
        generations.all(),
        backfills.latest(latestJobs),
      ]);
      const ofCorpus = coverageByCorpus(rows);
      return {
        embedder: embedder && {
          name: embedder.name,
          dimension: embedder.dimension,
          deterministic: embedder.deterministic,
        },
        ...coverageOf(rows),
        generations: held.map(({ serves, embedder: name, ...counted }) => ({
          embedder: name,
          serves,
          ...coverageOf([counted]),
        })),
        corpora: corpora
          .map(({ corpus_id }) => String(corpus_id))
          .sort()
          .map((corpus_id) => ({ corpus_id, ...ofCorpus(corpus_id) })),
        jobs,
      };
    },

    /**
     * If `granted` is false, `job` is the job already running for the same documents. Fails with `not_found` if `doc_key`
     * is unknown.
     */
    async backfill(
      request: { doc_key: string | null; batch_size: number },
      acting: Acting,
    ): Promise<{ granted: boolean; job: Backfill }> {
      const { granted, job, position } = await backfills.request(request, acting.name, causeOf(acting));
      await shown(deps, position);
      return { granted, job };
    },

    /** Fails with `not_found` for an unknown job. */
    backfillJob: (jobId: string): Promise<Backfill> => backfills.job(jobId),
  };
}

/** The combined coverage of all rows. */
export function coverageOf(rows: readonly Pick<CorpusCoverage, 'chunks' | 'embedded'>[]): Coverage {
  const total_chunks = rows.reduce((sum, { chunks }) => sum + chunks, 0);
  const embedded_chunks = rows.reduce((sum, { embedded }) => sum + embedded, 0);
  const coverage = total_chunks === 0 ? 1 : Math.floor((embedded_chunks / total_chunks) * 1e4) / 1e4;
  return { total_chunks, embedded_chunks, coverage };
}

/** The coverage of a corpus. A corpus without chunks has no row. */
export function coverageByCorpus(rows: readonly CorpusCoverage[]): (corpusId: string) => Coverage {
  const byCorpus = new Map(rows.map((row) => [row.corpus_id, coverageOf([row])]));
  return (corpusId) => byCorpus.get(corpusId) ?? coverageOf([]);
}

export function embeddingRoutes(door: AdminDoor<ReturnType<typeof embeddings>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/embeddings/status',
    schema: {
      ...operation('admin_embeddings_status', 'Embedding coverage of all documents'),
      querystring: EmbeddingsQuery,
      response: { 200: reply('The coverage, and the latest backfills.', EmbeddingStatus) },
    },
    handler: async (request, reply) => (await adminAt(door, request, reply)).embeddingStatus(),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/backfill-embeddings',
    schema: {
      ...operation('admin_backfill_embeddings', 'Backfill missing embeddings'),
      querystring: BackfillQuery,
      response: {
        202: reply('The job was accepted; look it up by its job_id.', Backfill),
        409: reply('A backfill is already running over the same documents.', BackfillConflict),
      },
    },
    handler: async (request, reply) => {
      const { doc_key = null, batch_size = 50 } = request.query;
      const { granted, job } = await admin.backfill({ doc_key, batch_size }, actingIn(request));
      if (granted) return reply.code(202).send(job);
      const detail = 'A backfill is already running over the same documents.';
      return reply.code(409).send({ detail, job_id: job.job_id });
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/backfills/:job_id',
    schema: {
      ...operation('admin_backfill', 'Progress of a backfill'),
      params: JobIdPath,
      response: { 200: reply('The job.', Backfill) },
    },
    handler: (request) => admin.backfillJob(request.params.job_id),
  });
}
