import { expect, test } from 'vitest';
import { ProjectionProgress } from '../../projections/progress.ts';
import { CatchingUp } from '../../src/event-sourcing/catching-up.ts';
import { Failure } from '../../src/failures.ts';

const away = new Failure('unavailable', 'The store is away.');
const log = { head: async () => '0000000000000007' };
const projections = [{ name: 'chunks' }, { name: 'graph', late: true }];

function open(readModels: () => Promise<unknown>, awayMs: number) {
  const progress = new ProjectionProgress();
  return { progress, catchingUp: new CatchingUp({ log, progress, projections, readModels, awayMs }) };
}

test('a store that stays away is not waited for as long as read models that are made', async () => {
  const { progress, catchingUp } = open(() => Promise.reject(away), 0);
  await expect(catchingUp.all()).rejects.toBe(away);
  progress.committed('chunks', '0000000000000007', []);
  await catchingUp.searchable();
  await expect(catchingUp.all()).rejects.toBe(away);
});

test('one that comes back in time is, and then what it lacks', async () => {
  let tries = 0;
  const { progress, catchingUp } = open(async () => {
    if (++tries < 2) throw away;
    for (const { name } of projections) progress.committed(name, '0000000000000007', []);
  }, 60_000);
  await catchingUp.all();
  expect(tries).toBe(2);
});
