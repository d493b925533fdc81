import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CorpusSettings } from '../../src/domain/events.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { newFacts } from '../support/revision.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const cause = { actor: 'admin:ada', correlation_id: '0198c0de-0000-7000-8000-000000000001' };
const clock = { now: () => new Date('2026-02-03T04:05:06.789Z') };
const settings: CorpusSettings = { title: 'C', description: null, languages: ['en'], styles: [], layers: [] };
const set = (corpus_id: string) => ({ type: 'SetCorpus', corpus_id, settings }) as const;
const register = (...keys: string[]) =>
  ({
    type: 'RegisterDocuments',
    corpus_id: 'c',
    documents: keys.map((doc_key) => ({ doc_key, root: null })),
  }) as const;

let log: EventLog;
let commands: Commands;
beforeEach(() => {
  log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  commands = new Commands(log, clock);
});

/** The log, with an action before each append. */
function meeting(act: (n: number) => Promise<void>): EventLog {
  let n = 0;
  return new Proxy(log, {
    get: (target, name) => {
      if (name !== 'append') return Reflect.get(target, name).bind(target);
      return async (...args: Parameters<EventLog['append']>) => {
        await act(++n);
        return target.append(...args);
      };
    },
  });
}

describe('a command', () => {
  it('appends the events it decides on, with their cause and time', async () => {
    const done = await commands.catalog.execute(set('c'), { ...cause, causation_id: 'e1' });
    expect(done.position).toBe(await log.head());
    expect(await log.readStream('catalog')).toMatchObject([
      {
        type: 'CorpusRegistered',
        version: 1,
        time: '2026-02-03T04:05:06.789Z',
        actor: 'admin:ada',
        correlation_id: cause.correlation_id,
        causation_id: 'e1',
        data: { corpus_id: 'c', settings },
      },
    ]);
  });

  it('without an effect appends nothing', async () => {
    await commands.catalog.execute(set('c'), cause);
    const again = await commands.catalog.execute(set('c'), cause);
    expect(again).toMatchObject({ events: [], position: null });
    expect(await log.readStream('catalog')).toHaveLength(1);
  });

  it('sees the events of earlier commands in its list, and all or none of them take effect', async () => {
    await commands.catalog.execute([set('c'), register('a', 'b'), register('b', 'd')], cause);
    expect((await log.readStream('catalog')).map((e) => e.type)).toEqual([
      'CorpusRegistered',
      'DocumentRegistered',
      'DocumentRegistered',
      'DocumentRegistered',
    ]);
    await expect(commands.catalog.execute([register('e'), set('/')], cause)).rejects.toEqual(
      failure('invalid'),
    );
    expect(await log.readStream('catalog')).toHaveLength(4);
    expect(commands.catalog.state.documents.get('c')?.has('e')).toBe(false);
  });

  it('decides again after each lost round, and fails after a hundred', async () => {
    await commands.catalog.execute(set('c'), cause);
    const rival = new Commands(log, clock);
    const meets = (rivals: number) =>
      new Commands(
        meeting(async (n) => {
          if (n <= rivals) await rival.catalog.execute(register(`rival-${rivals}-${n}`), cause);
        }),
        clock,
      );
    const { state } = await meets(99).catalog.execute(register('mine'), cause);
    expect(state.documents.get('c')?.get('mine')?.doc_id).toBe(100);
    await expect(meets(100).catalog.execute(register('late'), cause)).rejects.toEqual(failure('conflict'));
    expect(await log.readStream('catalog')).toHaveLength(201);
  });

  it('that could not be appended leaves the state equal to the history', async () => {
    let away = true;
    const shaky = new Commands(
      meeting(async () => {
        if (away) throw new Failure('unavailable', 'away');
      }),
      clock,
    );
    await expect(shaky.catalog.execute([set('c'), register('a')], cause)).rejects.toEqual(
      failure('unavailable'),
    );
    expect(shaky.catalog.state.corpora.size).toBe(0);
    away = false;
    const { events } = await shaky.catalog.execute([set('c'), register('a')], cause);
    expect(events).toHaveLength(2);
  });

  it('waits for its turn among those on the same aggregate', async () => {
    await commands.catalog.execute(set('c'), cause);
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => commands.catalog.execute(register(`d${i}`), cause)),
    );
    const ids = [...commands.catalog.state.documents.get('c')!.values()].map((d) => d.doc_id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('applies each event once, even if the state is loaded meanwhile', async () => {
    const watched = new Proxy(log, {
      get: (target, name) => {
        if (name !== 'append') return Reflect.get(target, name).bind(target);
        return async (...args: Parameters<EventLog['append']>) => {
          const appended = await target.append(...args);
          await document.load();
          return appended;
        };
      },
    });
    const document = new Commands(watched, clock).document(1);
    await document.execute(
      { type: 'StartRevision', facts: newFacts(), root: null, path: null, input_hash: null },
      cause,
    );
    await document.execute({ type: 'AddChunks', revision: 1, batch: { text: 'Text.', chunks: [] } }, cause);
    expect(document.state.open?.length).toBe('Text.'.length);
  });

  it('on a state assumed to be current reads only after a conflict', async () => {
    let reads = 0;
    const counting = new Proxy(log, {
      get: (target, name) => {
        if (name === 'readStream') reads++;
        return Reflect.get(target, name).bind(target);
      },
    });
    const ask = new Commands(counting, clock).catalog;
    await ask.execute(set('c'), cause, { assumeCurrent: true });
    expect(reads).toBe(0);
    await commands.catalog.execute(register('a'), cause);
    await ask.execute(register('b'), cause, { assumeCurrent: true });
    expect(reads).toBe(1);
    expect(ask.state.documents.get('c')?.get('b')?.doc_id).toBe(2);
  });
});

describe('a fresh state', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is read again once the last read is older than its limit', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const other = new Commands(log, clock);
    expect((await commands.catalog.fresh(500)).corpora.size).toBe(0);
    await other.catalog.execute(set('c'), cause);
    vi.advanceTimersByTime(499);
    expect((await commands.catalog.fresh(500)).corpora.size).toBe(0);
    vi.advanceTimersByTime(1);
    expect((await commands.catalog.fresh(500)).corpora.size).toBe(1);
  });

  it('is shared by callers that arrive while it is read', async () => {
    await new Commands(log, clock).catalog.execute(set('c'), cause);
    const both = await Promise.all([commands.catalog.fresh(500), commands.catalog.fresh(500)]);
    expect(both.map(({ corpora }) => corpora.size)).toEqual([1, 1]);
  });

  it('of the system prompt shows a change by another process after a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { version } = await commands.prompt();
    await new Commands(log, clock).settings.execute(
      {
        type: 'ChangeSystemPrompt',
        content: 'Be brief.',
        changed_by: 'ada',
        changed_at: '2026-02-03T04:05:06.789Z',
      },
      cause,
    );
    expect((await commands.prompt()).version).toBe(version);
    vi.advanceTimersByTime(1_000);
    expect((await commands.prompt()).content).toBe('Be brief.');
  });
});
