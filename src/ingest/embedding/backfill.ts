/**
 * Embeds chunks that have no vectors, as jobs that any process may run, but each by only one process at a time. Every
 * instance polls for jobs. It claims a job in the history for a short time and renews the claim while working. A
 * process that stops releases its claim; the claim of a crashed process expires, and another process continues the job
 * where it stopped: finished batches are recorded in the history, and existing vectors are not recomputed.
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
import type { ReadModelReads } from '../../ports/read-model-reads.ts';
import type { Doc } from '../../ports/read-models.ts';
import { embeddingsOf } from './embeddings.ts';
import { batches, type Gap } from './missing-embeddings.ts';

/** A job as shown to its requester. */
export interface Backfill extends BackfillFacts {
  status: 'queued' | 'running' | 'completed' | 'failed';
  finished_at: string | null;
  error: string | null;
}

export interface BackfillDeps {
  commands: Commands;
  reads: Pick<ReadModelReads, 'get' | 'find' | 'chunks' | 'coverage' | 'embeddedByDocument'>;
  /** If null, no jobs can be requested. */
  embedder: Embedder | null;
  clock: Clock;
  /** Resolves once the read models include everything that was in the history when it was called. */
  caughtUp(): Promise<void>;
  /** Called with the description of a failure that will be retried. */
  onTrouble: (sentence: string) => void;
  /** Polling interval in ms. Default: 2,000. */
  pollMs?: number;
  /** Delays between retries when the model fails; after the last one, the job fails. */
  retriesMs?: readonly number[];
}

/** Lifetime of a claim that is not renewed. */
const claimMs = 15_000;
const pollMsDefault = 2_000;
const retriesMsDefault = [1000, 5000, 20_000];

export class Backfills {
  readonly #deps: BackfillDeps;
  /** Identifies this process among the workers. */
  readonly #worker = uuidv7();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;

  constructor(deps: BackfillDeps) {
    this.#deps = deps;
  }

  /** Starts polling for unfinished jobs. The timer does not keep the process alive. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), this.#deps.pollMs ?? pollMsDefault).unref();
    this.#look();
  }

  /** Stops after the current batch. The job is continued by another process, or by the next one to start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#working;
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
      this.#look();
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
    const { claim: _, ended: __, ...facts } = job;
    return queued(facts);
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

  /** Looks for jobs immediately, unless one is already running here. */
  #look(): void {
    if (this.#working !== null || this.#stopping.signal.aborted) return;
    this.#working = this.#workAll()
      .catch((error) => this.#deps.onTrouble(`A backfill is paused: ${sentenceOf(error)}`))
      .finally(() => {
        this.#working = null;
      });
  }

  async #workAll(): Promise<void> {
    for (const { job_id } of unfinished(await this.#deps.commands.backfills.load())) {
      if (this.#stopping.signal.aborted) return;
      const job = await this.#claim(job_id);
      if (job !== null) await this.#work(job);
    }
  }

  /** Claims a job, or renews the claim. Resolves with null if the job has ended or another worker has it. */
  async #claim(job_id: string, forMs = claimMs): Promise<BackfillJob | null> {
    const { commands, clock } = this.#deps;
    const now = clock.now();
    const until = new Date(now.getTime() + forMs).toISOString();
    const { state, events } = await commands.backfills.execute(
      { type: 'Claim', job_id, worker: this.#worker, now: now.toISOString(), until },
      causeOf(job_id),
    );
    return events.length > 0 ? (state.jobs.get(job_id) ?? null) : null;
  }

  /** Works on a claimed job until it succeeds or fails, another process claims it, or this process stops. */
  async #work(job: BackfillJob): Promise<void> {
    const { job_id } = job;
    const { commands, clock } = this.#deps;
    const lost = new AbortController();
    const renew = () =>
      this.#claim(job_id)
        .then((kept) => kept === null && lost.abort())
        .catch(() => {});
    const renewing = setInterval(() => void renew(), claimMs / 3).unref();
    try {
      const failed = await this.#embedAll(job, AbortSignal.any([this.#stopping.signal, lost.signal]));
      if (lost.signal.aborted) return;
      // Release the claim so that another process can continue immediately.
      if (this.#stopping.signal.aborted) await this.#claim(job_id, 0);
      else
        await commands.backfills.execute(
          { type: 'End', job_id, worker: this.#worker, finished_at: clock.now().toISOString(), failed },
          causeOf(job_id),
        );
    } catch (error) {
      // Another process appended first and now owns the job.
      if (!(error instanceof Failure && error.code === 'conflict')) throw error;
    } finally {
      clearInterval(renewing);
    }
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

/** A user-facing sentence, without the message of an unexpected error, because that might contain document text. */
const sentenceOf = (error: unknown): string =>
  error instanceof Failure
    ? error.detail
    : `unexpected error (${error instanceof Error ? error.name : 'unknown'}).`;

const queued = (job: BackfillFacts): Backfill => ({
  ...job,
  status: 'queued',
  finished_at: null,
  error: null,
});

/**
 * A job record without the fields that only workers need. Chunks published in the meantime may also have been embedded.
 */
function recordOf(doc: Doc): Backfill {
  const { last_revision: _, ...job } = doc as Doc & Backfill;
  return { ...job, embedded_chunks: Math.min(job.embedded_chunks, job.total_chunks) };
}
