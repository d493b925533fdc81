import type { Backfill, Coverage, EmbeddingStatus } from '../api/embeddings.ts';
import type { CorpusCoverage } from '../ports/chunk-search.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, all, causeOf, shown } from './context.ts';

export interface Embeddings {
  embeddingStatus(): Promise<EmbeddingStatus>;
  /** `granted` false: `job` is the one under way over the same documents. Failure `not_found`: unknown `doc_key`. */
  backfill(
    request: { doc_key: string | null; batch_size: number },
    acting: Acting,
  ): Promise<{ granted: boolean; job: Backfill }>;
  /** Failure `not_found` for an unknown job. */
  backfillJob(jobId: string): Promise<Backfill>;
}

const latestJobs = 10;

export function embeddings(
  deps: Pick<AdministrationDeps, 'reads' | 'progress' | 'embedder' | 'generations' | 'backfills'>,
): Embeddings {
  const { reads, embedder, generations, backfills } = deps;
  return {
    async embeddingStatus() {
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

    async backfill(request, acting) {
      const { granted, job, position } = await backfills.request(request, acting.name, causeOf(acting));
      await shown(deps, position);
      return { granted, job };
    },

    backfillJob: (jobId) => backfills.job(jobId),
  };
}

/** Of all the rows together. */
export function coverageOf(rows: readonly Pick<CorpusCoverage, 'chunks' | 'embedded'>[]): Coverage {
  const total_chunks = rows.reduce((sum, { chunks }) => sum + chunks, 0);
  const embedded_chunks = rows.reduce((sum, { embedded }) => sum + embedded, 0);
  const coverage = total_chunks === 0 ? 1 : Math.floor((embedded_chunks / total_chunks) * 1e4) / 1e4;
  return { total_chunks, embedded_chunks, coverage };
}

/** Of one corpus, also of one that no row tells of since it has no chunks. */
export function coverageByCorpus(rows: readonly CorpusCoverage[]): (corpusId: string) => Coverage {
  const byCorpus = new Map(rows.map((row) => [row.corpus_id, coverageOf([row])]));
  return (corpusId) => byCorpus.get(corpusId) ?? coverageOf([]);
}
