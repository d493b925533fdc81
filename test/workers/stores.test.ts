import { rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import workerThreads, { type Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { RetrievalRequest } from '../../src/reading/passages.ts';
import { adapterConfig } from '../../src/workers/adapter-config.ts';
import { openStores, type Stores } from '../../src/workers/stores.ts';
import { note } from '../support/events.ts';
import { newFolder } from '../support/folder.ts';

const RealWorker = workerThreads.Worker;
/** The threads that were started, by their entry file. */
const threads: { entry: string; worker: Worker }[] = [];

beforeAll(() => {
  workerThreads.Worker = class extends RealWorker {
    constructor(entry: URL | string, options: workerThreads.WorkerOptions) {
      super(entry, options);
      threads.push({ entry: String(entry).split('/').at(-1)!, worker: this });
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
  folder = newFolder('threads');
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

it('stores continue when threads die: each is replaced', async () => {
  const { log, reads } = stores;
  const { revision } = await log.append('notes', -1, [note('first')]);
  const all = threads.map(({ worker }) => worker);
  expect(all).toHaveLength(3);
  for (const worker of all) {
    await worker.terminate();
    await log.append('notes', revision, [note('again')]).catch(() => {});
    expect(await reads.find('corpora', {})).toMatchObject({ total: expect.any(Number) });
    expect(await reads.retrieve(question)).toMatchObject({ hits: [] });
  }
  expect(troubles.filter((sentence) => sentence.includes('thread has ended'))).toHaveLength(2);
  expect(await log.readStream('notes')).not.toHaveLength(0);
  expect(lost).not.toHaveBeenCalled();
});

it('events are projected after the projection thread has died', async () => {
  await kill('projection-worker.ts');
  const { position } = await stores.log.append('notes', -1, [note()]);
  await stores.progress.waitFor('corpora', position, 60_000);
  expect(stores.progress.hasReached('corpora', position)).toBe(true);
});

it('a missing kind of thread is reported', async () => {
  expect(stores.threads.state).toBe('ok');
  await kill('projection-worker.ts');
  await kill('projection-worker.ts');
  expect(stores.threads.state).toBe('down');
});

it('a history that no thread can open any more is reported as lost', async () => {
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
