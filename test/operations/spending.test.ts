/** Model costs counted by several processes together, and stopping when a budget is exhausted. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { Spending, type SpendingDeps } from '../../src/operations/spending.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { noUsage } from '../../src/ports/models.ts';
import { ManualClock } from '../support/manual-clock.ts';

let log: EventLog;
let clock: ManualClock;
let troubles: string[];
beforeEach(() => {
  log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  clock = new ManualClock('2026-01-30T12:00:00.000Z');
  troubles = [];
});
afterEach(() => log.close());

/** A process with a price of one dollar for each output token. */
const process = (budget: Partial<SpendingDeps['budget']> = { day: 10 }) =>
  new Spending({
    commands: new Commands(log, clock),
    clock,
    prices: { input: 0.25, output: 1e6, embed: 0, search: 500 },
    budget: { day: null, month: null, ...budget },
    onTrouble: (sentence) => troubles.push(sentence),
    everyMs: 1e9,
  });
const spend = (one: Spending, dollars: number) => one.count('chat', { ...noUsage, output_tokens: dollars });

it('prices cover input, output, embedding and search', () => {
  const usage = { input_tokens: 10, output_tokens: 2, embed_tokens: 1000, search_units: 3 };
  expect(process().costOf(usage)).toBe(Math.round(10 * 0.25 + 2e6 + 3 * 500_000));
});

it('calls stop when any process exhausts the daily budget', async () => {
  const [one, other] = [process(), process()];
  spend(one, 6);
  await one.sync();
  spend(other, 3);
  await other.sync();
  expect([one.spent(), other.spent()]).toEqual([null, null]);
  spend(other, 1);
  expect(() => other.admit()).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(one.spent()).toBeNull();
  await other.sync();
  await one.sync();
  expect(one.spent()).toBe('The daily budget for language models is spent.');
  expect(troubles).toHaveLength(2);
});

it('a new day resets the daily budget, and a new month the monthly one', async () => {
  const one = process({ day: 10, month: 15 });
  spend(one, 10);
  await one.sync();
  expect(one.spent()).toContain('daily');
  clock.ms += 86_400_000;
  await one.sync();
  expect(one.spent()).toBeNull();
  spend(one, 5);
  await one.sync();
  expect(one.spent()).toContain('month');
  clock.ms += 86_400_000;
  await one.sync();
  expect(one.spent()).toBeNull();
  expect(troubles.at(-1)).toBe('Language models are within budget again.');
});

it('a process knows what was spent before it started, and records everything when it ends', async () => {
  const before = process();
  spend(before, 10);
  await before.stop();
  const after = process();
  await after.start();
  expect(after.spent()).not.toBeNull();
  await after.stop();
});

it('counts are recorded once, several calls together', async () => {
  const one = process({});
  one.count('embed', { ...noUsage, embed_tokens: 7 });
  one.count('rerank', { ...noUsage, search_units: 1 });
  await one.sync();
  await one.sync();
  const events = await log.readStream('spending-2026-01', 0);
  expect(events.map(({ data }) => data)).toEqual([
    {
      day: '2026-01-30',
      chats: 0,
      embeds: 1,
      reranks: 1,
      input_tokens: 0,
      output_tokens: 0,
      embed_tokens: 7,
      search_units: 1,
      cost_micro_usd: 500_000,
    },
  ]);
});

it('counting continues while the history cannot be written, and is recorded later', async () => {
  const append = log.append.bind(log);
  const one = process();
  spend(one, 4);
  log.append = () => Promise.reject(new Error('away'));
  await one.sync();
  spend(one, 6);
  expect(one.spent()).not.toBeNull();
  log.append = append;
  await one.sync();
  const other = process();
  await other.sync();
  expect(other.spent()).not.toBeNull();
});
