import { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads, { type Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RetrievalRequest } from '../../src/answering/reading/read.ts';
import type { GraphScope } from '../../src/reads/graphs.ts';
import { adapterConfig } from '../../src/workers/adapter-config.ts';
import { openStores, type Stores } from '../../src/workers/stores.ts';
import { note } from '../support/events.ts';

const RealWorker = workerThreads.Worker;
/** The threads started, by their entry. */
const threads: { entry: string; worker: Worker }[] = [];

beforeAll(() => {
  workerThreads.Worker = class extends RealWorker {
    constructor(entry: URL, options: workerThreads.WorkerOptions) {
      super(entry, options);
      threads.push({ entry: entry.pathname.split('/').at(-1)!, worker: this });
    }
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  workerThreads.Worker = RealWorker;
  syncBuiltinESMExports();
});

let folder: string;
let stores: Stores;
const troubles: string[] = [];
let onTrouble = () => {};
const lost = vi.fn();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-threads-'));
  stores = await openStores(adapterConfig({ folder }), {
    onTrouble: (sentence) => {
      troubles.push(sentence);
      onTrouble();
    },
    onLost: lost,
  });
});
afterEach(async () => {
  await stores.close();
  rmSync(folder, { recursive: true, force: true });
  threads.length = 0;
  troubles.length = 0;
});

/** Ends the last thread of a kind, as running out of memory would. */
const kill = (entry: string) => threads.findLast((one) => one.entry === entry)!.worker.terminate();
const question: RetrievalRequest = {
  corpus_id: 'none',
  layers: ['main'],
  question: 'Who?',
  lang: null,
  references: [],
  limit: 1,
};

it('goes on without the threads that die: each has another in its place', async () => {
  const { log, reads } = stores;
  const { revision } = await log.append('notes', -1, [note('first')]);
  const all = threads.map(({ worker }) => worker);
  expect(all).toHaveLength(5);
  for (const worker of all) {
    await worker.terminate();
    await log.append('notes', revision, [note('again')]).catch(() => {});
    expect(await reads.find('corpora', {})).toMatchObject({ total: expect.any(Number) });
    expect(await reads.retrieve(question)).toMatchObject({ hits: [] });
  }
  expect(troubles.filter((sentence) => sentence.endsWith('thread has ended (exit status 1).'))).toHaveLength(
    5,
  );
  expect(await log.readStream('notes')).not.toHaveLength(0);
  expect(lost).not.toHaveBeenCalled();
});

it('projects what is written after its thread has died', async () => {
  await kill('projection-worker.ts');
  const { position } = await stores.log.append('notes', -1, [note()]);
  await stores.progress.waitFor('corpora', position, 60_000);
  expect(stores.progress.hasReached('corpora', position)).toBe(true);
});

describe('the thread of the graphs', () => {
  const scope: GraphScope = { corpus_id: 'none', layers: ['main'], apart: [], stamp: 0, position: null };
  const figures = () => stores.graphs.figures(scope, 1);
  const ofGraphs = () =>
    threads.filter(({ entry }) => entry === 'graph-worker.ts').map(({ worker }) => worker);

  it('is there from the first question on, and when it dies another answers the next', async () => {
    expect(ofGraphs()).toHaveLength(0);
    const counts = await figures();
    expect(counts).toMatchObject({ nodes: 0, up_to_date: true });
    await kill('graph-worker.ts');
    expect(await figures()).toEqual(counts);
    expect(ofGraphs()).toHaveLength(2);
    // One that is being answered is refused, and may be asked again.
    const asked = figures();
    await kill('graph-worker.ts');
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    expect(troubles).toHaveLength(2);
  });

  it('holds no more memory than some 640 MB', async () => {
    await figures();
    expect(ofGraphs()[0]!.resourceLimits!.maxOldGenerationSizeMb).toBeLessThanOrEqual(640);
  });

  it('ends when nothing has been asked for five minutes, and another answers what comes then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await figures();
      const [first] = ofGraphs();
      const ended = new Promise<void>((resolve) => first!.once('exit', () => resolve()));
      vi.advanceTimersByTime(4 * 60_000);
      await figures();
      vi.advanceTimersByTime(4 * 60_000);
      await figures();
      expect(ofGraphs()).toHaveLength(1);
      vi.advanceTimersByTime(5 * 60_000);
      await ended;
      expect(await figures()).toMatchObject({ nodes: 0 });
      expect([ofGraphs().length, troubles]).toEqual([2, []]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a thread that hangs over what it was asked', () => {
  const none: GraphScope = { corpus_id: 'none', layers: ['main'], apart: [], stamp: 0, position: null };
  it.each([
    ['search-worker.ts', 10_000, () => stores.reads.retrieve(question)],
    ['record-worker.ts', 30_000, () => stores.reads.find('corpora', {})],
    ['graph-worker.ts', 30_000, () => stores.graphs.figures(none, 1)],
  ])('%s is given %i ms, then another takes its place', async (entry, ms, ask) => {
    await ask();
    const ofIt = () => threads.filter((one) => one.entry === entry);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const began = performance.now();
    let passed = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => began + passed);
    const pass = async (more: number) => {
      passed += more;
      await vi.advanceTimersByTimeAsync(more);
    };
    try {
      vi.spyOn(ofIt().at(-1)!.worker, 'postMessage').mockImplementation(() => {});
      let ended: unknown = null;
      const asked: Promise<unknown> = ask();
      const failed = asked.catch((error) => {
        ended = error;
      });
      await pass(ms - 1);
      expect([ended, ofIt().length]).toEqual([null, 1]);
      await pass(1);
      await failed;
      expect(ended).toMatchObject({ code: 'timeout' });
    } finally {
      clock.mockRestore();
      vi.useRealTimers();
    }
    expect(ofIt()).toHaveLength(2);
    expect(await ask()).toBeTruthy();
  });
});

it('tells when there is no thread of a kind', async () => {
  expect(stores.threads.state).toBe('ok');
  await kill('projection-worker.ts');
  await kill('projection-worker.ts');
  expect(stores.threads.state).toBe('down');
});

it('says that the history is lost where no thread can open it any more', async () => {
  let notified = Promise.withResolvers<void>();
  onTrouble = () => notified.resolve();
  const gone = new Promise<void>((resolve) => lost.mockImplementationOnce(() => resolve()));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `history.sqlite${end}`), { force: true });
    await kill('log-worker.ts');
    for (let isLost = false; !isLost; ) {
      await Promise.race([notified.promise, gone.then(() => (isLost = true))]);
      notified = Promise.withResolvers();
      await vi.advanceTimersByTimeAsync(30_000);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(troubles).toContain('No history thread can be started.');
});
