import { expect, it } from 'vitest';
import { TimeMarks } from '../../src/log/eventstore/time-marks.ts';
import type { StoredEvent } from '../../src/ports/event-log.ts';

const start = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const positionOf = (n: number) => String(n).padStart(16, '0');
const timeOf = (n: number) => new Date(start + n * minuteMs).toISOString();

/** A history of events one minute apart, and a count of those read. */
function historyOf(count: number) {
  const events = Array.from({ length: count }, (_, n) => ({
    position: positionOf(n),
    metadata: Buffer.from(JSON.stringify({ time: timeOf(n) })),
  })) as unknown as StoredEvent[];
  const log = {
    read: 0,
    readStoredBefore: async (before: string | null, limit: number) => {
      const end = before === null ? events.length : Number(before);
      const page = events.slice(Math.max(0, end - limit), end).reverse();
      log.read += page.length;
      return page;
    },
  };
  return log;
}

it('reads a history once, and then only the events around a time', async () => {
  const log = historyOf(20_000);
  const marks = new TimeMarks();
  expect(await marks.lastBefore(log, timeOf(100))).toBe(positionOf(99));
  expect(log.read).toBe(20_000);
  for (const n of [100, 7_500, 15_000, 101, 19_000, 400]) {
    log.read = 0;
    expect(await marks.lastBefore(log, timeOf(n))).toBe(positionOf(n - 1));
    expect(log.read).toBeLessThanOrEqual(1_000);
  }
  log.read = 0;
  expect(await marks.lastBefore(log, timeOf(0))).toBeNull();
  expect(log.read).toBeLessThanOrEqual(1_000);
});

it('distinguishes an event without a time from no event', async () => {
  const silent = [{ position: positionOf(1), metadata: Buffer.from('{') }] as unknown as StoredEvent[];
  const log = { readStoredBefore: async (before: string | null) => (before === null ? silent : []) };
  expect(await new TimeMarks().lastBefore(log, timeOf(1))).toBe(positionOf(1));
});
