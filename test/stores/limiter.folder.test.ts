import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { FolderLimiter } from '../../src/stores/embedded/limiter.ts';
import { MemoryLimiter } from '../../src/stores/embedded/memory-limiter.ts';
import { newFolder } from '../support/folder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { limiterContract } from './limiter.contract.ts';

let data: string;
beforeEach(() => {
  data = newFolder('limits');
});

const secret = Buffer.alloc(32, 7);
const limits = { perMinute: 4, perHour: 100 };
/** The test clocks start at the present, because files get their dates from the machine. */
const began = Date.now() - new ManualClock().ms;

/** A process that uses the folder; each has a different uptime. */
function open(elapsedMs: () => number, upMs = 0) {
  const limiter = new MemoryLimiter({ elapsedMs: () => elapsedMs() - upMs });
  return new FolderLimiter({ folder: join(data, 'limits'), secret, limiter, now: () => elapsedMs() + began });
}

limiterContract('of a folder', async (elapsedMs) => ({ limiter: open(elapsedMs), close: async () => {} }));

it('counts requests that other processes on the folder allowed', async () => {
  const clock = new ManualClock();
  const [one, two] = [open(() => clock.ms), open(() => clock.ms, -5_000)];
  await two.take('somebody else', limits);
  for (let n = 0; n < 3; n++) await one.take('k', limits);
  await one.exchange();
  await two.exchange();
  expect(await two.take('k', limits)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await two.take('k', limits)).toMatchObject({ allowed: false, retryAfterS: 60 });
  await two.exchange();
  await one.exchange();
  clock.ms += 59_999;
  expect((await one.take('k', limits)).allowed).toBe(false);
  clock.ms += 1;
  expect((await one.take('k', limits)).allowed).toBe(true);
});

it('counts requests allowed before it was started', async () => {
  const clock = new ManualClock();
  const before = open(() => clock.ms);
  for (let n = 0; n < 4; n++) await before.take('k', limits);
  await before.close();
  clock.ms += 1_000;
  expect(await open(() => clock.ms).take('k', limits)).toMatchObject({ allowed: false, retryAfterS: 59 });
});

it("writes files readable only by their owner, without callers' names", async () => {
  const clock = new ManualClock();
  const limiter = open(() => clock.ms);
  await limiter.take('ask:address:192.0.2.1', limits);
  await limiter.close();
  const folder = join(data, 'limits');
  const [name = ''] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^[a-z\d]+ [\w-]{22}\n$/);
});

it('removes files older than an hour, and does not recreate a removed folder', async () => {
  const clock = new ManualClock();
  const limiter = open(() => clock.ms);
  await limiter.take('k', limits);
  await limiter.exchange();
  const [name = ''] = readdirSync(join(data, 'limits'));
  const old = (began + clock.ms - 3_600_001) / 1000;
  utimesSync(join(data, 'limits', name), old, old);
  await open(() => clock.ms).take('k', limits);
  expect(readdirSync(join(data, 'limits'))).toEqual([]);
  rmSync(data, { recursive: true });
  expect((await limiter.take('k', limits)).allowed).toBe(true);
  await limiter.close();
  expect((await open(() => clock.ms).take('k', limits)).allowed).toBe(true);
  expect(() => statSync(data)).toThrow();
});
