/** Moments of the past at the edges of what they may take: how many, how large, how long. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterConfig, pastFolder } from '../../src/workers/adapter-config.ts';
import { KeptMoments, type KeptMomentsOptions, momentLimits } from '../../src/workers/kept-moments.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import type { MomentJob } from '../../src/workers/moment-worker.ts';
import { note } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';

let folder: string;
let kept: KeptMoments;
let jobs: MomentJob[];
let nowMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-moments-'));
  jobs = [];
  nowMs = 0;
});
afterEach(async () => {
  await kept.close();
  rmSync(folder, { recursive: true });
});

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
  make: (job: MomentJob, signal: AbortSignal) => Promise<unknown> = async () => ({ events: 1, bytes: 1 }),
): KeptMoments {
  const makers = {
    once: (_worker: string, data: object, _method: string, { signal }: { signal?: AbortSignal } = {}) => {
      jobs.push(data as MomentJob);
      return make(data as MomentJob, signal!);
    },
    close: async () => {},
  } as NonNullable<KeptMomentsOptions['makers']>;
  kept = new KeptMoments(adapterConfig({ folder }), {
    ...{ limits: { ...patient, ...limits }, now: () => nowMs, makers },
  });
  return kept;
}

/** Asks for one after another, each a minute after the one before. */
async function ask(...wanted: number[]): Promise<void> {
  for (const n of wanted) {
    nowMs += 60_000;
    await kept.at(positionOf(n));
  }
}

it('of as many as may be kept, the one that was asked longest ago goes when another is asked', async () => {
  open();
  expect(momentLimits.countMax).toBe(4);
  await ask(1, 2, 3, 4, 1);
  expect(positions()).toEqual([4, 3, 2, 1]);
  await ask(5);
  expect(positions()).toEqual([5, 4, 3, 1]);
  expect(places()).toHaveLength(4);
  expect(jobs).toHaveLength(5);
});

it('none goes that was read so lately that its next page may be asked', async () => {
  open();
  for (const n of [1, 2, 3, 4]) await kept.at(positionOf(n));
  nowMs += 5_000;
  await expect(kept.at(positionOf(5))).rejects.toEqual(unavailable(/^Too many moments/));
  expect(positions()).toEqual([4, 3, 2, 1]);
  nowMs += 1;
  await kept.at(positionOf(5));
  expect(positions()).toHaveLength(4);
  expect(positions()).toContain(5);
});

it('room is made for another as large as the largest, and it may take no more than is left', async () => {
  open({ bytesMax: 100 }, async ({ until }) => ({ events: 1, bytes: Number(until) * 10 }));
  await ask(1, 4);
  expect(jobs.map(({ bytesMax }) => bytesMax)).toEqual([100, 90]);
  // 10 and 40 are there: another 40 have room.
  await ask(2);
  expect(positions()).toEqual([4, 2, 1]);
  // 70 are taken, and 1 counts as asked when 2 was made from it: the largest goes.
  await ask(3);
  expect(positions()).toEqual([3, 2, 1]);
  expect(jobs.at(-1)!.bytesMax).toBe(70);
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
  kept = new KeptMoments(adapterConfig({ folder }), { limits: { ...patient, bytesMax: 1 } });
  await expect(kept.at(position!)).rejects.toEqual(unavailable(/are larger than allowed/));
  await eventually(() => expect(places()).toEqual([]));
}, 60_000);
