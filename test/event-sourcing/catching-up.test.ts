/** Waiting for read models that have far to go, for those that have stopped, and for a store that is away. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProjectionProgress } from '../../projections/progress.ts';
import { CatchingUp } from '../../src/event-sourcing/catching-up.ts';
import { Failure } from '../../src/failures.ts';

const head = '0000000000000009';
const log = { head: async () => head };
const projections = [{ name: 'chunks' }, { name: 'graph', late: true }];

function open(readModels: () => Promise<unknown> = async () => {}, awayMs = 0) {
  const progress = new ProjectionProgress();
  return { progress, catchingUp: new CatchingUp({ log, progress, projections, readModels, awayMs }) };
}

describe('read models', () => {
  const minutes = (n: number) => n * 60_000;
  const timeout = expect.objectContaining({ name: 'Failure', code: 'timeout' });
  let { progress, catchingUp } = open();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    ({ progress, catchingUp } = open());
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('may take any time as long as they move', async () => {
    const done = catchingUp.searchable();
    for (const position of ['0000000000000001', '0000000000000002', '0000000000000005', head]) {
      await vi.advanceTimersByTimeAsync(minutes(9));
      progress.committed('chunks', position, []);
    }
    await done;
  });

  test('that have not moved for ten minutes have stopped', async () => {
    const done = expect(catchingUp.searchable()).rejects.toEqual(timeout);
    await vi.advanceTimersByTimeAsync(minutes(9));
    progress.committed('chunks', '0000000000000001', []);
    await vi.advanceTimersByTimeAsync(minutes(21));
    await done;
  });

  test('are waited for as long as is wanted, and the graph by those alone who want it', async () => {
    progress.committed('chunks', head, []);
    await catchingUp.searchable();
    const done = expect(catchingUp.all(1_000)).rejects.toEqual(timeout);
    await vi.advanceTimersByTimeAsync(500);
    progress.committed('graph', '0000000000000005', []);
    await vi.advanceTimersByTimeAsync(500);
    await done;
  });
});

describe('a store', () => {
  const away = new Failure('unavailable', 'The store is away.');

  test('that stays away is not waited for as long as read models that are made', async () => {
    const { progress, catchingUp } = open(() => Promise.reject(away));
    await expect(catchingUp.all()).rejects.toBe(away);
    progress.committed('chunks', head, []);
    await catchingUp.searchable();
    await expect(catchingUp.all()).rejects.toBe(away);
  });

  test('that comes back in time is waited for, and then what it lacks', async () => {
    let tries = 0;
    const { progress, catchingUp } = open(async () => {
      if (++tries < 2) throw away;
      for (const { name } of projections) progress.committed(name, head, []);
    }, 60_000);
    await catchingUp.all();
    expect(tries).toBe(2);
  });
});
