/** Waiting for read models that are far behind or have stopped, and for an unavailable store. */
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

  test('may take any time as long as they advance', async () => {
    const done = catchingUp.searchable();
    for (const position of ['0000000000000001', '0000000000000002', '0000000000000005', head]) {
      await vi.advanceTimersByTimeAsync(minutes(9));
      progress.committed('chunks', position, []);
    }
    await done;
  });

  test('that have not advanced for ten minutes count as stopped', async () => {
    const done = expect(catchingUp.searchable()).rejects.toEqual(timeout);
    await vi.advanceTimersByTimeAsync(minutes(9));
    progress.committed('chunks', '0000000000000001', []);
    await vi.advanceTimersByTimeAsync(minutes(21));
    await done;
  });

  test('are awaited for the requested time, and the graph only by callers that need it', async () => {
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

  test('that stays unavailable is awaited for less time than read models in progress', async () => {
    const { progress, catchingUp } = open(() => Promise.reject(away));
    await expect(catchingUp.all()).rejects.toBe(away);
    progress.committed('chunks', head, []);
    await catchingUp.searchable();
    await expect(catchingUp.all()).rejects.toBe(away);
  });

  test('that returns in time is awaited, and then its missing events', async () => {
    let tries = 0;
    const { progress, catchingUp } = open(async () => {
      if (++tries < 2) throw away;
      for (const { name } of projections) progress.committed(name, head, []);
    }, 60_000);
    await catchingUp.all();
    expect(tries).toBe(2);
  });
});
