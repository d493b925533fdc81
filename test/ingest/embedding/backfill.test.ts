import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import type { Chunk } from '../../../src/domain/events.ts';
import { Commands } from '../../../src/event-sourcing/commands.ts';
import { Failure } from '../../../src/failures.ts';
import { type BackfillDeps, Backfills } from '../../../src/ingest/embedding/backfill.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Embedder } from '../../../src/ports/models.ts';
import { adapterConfig } from '../../../src/workers/adapter-config.ts';
import { openStores, type Stores } from '../../../src/workers/stores.ts';
import { newFolder } from '../../support/folder.ts';
import { chunkOf, newFacts } from '../../support/revision.ts';

const cause = { actor: 'admin:olga', correlation_id: 'r' };
const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
const wallClock: Clock = { now: () => new Date() };

let stores: Stores;
let commands: Commands;
const running: Backfills[] = [];
/** The ids of the documents of a test, which are withdrawn after it. */
const published: number[] = [];

beforeAll(async () => {
  stores = await openStores(adapterConfig({ folder: newFolder('backfill') }), { searchesSoon: false });
  commands = new Commands(stores.log, wallClock);
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  for (const id of published.splice(0))
    await commands.document(id).execute({ type: 'Withdraw', reason: null }, cause);
  await caughtUp();
});
afterAll(() => stores.close());

const caughtUp = async () => {
  const head = await stores.log.head();
  await Promise.all(projections.map(({ name }) => stores.progress.waitFor(name, head)));
};

/** Publishes a document with this many chunks ("a 0", "a 1", …) without vectors. */
async function publish(docKey: string, count: number): Promise<void> {
  const corpus_id = 'charter';
  const settings = { title: 'C', description: null, languages: ['en' as const], styles: [], layers: [layer] };
  await commands.catalog.execute(
    [
      { type: 'SetCorpus', corpus_id, settings },
      { type: 'RegisterDocuments', corpus_id, documents: [{ doc_key: docKey, root: null }] },
    ],
    cause,
  );
  const { doc_id } = commands.catalog.state.documents.get(corpus_id)!.get(docKey)!;
  const texts = Array.from({ length: count }, (_, i) => `${docKey} ${i}`);
  const text = texts.join('\n');
  const chunks: Chunk[] = texts.map((one, i) => {
    const start = text.indexOf(one);
    return chunkOf(start, start + one.length, { chunk_index: String(i) });
  });
  const title = docKey.toUpperCase();
  const content_hash = `${docKey} ${count}`;
  const facts = newFacts({ doc_id, corpus_id, doc_key: docKey, title, layer, content_hash });
  const revision = (await commands.document(doc_id).load()).lastRevision + 1;
  await commands.document(doc_id).execute(
    [
      { type: 'StartRevision', facts, root: null, path: null, input_hash: null },
      { type: 'AddChunks', revision, batch: { text, chunks } },
      { type: 'Publish', revision },
    ],
    cause,
  );
  published.push(doc_id);
}

/** A model that records its input, and can be made to wait. */
class TestModel implements Embedder {
  readonly name = 'm';
  readonly dimension = 2;
  readonly deterministic = false;
  readonly asked: string[][] = [];
  /** Awaited with the number of the call, from 0. */
  before: (call: number) => Promise<void> | void = () => {};
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    await this.before(this.asked.push(texts.map((text) => text.split('\n')[1]!)) - 1);
    return texts.map(() => Float32Array.of(1, 0));
  }
  get texts(): string[] {
    return this.asked.flat().sort();
  }
}

function open(embedder: Embedder | null, more: Partial<BackfillDeps> = {}): Backfills {
  const backfills = new Backfills({
    commands: new Commands(stores.log, wallClock),
    reads: stores.reads,
    embedder,
    clock: wallClock,
    caughtUp,
    onTrouble: () => {},
    pollMs: 20,
    retriesMs: [0],
    ...more,
  });
  running.push(backfills);
  backfills.start();
  return backfills;
}

async function ended(backfills: Backfills, jobId: string) {
  for (;;) {
    const job = await backfills.job(jobId);
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const expectedTexts = (docKey: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${docKey} ${i}`);

describe('a backfill', () => {
  it('gives vectors to every chunk without one, in batches across documents, and reports its progress', async () => {
    await publish('a', 3);
    await publish('b', 2);
    await caughtUp();
    const model = new TestModel();
    const backfills = open(model);
    const { granted, job } = await backfills.request({ doc_key: null, batch_size: 2 }, 'olga', cause);
    expect({ granted, ...job }).toEqual({
      granted: true,
      job_id: expect.any(String),
      status: 'queued',
      doc_key: null,
      batch_size: 2,
      embedder: 'm',
      total_chunks: 5,
      embedded_chunks: 0,
      requested_at: expect.any(String),
      requested_by: 'olga',
      finished_at: null,
      error: null,
    });
    expect(await ended(backfills, job.job_id)).toEqual({
      ...job,
      status: 'completed',
      embedded_chunks: 5,
      finished_at: expect.any(String),
    });
    expect(model.asked).toEqual([['a 0', 'a 1'], ['a 2', 'b 0'], ['b 1']]);
    await caughtUp();
    expect(await stores.reads.coverage('m')).toMatchObject([{ chunks: 5, embedded: 5 }]);
    expect(await stores.reads.embeddedByDocument('m')).toEqual([
      { doc_id: published[0], embedded: 3 },
      { doc_id: published[1], embedded: 2 },
    ]);
    const again = await backfills.request({ doc_key: null, batch_size: 2 }, 'olga', cause);
    expect(again.job).toMatchObject({ total_chunks: 5, embedded_chunks: 5 });
    await ended(backfills, again.job.job_id);
    expect(model.asked).toHaveLength(3);
  });

  it('is limited to the documents of one key if one is given', async () => {
    await publish('a', 2);
    await publish('b', 2);
    await caughtUp();
    const model = new TestModel();
    const backfills = open(model);
    await expect(backfills.request({ doc_key: 'none', batch_size: 50 }, 'olga', cause)).rejects.toMatchObject(
      { code: 'not_found' },
    );
    const { job } = await backfills.request({ doc_key: 'b', batch_size: 50 }, 'olga', cause);
    expect(await ended(backfills, job.job_id)).toMatchObject({ total_chunks: 2, embedded_chunks: 2 });
    expect(model.texts).toEqual(expectedTexts('b', 2));
  });

  it('is rejected while another runs over the same documents', async () => {
    await publish('a', 1);
    await publish('b', 1);
    await caughtUp();
    const model = new TestModel();
    const gate = Promise.withResolvers<void>();
    model.before = () => gate.promise;
    const backfills = open(model);
    const first = await backfills.request({ doc_key: 'a', batch_size: 50 }, 'olga', cause);
    const whole = await backfills.request({ doc_key: null, batch_size: 50 }, 'olga', cause);
    expect([whole.granted, whole.job.job_id]).toEqual([false, first.job.job_id]);
    const other = await backfills.request({ doc_key: 'b', batch_size: 50 }, 'olga', cause);
    expect(other.granted).toBe(true);
    gate.resolve();
    await ended(backfills, first.job.job_id);
    await ended(backfills, other.job.job_id);
    expect(model.texts).toEqual(['a 0', 'b 0']);
  });

  it('is retried after a temporary model failure, and fails if the failure lasts', async () => {
    await publish('a', 1);
    await caughtUp();
    const model = new TestModel();
    model.before = (call) => {
      if (call !== 1) throw new Failure('unavailable', 'The model cannot be reached.');
    };
    const backfills = open(model);
    const { job } = await backfills.request({ doc_key: null, batch_size: 50 }, 'olga', cause);
    expect(await ended(backfills, job.job_id)).toMatchObject({ status: 'completed', embedded_chunks: 1 });

    await publish('b', 1);
    await caughtUp();
    const second = await backfills.request({ doc_key: null, batch_size: 50 }, 'olga', cause);
    expect(await ended(backfills, second.job.job_id)).toMatchObject({
      status: 'failed',
      error: 'The model cannot be reached.',
      embedded_chunks: 1,
      total_chunks: 2,
    });
  });

  it('continues after a restart', async () => {
    await publish('a', 6);
    await caughtUp();
    const before = new TestModel();
    const third = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    before.before = async (call) => {
      if (call < 2) return;
      third.resolve();
      await gate.promise;
    };
    const first = open(before);
    const { job } = await first.request({ doc_key: null, batch_size: 2 }, 'olga', cause);
    await third.promise;
    const stopped = first.stop();
    gate.reject(new Failure('cancelled', 'The process ends.'));
    await stopped;
    const { claim } = (await commands.backfills.load()).jobs.get(job.job_id)!;
    expect(Date.parse(claim!.until)).toBeLessThanOrEqual(Date.now());

    const after = new TestModel();
    const second = open(after);
    expect(await ended(second, job.job_id)).toMatchObject({ status: 'completed', embedded_chunks: 6 });
    expect(after.texts).toEqual(['a 4', 'a 5']);
  });

  it('is done by one of several workers, and embeds each chunk once', async () => {
    await publish('a', 20);
    await caughtUp();
    const model = new TestModel();
    const all = [open(model), open(model), open(model)];
    const { job } = await all[0]!.request({ doc_key: null, batch_size: 3 }, 'olga', cause);
    expect(await ended(all[1]!, job.job_id)).toMatchObject({ status: 'completed', embedded_chunks: 20 });
    expect(model.texts).toEqual(expectedTexts('a', 20).sort());
    const events = (await stores.log.readStream('backfills')).filter(
      ({ data }) => 'job_id' in data && data.job_id === job.job_id,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'BackfillRequested',
      'BackfillClaimed',
      'BackfillCompleted',
    ]);
  });

  it('is taken over from an unresponsive worker, which then stops', async () => {
    await publish('a', 4);
    await caughtUp();
    const silent = new TestModel();
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    silent.before = async () => {
      begun.resolve();
      await gate.promise;
    };
    // It renews its claim too rarely, so the other workers see the claim expire.
    const slow = { now: () => new Date(Date.now() - 60_000) };
    const first = open(silent, { clock: slow });
    const { job } = await first.request({ doc_key: null, batch_size: 2 }, 'olga', cause);
    await begun.promise;
    const quick = new TestModel();
    const second = open(quick);
    expect(await ended(second, job.job_id)).toMatchObject({ status: 'completed', embedded_chunks: 4 });
    gate.resolve();
    await first.stop();
    expect(quick.texts).toEqual(expectedTexts('a', 4));
    const done = await stores.log.readStream(`backfill-${job.job_id}`);
    expect(
      done.map((event) => event.type === 'ChunksEmbedded' && [event.data.first, event.data.count]),
    ).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  it.each([
    [new Failure('unavailable', 'The log is unavailable.'), 'A backfill is paused: The log is unavailable.'],
    [new Error('secret'), 'A backfill is paused: unexpected error (Error).'],
    [new Failure('conflict', 'Another worker came first.'), undefined],
  ])('is continued by another worker after %o', async (error, report) => {
    await publish('a', 1);
    await caughtUp();
    const reports: string[] = [];
    const begun = Promise.withResolvers<void>();
    const failing = open(new TestModel(), {
      clock: { now: () => new Date(Date.now() - 60_000) },
      caughtUp: async () => {
        begun.resolve();
        throw error;
      },
      onTrouble: (sentence) => reports.push(sentence),
    });
    const { job } = await failing.request({ doc_key: null, batch_size: 2 }, 'olga', cause);
    await begun.promise;
    await failing.stop();
    expect(reports[0]).toBe(report);
    const model = new TestModel();
    expect(await ended(open(model), job.job_id)).toMatchObject({ status: 'completed', embedded_chunks: 1 });
  });

  it('records only the number of vectors for a deterministic embedder', async () => {
    await publish('new', 2);
    await caughtUp();
    const { offlineEmbedder } = await import('../../../src/models/offline.ts');
    const backfills = open(offlineEmbedder);
    const { job } = await backfills.request({ doc_key: null, batch_size: 50 }, 'olga', cause);
    await ended(backfills, job.job_id);
    await caughtUp();
    expect(await stores.reads.coverage(job.embedder)).toMatchObject([{ chunks: 2, embedded: 2 }]);
    const [event] = await stores.log.readStream(`backfill-${job.job_id}`);
    expect(event?.data).toEqual({
      doc_id: published[0],
      corpus_id: 'charter',
      revision: 1,
      embedder: job.embedder,
      dimension: 256,
      first: 0,
      count: 2,
      vectors: null,
      job_id: job.job_id,
    });
    await stores.rebuild();
    expect(await stores.reads.coverage(job.embedder)).toMatchObject([{ chunks: 2, embedded: 2 }]);
  });

  it('can be rebuilt from the history without calling the model', async () => {
    await publish('a', 2);
    await caughtUp();
    const backfills = open(new TestModel());
    const { job } = await backfills.request({ doc_key: null, batch_size: 50 }, 'olga', cause);
    await ended(backfills, job.job_id);
    await backfills.stop();
    await stores.rebuild();
    expect(await stores.reads.coverage('m')).toMatchObject([{ chunks: 2, embedded: 2 }]);
  });
});
