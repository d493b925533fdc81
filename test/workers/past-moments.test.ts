/** Past moments at the edges of what they may take: one at a time, how large, how long. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterConfig, pastFolder } from '../../src/workers/adapter-config.ts';
import type { MomentJob } from '../../src/workers/history-jobs.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { momentLimits, PastMoments, type PastMomentsOptions } from '../../src/workers/past-moments.ts';
import { note } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
let kept: PastMoments;
type Job = Omit<MomentJob, 'adapters'>;
let jobs: Job[];
let nowMs: number;
beforeEach(() => {
  folder = newFolder('moments');
  jobs = [];
  nowMs = 0;
});
afterEach(() => kept.close());

const positionOf = (n: number) => String(n).padStart(16, '0');
const positions = () => kept.states().map(({ position }) => Number(position));
const places = () => (existsSync(pastFolder(folder)) ? readdirSync(pastFolder(folder)) : []);
const unavailable = (detail: RegExp) =>
  expect.objectContaining({ name: 'Failure', code: 'unavailable', detail: expect.stringMatching(detail) });
/** Nobody is told to come back: whoever asks waits until it is made. */
const patient = { ...momentLimits, waitMs: 2 ** 31 - 1 };

/** `make`: what comes of the making of a moment; by default it is one byte large, at once. */
function open(
  limits: Partial<typeof momentLimits> = {},
  make: (job: Job, signal: AbortSignal) => Promise<unknown> = async () => ({ events: 1, bytes: 1 }),
): PastMoments {
  const workers: PastMomentsOptions['workers'] = {
    once: (_worker, _data, method, { args = [], signal } = {}) => {
      if (method === 'changes') return Promise.resolve({ items: [], next: null, compared: 0 }) as never;
      jobs.push(args[0] as Job);
      return make(args[0] as Job, signal!) as never;
    },
    close: async () => {},
  };
  kept = new PastMoments(adapterConfig({ folder }), {
    ...{ limits: { ...patient, ...limits }, now: () => nowMs, workers },
  });
  return kept;
}

it('one moment is kept at a time, and goes when another is asked for', async () => {
  open();
  await kept.at(positionOf(1));
  expect(await kept.at(positionOf(1))).toBeTruthy();
  expect(jobs).toHaveLength(1);
  nowMs += 60_000;
  await kept.at(positionOf(2));
  expect(positions()).toEqual([2]);
  await eventually(() => expect(places()).toHaveLength(1));
});

it('of two that are compared the later is made from the earlier, and both go together', async () => {
  open();
  await kept.changes(positionOf(5), positionOf(3), { projections: [], offset: 0, limit: 1 });
  expect(jobs.map(({ until }) => Number(until))).toEqual([3, 5]);
  expect(jobs.map(({ from }) => from)).toEqual([null, jobs[0]!.folder]);
  expect(positions()).toEqual([5, 3]);
  await kept.at(positionOf(3));
  expect(jobs).toHaveLength(2);
  await kept.clear();
  expect([positions(), places()]).toEqual([[], []]);
});

it('none goes that was read so lately that its next page may be asked', async () => {
  open();
  await kept.at(positionOf(1));
  nowMs += 5_000;
  await expect(kept.at(positionOf(2))).rejects.toEqual(
    unavailable(/^Another moment of the past is being read/),
  );
  nowMs += 1;
  await kept.at(positionOf(2));
  expect(positions()).toEqual([2]);
});

it('one that takes too long is given up, which is told, and leaves nothing', async () => {
  let isStopped = false;
  open({ makeMs: 1 }, async (_, signal) => {
    // It may be late before it is begun.
    if (!signal.aborted) await once(signal, 'abort');
    isStopped = true;
    throw new Error('stopped');
  });
  await expect(kept.at(positionOf(1))).rejects.toEqual(unavailable(/took longer than they may/));
  expect(isStopped).toBe(true);
  expect(kept.states()).toMatchObject([{ status: 'failed', error: expect.stringContaining('longer') }]);
  await eventually(() => expect(places()).toEqual([]));
});

it('whoever asks while one is made is told how far it is, and no other is begun', async () => {
  const made = Promise.withResolvers<unknown>();
  open({ waitMs: 0 }, () => made.promise);
  try {
    await expect(kept.at(positionOf(1))).rejects.toEqual(unavailable(/are being made: 0 events/));
    await expect(kept.at(positionOf(2))).rejects.toEqual(unavailable(/as of 0{15}1 are being made/));
    // Who asked was answered before its making had begun.
    await eventually(() => expect(jobs).toHaveLength(1));
  } finally {
    made.resolve({ events: 7, bytes: 1 });
  }
  await eventually(() => expect(kept.states()).toMatchObject([{ status: 'ready', events: 7 }]));
  expect(jobs).toHaveLength(1);
});

it('one that is larger than it may be is refused in a sentence, and leaves nothing', async () => {
  const history = await openLogAt(folder, 'docent', null);
  const { position } = await history.log.append('catalog', -1, [note()]);
  await history.close();
  kept = new PastMoments(adapterConfig({ folder }), { limits: { ...patient, bytesMax: 1 } });
  await expect(kept.at(position!)).rejects.toEqual(unavailable(/are larger than allowed/));
  await eventually(() => expect(places()).toEqual([]));
}, 60_000);
