/** Limits of past moments: one at a time, size, time. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterConfig, pastFolder } from '../../src/workers/adapter-config.ts';
import type { MomentJob } from '../../src/workers/history-worker.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { momentLimits, PastMoments, type PastMomentsOptions } from '../../src/workers/past-moments.ts';
import { note } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
let kept: PastMoments;
let jobs: MomentJob[];
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
/** Callers are not told to retry; they wait until it is built. */
const patient = { ...momentLimits, waitMs: 2 ** 31 - 1 };

/** `make`: the outcome of building the moment; default: one byte, immediately. */
function open(
  limits: Partial<typeof momentLimits> = {},
  make: (job: MomentJob, signal: AbortSignal) => Promise<unknown> = async () => ({ events: 1, bytes: 1 }),
): PastMoments {
  const workers: PastMomentsOptions['workers'] = {
    once: (_worker, _data, method, { args = [], signal } = {}) => {
      if (method === 'changes') return Promise.resolve({ items: [], next: null, compared: 0 }) as never;
      jobs.push(args[0] as MomentJob);
      return make(args[0] as MomentJob, signal!) as never;
    },
    close: async () => {},
  };
  kept = new PastMoments(adapterConfig({ folder }), {
    limits: { ...patient, ...limits },
    now: () => nowMs,
    workers,
  });
  return kept;
}

it('keeps one moment at a time, until another is requested', async () => {
  open();
  await kept.at(positionOf(1));
  expect(await kept.at(positionOf(1))).toBeTruthy();
  expect(jobs).toHaveLength(1);
  nowMs += 60_000;
  await kept.at(positionOf(2));
  expect(positions()).toEqual([2]);
  await eventually(() => expect(places()).toHaveLength(1));
});

it('builds the later of two compared moments from the earlier one, and deletes both together', async () => {
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

it('keeps a moment while the next page may still be requested', async () => {
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

it('cancels and reports a moment that takes too long, and leaves nothing behind', async () => {
  let isStopped = false;
  open({ makeMs: 1 }, async (_, signal) => {
    // The time limit may pass before it has begun.
    if (!signal.aborted) await once(signal, 'abort');
    isStopped = true;
    throw new Error('stopped');
  });
  await expect(kept.at(positionOf(1))).rejects.toEqual(unavailable(/exceeded the time limit/));
  expect(isStopped).toBe(true);
  expect(kept.states()).toMatchObject([{ status: 'failed', error: expect.stringContaining('time limit') }]);
  await eventually(() => expect(places()).toEqual([]));
});

it('tells a caller during a build its progress, and begins no other build', async () => {
  const made = Promise.withResolvers<unknown>();
  open({ waitMs: 0 }, () => made.promise);
  try {
    await expect(kept.at(positionOf(1))).rejects.toEqual(unavailable(/are being built: 0 events/));
    await expect(kept.at(positionOf(2))).rejects.toEqual(unavailable(/as of 0{15}1 are being built/));
    // The caller was answered before the build began.
    await eventually(() => expect(jobs).toHaveLength(1));
  } finally {
    made.resolve({ events: 7, bytes: 1 });
  }
  await eventually(() => expect(kept.states()).toMatchObject([{ status: 'ready', events: 7 }]));
  expect(jobs).toHaveLength(1);
});

it('rejects a moment that exceeds the size limit with an explanation, and leaves nothing behind', async () => {
  const history = await openLogAt(folder, 'docent', null);
  const { position } = await history.log.append('catalog', -1, [note()]);
  await history.close();
  kept = new PastMoments(adapterConfig({ folder }), { limits: { ...patient, bytesMax: 1 } });
  await expect(kept.at(position!)).rejects.toEqual(unavailable(/are larger than allowed/));
  await eventually(() => expect(places()).toEqual([]));
});
