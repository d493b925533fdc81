import { afterEach, beforeEach, expect, test } from 'vitest';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { Retention } from '../../src/operations/retention.ts';
import type { Destroyed, SubjectKeys } from '../../src/ports/subject-keys.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { keysInMemory } from '../support/memory-keys.ts';

const clock = new ManualClock();
const at = (time: string) => {
  clock.ms = Date.parse(time);
};
let log: EmbeddedLog;
let commands: Commands;
let keys: SubjectKeys;
let held: boolean;
beforeEach(() => {
  at('2026-03-01T10:00:00Z');
  log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  commands = new Commands(log, clock);
  keys = keysInMemory();
  held = false;
});
afterEach(() => log.close());

const retention = (over: Partial<ConstructorParameters<typeof Retention>[0]> = {}) =>
  new Retention({
    days: 30,
    keys,
    log,
    commands,
    clock,
    onTrouble: () => {},
    leases: { take: async () => !held, release: async () => {} },
    ...over,
  });
const said = async (day: string): Promise<string> => {
  const time = clock.ms;
  at(`${day}T12:00:00Z`);
  await commands.record(`day-${day}`, -1, [{ type: 'KeysLost', data: { lost_at: day } }], {
    actor: 'system',
    correlation_id: day,
  });
  clock.ms = time;
  return (await keys.take([{ subject: 's', day }]))[0]!.id;
};
const recorded = async () => (await log.readStream('retention')).map(({ data }) => data);

test('text is forgotten after the given number of whole days, and recorded once a day', async () => {
  const ids = [await said('2026-03-01'), await said('2026-03-02')];
  for (const time of ['2026-03-31T23:59:59Z', '2026-03-01T10:00:00Z']) {
    at(time);
    await retention().expire();
    expect(await recorded()).toEqual([]);
  }
  expect(await keys.find(ids)).not.toContain(null);
  at('2026-04-01T00:00:00Z');
  await retention().expire();
  await retention().expire();
  const first = { before: '2026-03-02', keys_destroyed: 1, expired_at: '2026-04-01T00:00:00.000Z' };
  expect(await recorded()).toEqual([first]);
  expect(await keys.find(ids)).toEqual([null, expect.anything()]);
  // A clock that was set back makes nothing expire early, and nothing is recorded for an earlier day.
  at('2026-03-31T10:00:00Z');
  await retention().expire();
  expect(await recorded()).toEqual([first]);
  at('2026-04-02T10:00:00Z');
  await retention().expire();
  expect(await recorded()).toMatchObject([first, { before: '2026-03-03', keys_destroyed: 1 }]);
  expect(await keys.find(ids)).toEqual([null, null]);
});

test('the next process records a deletion that a process did not record', async () => {
  await said('2026-03-01');
  at('2026-04-02T10:00:00Z');
  const failing = {
    destroy: async (which: Destroyed) => {
      await keys.destroy(which);
      throw new Failure('unavailable', 'The process ends here.');
    },
  };
  await expect(retention({ keys: failing }).expire()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await recorded()).toEqual([]);
  await retention().expire();
  expect(await recorded()).toMatchObject([{ before: '2026-03-03', keys_destroyed: 0 }]);
});

test('one instance at a time deletes, and several record it once', async () => {
  const [id] = [await said('2026-03-01')];
  at('2026-04-02T10:00:00Z');
  held = true;
  await retention().expire();
  expect(await keys.find([id])).not.toContain(null);
  held = false;
  await Promise.all([retention().expire(), retention().expire(), retention().expire()]);
  expect(await recorded()).toMatchObject([{ before: '2026-03-03' }]);
});
