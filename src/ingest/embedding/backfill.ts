/**
 * Embeds chunks that have no vectors, as claimed jobs. A job resumes where its previous process stopped: finished
 * batches are recorded in the history, and existing vectors are not recomputed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type BackfillJob, runningOver, unfinished } from '../../domain/backfill.ts';
import type { BackfillFacts, DomainEvent } from '../../domain/events.ts';
import { uuidv7 } from '../../domain/ids.ts';
import type { Cause, Commands } from '../../event-sourcing/commands.ts';
import { Failure } from '../../failures.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Position } from '../../ports/event-log.ts';
import type { Embedder } from '../../ports/models.ts';
import type { Doc } from '../../ports/read-models.ts';
import { ClaimedJobs, type JobQueue, sentenceOf } from './claimed-jobs.ts';
import { embeddingsOf } from './embeddings.ts';
import { batches, type Gap, type MissingReads } from './missing-embeddings.ts';

/** A job as shown to its requester. */
export interface Backfill extends BackfillFacts {
  status: 'queued' | 'running' | 'completed' | 'failed';
  finished_at: string | null;
  error: string | null;
}

export interface BackfillDeps {
  commands: Commands;
  reads: MissingReads & {
    get(collection: string, key: string): Promise<Doc | null>;
    coverage(embedder: string, docIds?: readonly number[]): Promise<{ chunks: number; embedded: number }[]>;
  };
  /** If null, no jobs can be requested. */
  embedder: Embedder | null;
  clock: Clock;
  /** Resolves once the read models include everything that was in the history when it was called. */
  caughtUp(): Promise<void>;
  /** Called with the description of a failure that will be retried. */
  onTrouble: (sentence: string) => void;
  /** See ClaimedJobs. */
  claimMs?: number;
  pollMs?: number;
  /** Delays between retries when the model fails; after the last one, the job fails. */
  retriesMs?: readonly number[];
}

const retriesMsDefault = [1000, 5000, 20_000];

export class Backfills {
  readonly #deps: BackfillDeps;
  readonly #jobs: ClaimedJobs<BackfillJob>;

  constructor(deps: BackfillDeps) {
    this.#deps = deps;
    const { clock, onTrouble, claimMs, pollMs } = deps;
    this.#jobs = new ClaimedJobs({
      name: 'A backfill',
      queue: backfillQueue(deps),
      work: (job, signal) => this.#embedAll(job, signal),
      clock,
      onTrouble,
      claimMs,
      pollMs,
    });
  }

  /** Starts polling for unfinished jobs. The timer does not keep the process alive. */
  start(): void {
    this.#jobs.start();
  }

  /** Stops after the current batch. The job is continued by another process, or by the next one to start. */
  async stop(): Promise<void> {
    await this.#jobs.stop();
  }

  /**
   * Requests a job for the documents with a key (null: all documents). If `granted` is false, `job` is the job already
   * running for the same documents. Fails with `not_found` if no document has this key, and with `conflict` if no
   * embedder is configured.
   */
  async request(
    { doc_key, batch_size }: { doc_key: string | null; batch_size: number },
    name: string,
    cause: Cause,
  ): Promise<{ granted: boolean; job: Backfill; position: Position | null }> {
    const { commands, clock } = this.#deps;
    const embedder = this.#deps.embedder?.name;
    if (embedder === undefined) throw new Failure('conflict', 'No embedder is configured.');
    const { backfills } = commands;
    const docIds = doc_key === null ? null : await this.#documentsOf(doc_key);
    const { total, embedded } = await this.#coverage(docIds, embedder);
    const job = {
      job_id: uuidv7(clock.now().getTime()),
      doc_key,
      batch_size,
      embedder,
      total_chunks: total,
      embedded_chunks: embedded,
      requested_at: clock.now().toISOString(),
      requested_by: name,
    };
    const { state, events, position } = await backfills.execute({ type: 'Request', job }, cause);
    if (events.length > 0) {
      this.#jobs.look();
      return { granted: true, job: queued(job), position };
    }
    const other = runningOver(state, doc_key);
    if (other === null) throw new Failure('conflict', 'Another backfill has just finished; try again.');
    return { granted: false, job: await this.job(other.job_id), position: null };
  }

  /** Fails with `not_found` if the job is unknown. */
  async job(jobId: string): Promise<Backfill> {
    const record = await this.#deps.reads.get('backfills', jobId);
    if (record !== null) return recordOf(record);
    const job = (await this.#deps.commands.backfills.load()).jobs.get(jobId);
    if (job === undefined) throw new Failure('not_found', 'There is no backfill with this id.');
    return queued(job);
  }

  /** The latest jobs, newest first. */
  async latest(limit: number): Promise<Backfill[]> {
    const orderBy = { field: 'requested_at', descending: true };
    return (await this.#deps.reads.find('backfills', { orderBy, limit })).items.map(recordOf);
  }

  async #documentsOf(docKey: string): Promise<number[]> {
    const { documents } = await this.#deps.commands.catalog.load();
    const ids = [...documents.values()].flatMap((byKey) => byKey.get(docKey)?.doc_id ?? []);
    if (ids.length === 0) throw new Failure('not_found', `There is no document "${docKey}".`);
    return ids;
  }

  async #coverage(docIds: readonly number[] | null, embedder: string) {
    const parts = await this.#deps.reads.coverage(embedder, docIds ?? undefined);
    return {
      total: parts.reduce((sum, { chunks }) => sum + chunks, 0),
      embedded: parts.reduce((sum, part) => sum + part.embedded, 0),
    };
  }

  /** Resolves with the reason if the model fails, or with null when the job is done or the signal stops it. */
  async #embedAll(job: BackfillJob, signal: AbortSignal): Promise<string | null> {
    const { commands, reads, caughtUp } = this.#deps;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([caughtUp(), stopped]);
    if (signal.aborted) return null;
    const record = await reads.get('backfills', job.job_id);
    let revision = Number(record?.last_revision ?? -1);
    for await (const gaps of batches(reads, job)) {
      if (signal.aborted) return null;
      const events = await this.#embed(job, gaps, signal);
      if (typeof events === 'string') return events;
      // Events are appended one by one, because the vectors of one event fill half of an append's limit.
      for (const event of events) {
        const stream = `backfill-${job.job_id}`;
        ({ revision } = await commands.record(stream, revision, [event], causeOf(job.job_id)));
      }
    }
    return null;
  }

  /** The events to record for a batch, or the reason if the model fails. */
  async #embed(job: BackfillJob, gaps: readonly Gap[], signal: AbortSignal): Promise<DomainEvent[] | string> {
    const { embedder, retriesMs = retriesMsDefault } = this.#deps;
    for (let attempt = 0; ; attempt++) {
      try {
        const recorded = await embeddingsOf(embedder, gaps, signal);
        return gaps.flatMap(({ doc_id, corpus_id, revision }, i) =>
          (recorded[i] ?? []).map((embeddings) => ({
            type: 'ChunksEmbedded' as const,
            data: { doc_id, corpus_id, revision, ...embeddings, job_id: job.job_id },
          })),
        );
      } catch (error) {
        if (signal.aborted) return [];
        const waitMs = error instanceof Failure && error.retryable ? retriesMs[attempt] : undefined;
        if (waitMs === undefined) return sentenceOf(error);
        await pause(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}

const causeOf = (job_id: string): Cause => ({ actor: 'system', correlation_id: job_id });

/** The job queue, based on the stream of backfills. */
function backfillQueue({ commands, clock }: Pick<BackfillDeps, 'commands' | 'clock'>): JobQueue<BackfillJob> {
  return {
    unfinished: async () => unfinished(await commands.backfills.load()),
    async claim(job_id, worker, until) {
      const now = clock.now().toISOString();
      const { state, events } = await commands.backfills.execute(
        { type: 'Claim', job_id, worker, now, until: until.toISOString() },
        causeOf(job_id),
      );
      return events.length > 0 ? (state.jobs.get(job_id) ?? null) : null;
    },
    async end(job_id, worker, failed) {
      const finished_at = clock.now().toISOString();
      await commands.backfills.execute({ type: 'End', job_id, worker, finished_at, failed }, causeOf(job_id));
    },
  };
}

function queued(job: BackfillFacts): Backfill {
  return recordOf({ ...job, status: 'queued', finished_at: null, error: null });
}

/**
 * A job record without the fields that only workers need. Chunks published in the meantime may also have been embedded.
 */
function recordOf(doc: Doc): Backfill {
  const record = doc as Doc & Backfill;
  const { job_id, status, doc_key, batch_size, embedder, total_chunks } = record;
  const embedded_chunks = Math.min(record.embedded_chunks, total_chunks);
  const { requested_at, requested_by, finished_at, error } = record;
  return {
    job_id,
    status,
    doc_key,
    batch_size,
    embedder,
    total_chunks,
    embedded_chunks,
    requested_at,
    requested_by,
    finished_at,
    error,
  };
}
