/** The same log over a real server that is killed, frozen and restarted, with its events on disk. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import type { EventLog, NewEvent } from '../../src/ports/event-log.ts';
import { notes } from '../support/events.ts';
import { type OwnServer, startEventStore } from '../support/own-server.ts';
import { withOwnEventStore } from '../support/servers.ts';
import { follow } from './event-log.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const ids = (events: readonly { id: string }[]) => events.map((e) => e.id);

withOwnEventStore('a real EventStoreDB, killed and frozen', () => {
  let server: OwnServer;
  let log: EventLog;
  let namespaces = 0;
  const opened: EventLog[] = [];

  function open(options: { giveUpMs?: number; callTimeoutMs?: number } = {}): EventLog {
    const other = EventStoreLog.open({
      url: server.url,
      namespace: `test${namespaces}`,
      giveUpMs: 30_000,
      watchdogMs: 200,
      ...options,
    });
    opened.push(other);
    return other;
  }

  beforeAll(async () => {
    server = await startEventStore({ disk: true });
  });
  afterAll(async () => {
    await Promise.all(opened.map((l) => l.close()));
    await server.stop();
  });
  beforeEach(() => {
    namespaces++;
    log = open();
  });

  describe('a server killed with 32 appends in flight', () => {
    it('loses no acknowledged append, and writes each once', async () => {
      const hasty = open({ giveUpMs: 1_500 });
      const acknowledged: string[] = [];
      const unknown: string[] = [];
      let enough = () => {};
      const many = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const writers = Array.from({ length: 32 }, async (_, i) => {
        for (let revision = -1; ; revision++) {
          const [event] = notes(1) as [NewEvent];
          try {
            await hasty.append(`ask-${i}`, revision, [event]);
          } catch {
            unknown.push(event.id);
            return;
          }
          acknowledged.push(event.id);
          if (acknowledged.length === 500) enough();
        }
      });
      await many;
      await server.kill();
      await Promise.all(writers);
      expect(unknown).toHaveLength(32);
      await server.start();
      const stored: string[] = [];
      for (let i = 0; i < 32; i++) stored.push(...ids(await log.readStream(`ask-${i}`)));
      expect(new Set(stored).size).toBe(stored.length);
      const known = new Set(stored);
      expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
      const extra = new Set(stored.filter((id) => !acknowledged.includes(id)));
      expect([...extra].filter((id) => !unknown.includes(id))).toEqual([]);
    });

    it('acknowledges every append if callers may wait for it to come back', async () => {
      const events = Array.from({ length: 32 }, () => notes(20));
      let done = 0;
      let enough = () => {};
      const some = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const writers = events.map(async (list, i) => {
        for (const [n, event] of list.entries()) {
          expect(await log.append(`ask-${i}`, n - 1, [event])).toMatchObject({ revision: n });
          if (++done === 100) enough();
        }
      });
      await some;
      await server.kill();
      await server.start();
      await Promise.all(writers);
      for (const [i, list] of events.entries())
        expect(ids(await log.readStream(`ask-${i}`))).toEqual(ids(list));
    });
  });

  it('waits for a slow server, as with a bad disk, and writes each append once, in order', async () => {
    const patient = open({ callTimeoutMs: 400 });
    const events = Array.from({ length: 16 }, () => notes(10));
    let finished = false;
    // The server works for a moment, then stops for longer than a call waits.
    const stuttering = (async () => {
      for (let turn = 0; !finished; turn++) {
        server.freeze();
        await delay(turn % 4 === 3 ? 500 : 60);
        server.thaw();
        await delay(30);
      }
    })();
    await Promise.all(
      events.map(async (list, i) => {
        for (const [n, event] of list.entries())
          expect(await patient.append(`ask-${i}`, n - 1, [event])).toMatchObject({ revision: n });
      }),
    );
    finished = true;
    await stuttering;
    for (const [i, list] of events.entries())
      expect(ids(await log.readStream(`ask-${i}`))).toEqual(ids(list));
  });

  it('fails calls to a frozen server, uses it again when it continues, and writes each append once', async () => {
    const hasty = open({ giveUpMs: 600, callTimeoutMs: 300 });
    await hasty.append('a', -1, notes(1));
    const [late] = notes(1) as [NewEvent];
    server.freeze();
    await expect(hasty.append('a', 0, [late])).rejects.toEqual(failure('unavailable'));
    await expect(hasty.readStream('a')).rejects.toEqual(failure('unavailable'));
    await expect(hasty.head()).rejects.toEqual(failure('unavailable'));
    const patient = log.append('b', -1, notes(1));
    server.thaw();
    expect(await patient).toMatchObject({ revision: 0 });
    expect(await hasty.append('a', 0, [late])).toMatchObject({ revision: 1 });
    expect(await log.readStream('a')).toHaveLength(2);
  });

  it('a subscription survives a kill, a freeze and two restarts without loss or duplicates', async () => {
    const events = notes(40);
    const follower = follow(log);
    const write = async (from: number) => {
      for (let i = from; i < from + 10; i++) await log.append('a', i - 1, [events[i]!]);
      await follower.until(from + 10);
    };
    await write(0);
    await server.kill();
    await server.start();
    await write(10);
    server.freeze();
    const pending = write(20);
    server.thaw();
    await pending;
    await server.kill();
    await server.start();
    await write(30);
    await follower.stop();
    expect(ids(follower.seen)).toEqual(ids(events));
  });
});
