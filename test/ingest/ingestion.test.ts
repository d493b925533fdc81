/** A service's parsers: started for the first ingestion, kept for the next one, stopped when idle. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Ingestions } from '../../src/ingest/ingestions.ts';
import { prepareFile } from '../../src/ingest/prepare.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { newFolder } from '../support/folder.ts';
import { fakeReads, poolOf } from './fixtures.ts';

const cause = { actor: 'system', correlation_id: 'c' };
const idleMs = 5000;

let folder: string;
let pools: { closed: boolean }[];
let ingestions: Ingestions;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = newFolder('ingestions');
  pools = [];
  ingestions = new Ingestions({
    commands: new Commands(new EmbeddedLog(directLog(new LogStore(':memory:'))), { now: () => new Date() }),
    reads: fakeReads,
    caughtUp: async () => {},
    embedder: null,
    extractor: null,
    idleMs,
    openPool: () => {
      const pool = { closed: false };
      pools.push(pool);
      const close = async () => {
        pool.closed = true;
      };
      return { ...poolOf(prepareFile), close };
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
});

async function takeIn(name: string): Promise<number> {
  const path = join(folder, name);
  writeFileSync(path, `Text of ${name}.`);
  const request = { path, corpus_id: 'c' };
  return (await ingestions.takeIn(request, cause)).added;
}
const closed = () => pools.map((pool) => pool.closed);

test('are shared by ingestions, one after another and simultaneously', async () => {
  expect(await takeIn('a.md')).toBe(1);
  vi.advanceTimersByTime(idleMs - 1);
  expect(await Promise.all([takeIn('b.md'), takeIn('c.md')])).toEqual([1, 1]);
  vi.advanceTimersByTime(idleMs - 1);
  expect(closed()).toEqual([false]);
  vi.advanceTimersByTime(1);
  expect(closed()).toEqual([true]);
  expect(await takeIn('d.md')).toBe(1);
  expect(closed()).toEqual([true, false]);
});

test('closing stops them immediately, and waits until they have ended', async () => {
  await ingestions.close();
  await takeIn('a.md');
  await ingestions.close();
  expect(closed()).toEqual([true]);
});
