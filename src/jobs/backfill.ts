/**
 * Gives vectors to chunks that have none. A job goes on wherever its last process left off: what has a vector already
 * is not done again, and what was done stands in the history. Every instance looks for jobs, one of them has each:
 * it says so in the history for a short time and renews that while it works.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Backfill } from '../api/embeddings.ts';
import { type BackfillJob, runningOver, unfinished } from '../domain/backfill.ts';
import type { Chunk, DomainEvent } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import { embeddingsOf } from './embeddings.ts';

/** A visible chunk as a backfill needs it. */
interface ListedChunk {
  ordinal: number;
  facts: { corpus_id: string; revision: number; title: string };
  chunk: Chunk;
  text: string;
  embedded: boolean;
}

export interface BackfillDeps {
  commands: Commands;
  reads: {
    get(collection: string, key: string): Promise<Doc | null>;
    find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
    chunks(
      docId: number,
      limit: number,
      offset: number,
      embedder: string | null,
    ): Promise<{ items: ListedChunk[]; total: number }>;
    coverage(embedder: string, docIds?: readonly number[]): Promise<{ chunks: number; embedded: number }[]>;
    embeddedByDocument(embedder: string): Promise<{ doc_id: number; embedded: number }[]>;
  };
  /** null: no job can be asked for. */
  embedder: Embedder | null;
  clock: Clock;
  /** Resolves when the read models hold everything the history held a moment ago. */
  caughtUp(timeoutMs?: number): Promise<void>;
  /** Told, in a sentence, what went wrong and will be tried again. */
  onTrouble: (sentence: string) => void;
  /** How long a claim holds without being renewed. Default 15,000. */
  claimMs?: number;
  /** How often jobs are looked for. Default 2,000. */
  pollMs?: number;
  /** Waits before a model that failed is tried again; after the last one the job has failed. */
  retriesMs?: readonly number[];
}

const pageChunks = 200;
const defaults = { claimMs: 15_000, pollMs: 2000, retriesMs: [1000, 5000, 20_000] };

/** Chunks without a vector, of one revision and one after the other. */
interface Gap {
  doc_id: number;
  corpus_id: string;
  revision: number;
  title: string;
  first: number;
  chunks: { chunk: Chunk; text: string }[];
}

export class Backfills {
  readonly #deps: Required<BackfillDeps>;
  /** This process among all that may work on a job. */
  readonly #worker = uuidv7();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;

  constructor(deps: BackfillDeps) {
    this.#deps = { ...defaults, ...deps };
  }

  /** Looks for unfinished jobs now and then from now on; the timer holds no process open. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), this.#deps.pollMs).unref();
    this.#look();
  }

  /** Ends after the batch at hand; what is left of a job is another process's, or the next one's. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#working;
  }

  /**
   * Asks for a job over the documents of a key (null: all). `granted` false: `job` is the one under way over the same
   * documents. Failure `not_found`: no document has this key; `conflict`: there is no embedder.
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
    if (other === null) throw new Failure('conflict', 'Another backfill has just ended, ask again.');
    return { granted: false, job: await this.job(other.job_id), position: null };
  }

  /** Failure `not_found` for an unknown job. */
  async job(jobId: string): Promise<Backfill> {
    const record = await this.#deps.reads.get('backfills', jobId);
    if (record !== null) return recordOf(record);
    const job = (await this.#deps.commands.backfills.load()).jobs.get(jobId);
    if (job === undefined) throw new Failure('not_found', 'There is no backfill of this id.');
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

  #look(): void {
    if (this.#working !== null || this.#stopping.signal.aborted) return;
    this.#working = this.#workAll()
      .catch((error) => this.#deps.onTrouble(`A backfill waits: ${sentenceOf(error)}`))
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

  /** The job, when it is this process's for a while. */
  async #claim(job_id: string, forMs = this.#deps.claimMs): Promise<BackfillJob | null> {
    const now = this.#deps.clock.now();
    const until = new Date(now.getTime() + forMs).toISOString();
    const { state, events } = await this.#deps.commands.backfills.execute(
      { type: 'Claim', job_id, worker: this.#worker, now: now.toISOString(), until },
      this.#cause(job_id),
    );
    return events.length > 0 ? (state.jobs.get(job_id) ?? null) : null;
  }

  #cause(job_id: string): Cause {
    return { actor: 'system', correlation_id: job_id };
  }

  /** Works on a claimed job until it is done, has failed, was lost to another process, or this one ends. */
  async #work(job: BackfillJob): Promise<void> {
    const { job_id } = job;
    const { claimMs } = this.#deps;
    const lost = new AbortController();
    const renewing = setInterval(
      () =>
        void this.#claim(job_id)
          .then((kept) => kept === null && lost.abort())
          .catch(() => {}),
      claimMs / 3,
    ).unref();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    try {
      const failed = await this.#embedAll(job, signal);
      if (lost.signal.aborted) return;
      // What is left can be taken up by another process at once.
      if (this.#stopping.signal.aborted) await this.#claim(job_id, 0);
      else await this.#end(job_id, failed);
    } catch (error) {
      // Another process has appended to the job's stream: it is the other's now.
      if (!(error instanceof Failure && error.code === 'conflict')) throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  async #end(job_id: string, failed: string | null): Promise<void> {
    const finished_at = this.#deps.clock.now().toISOString();
    await this.#deps.commands.backfills.execute(
      { type: 'End', job_id, worker: this.#worker, finished_at, failed },
      this.#cause(job_id),
    );
  }

  /** Why the model could not do it; null: done, or stopped by the signal. */
  async #embedAll(job: BackfillJob, signal: AbortSignal): Promise<string | null> {
    const { commands, reads, caughtUp } = this.#deps;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([caughtUp(), stopped]);
    if (signal.aborted) return null;
    const record = await reads.get('backfills', job.job_id);
    let revision = Number(record?.last_revision ?? -1);
    for await (const gaps of this.#batches(job)) {
      if (signal.aborted) return null;
      const events = await this.#embed(job, gaps, signal);
      if (typeof events === 'string') return events;
      // One by one: vectors of a model take half of what an append may hold.
      for (const event of events) {
        const stream = `backfill-${job.job_id}`;
        ({ revision } = await commands.record(stream, revision, [event], this.#cause(job.job_id)));
      }
    }
    return null;
  }

  /** The gaps of all documents concerned, in portions of `batch_size` chunks. */
  async *#batches(job: BackfillJob): AsyncGenerator<Gap[]> {
    let batch: Gap[] = [];
    let room = job.batch_size;
    for (const docId of await this.#incomplete(job)) {
      for await (const gap of this.#gaps(docId, job.embedder)) {
        for (let from = 0; from < gap.chunks.length; ) {
          const chunks = gap.chunks.slice(from, from + room);
          batch.push({ ...gap, first: gap.first + from, chunks });
          from += chunks.length;
          room -= chunks.length;
          if (room > 0) continue;
          yield batch;
          batch = [];
          room = job.batch_size;
        }
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** Documents with chunks that have no vector, by id. */
  async #incomplete({ doc_key, embedder }: BackfillJob): Promise<number[]> {
    const { reads } = this.#deps;
    const embedded = new Map(
      (await reads.embeddedByDocument(embedder)).map((row) => [row.doc_id, row.embedded]),
    );
    const where = doc_key === null ? {} : { where: { doc_key } };
    const found: number[] = [];
    const page = 2000;
    for (let offset = 0; ; offset += page) {
      const { items } = await reads.find('documents', {
        ...where,
        orderBy: { field: 'doc_id' },
        limit: page,
        offset,
      });
      for (const { doc_id, chunk_count } of items)
        if ((embedded.get(Number(doc_id)) ?? 0) < Number(chunk_count)) found.push(Number(doc_id));
      if (items.length < page) return found;
    }
  }

  async *#gaps(doc_id: number, embedder: string): AsyncGenerator<Gap> {
    for (let offset = 0; ; offset += pageChunks) {
      const { items } = await this.#deps.reads.chunks(doc_id, pageChunks, offset, embedder);
      let gap: Gap | null = null;
      for (const { embedded, ordinal, facts, chunk, text } of items) {
        if (embedded) {
          if (gap !== null) yield gap;
          gap = null;
          continue;
        }
        const { corpus_id, revision, title } = facts;
        gap ??= { doc_id, corpus_id, revision, title, first: ordinal, chunks: [] };
        gap.chunks.push({ chunk, text });
      }
      if (gap !== null) yield gap;
      if (items.length < pageChunks) return;
    }
  }

  /** What to record of a batch, or why the model could not do it. */
  async #embed(job: BackfillJob, gaps: readonly Gap[], signal: AbortSignal): Promise<DomainEvent[] | string> {
    const { embedder, retriesMs } = this.#deps;
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

/** Without an unexpected error's message: it might repeat a text. */
const sentenceOf = (error: unknown) =>
  error instanceof Failure
    ? error.detail
    : `unexpectedly, ${error instanceof Error ? error.name : 'an error'}.`;

type Requested = Omit<Backfill, 'status' | 'finished_at' | 'error'>;

function queued(job: Requested): Backfill {
  return recordOf({ ...job, status: 'queued', finished_at: null, error: null });
}

/** A record without what only the workers need. Chunks published meanwhile may have been embedded too. */
function recordOf(doc: Doc): Backfill {
  const record = doc as Backfill;
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
