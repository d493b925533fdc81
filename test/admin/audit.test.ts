import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdminAudit } from '../../src/admin/audit.ts';
import { adminAccess } from '../../src/domain/admin-access.ts';
import { Aggregate } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { ManualClock } from '../support/manual-clock.ts';

let log: EmbeddedLog;
/** Whether the history is unavailable. */
let down: boolean;
let clock: ManualClock;
let troubles: string[];
beforeEach(() => {
  down = false;
  log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  const append = log.append.bind(log);
  log.append = (...args) =>
    down ? Promise.reject(new Failure('unavailable', 'The history cannot be reached.')) : append(...args);
  clock = new ManualClock();
  troubles = [];
});

afterEach(() => log.close());

function open(): AdminAudit {
  const commands = { adminAccess: new Aggregate(log, clock, 'admin-access', adminAccess) };
  return new AdminAudit({ commands, clock, onTrouble: (sentence) => troubles.push(sentence) });
}
const events = () => log.readStream('admin-access');
const failures = async () =>
  (await events()).map((event) => event.type === 'AdminLoginFailed' && [event.data.count, event.data.names]);
const settled = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

test('records each failure immediately, and failures beyond twenty within a minute together', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const audit = open();
  audit.failed('olga');
  await settled();
  expect(await failures()).toEqual([[1, ['olga']]]);
  for (let i = 0; i < 19; i++) audit.failed(null);
  await settled();
  expect(await failures()).toHaveLength(20);
  for (const name of [null, 'olga', 'aidar', null]) audit.failed(name);
  await settled();
  for (let seconds = 0; seconds < 60; seconds += 5) {
    expect(await failures()).toHaveLength(20);
    clock.ms += 5000;
    vi.advanceTimersByTime(5000);
    await settled();
  }
  expect((await failures()).slice(19)).toEqual([
    [1, []],
    [4, ['aidar', 'olga']],
  ]);
  audit.failed('olga');
  await settled();
  expect(await failures()).toHaveLength(22);
  vi.useRealTimers();
  await audit.close();
  expect(await failures()).toHaveLength(22);
});

test('records remaining failures when the process ends', async () => {
  const audit = open();
  for (let i = 0; i < 23; i++) audit.failed(null);
  await audit.close();
  expect(await failures()).toHaveLength(21);
  expect((await failures()).at(-1)).toEqual([3, []]);
});

test('loses nothing while the history is unavailable', async () => {
  const audit = open();
  down = true;
  audit.failed(null);
  await settled();
  expect(troubles).toEqual(['Failed logins could not be recorded yet: The history cannot be reached.']);
  down = false;
  audit.failed('olga');
  await audit.close();
  expect(await failures()).toEqual([
    [1, []],
    [1, ['olga']],
  ]);
});

test("records reading of people's questions once a minute per filter, across instances", async () => {
  const [here, there] = [open(), open()];
  const by = (name: string, request_id: string) => ({ name, request_id });
  const fish = { search: 'fish', lang: undefined, corpus_id: 'krk_2026' };
  await here.read(by('olga', 'r1'), 'queries', fish);
  await here.read(by('olga', 'r2'), 'stats', {});
  await there.read(by('olga', 'r3'), 'queries', { corpus_id: 'krk_2026', search: 'fish' });
  await there.read(by('aidar', 'r4'), 'queries', fish);
  await there.read(by('olga', 'r5'), 'queries', { search: 'tide' });
  clock.ms += 60_000;
  await here.read(by('olga', 'r6'), 'stats', {});
  const readEntry = (name: string, what: string, filter: object) => ({
    name,
    what,
    filter,
    at: expect.any(String),
  });
  const narrowed = { corpus_id: 'krk_2026', search: 'fish' };
  expect((await events()).map((event) => [event.actor, event.correlation_id, event.data])).toEqual([
    ['admin:olga', 'r1', readEntry('olga', 'queries', narrowed)],
    ['admin:olga', 'r2', readEntry('olga', 'stats', {})],
    ['admin:aidar', 'r4', readEntry('aidar', 'queries', narrowed)],
    ['admin:olga', 'r5', readEntry('olga', 'queries', { search: 'tide' })],
    ['admin:olga', 'r6', readEntry('olga', 'stats', {})],
  ]);
  down = true;
  await expect(here.read(by('new', 'r7'), 'queries', {})).rejects.toMatchObject({ code: 'unavailable' });
});
