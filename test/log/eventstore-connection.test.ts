/** Faults that EventStoreLog must survive, injected by the double. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStoreConnection } from '../../src/log/eventstore/connection.ts';
import { EventStoreLog, type EventStoreOptions } from '../../src/log/eventstore/log.ts';
import type { EventLog, StoredEvent } from '../../src/ports/event-log.ts';
import { note, notes } from '../support/events.ts';
import { type AppendFault, EventStoreDouble } from '../support/eventstore-double.ts';
import { eventually } from '../support/eventually.ts';
import { follow, take } from './event-log.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const ids = (events: readonly { id: string }[]) => events.map((e) => e.id);

let double: EventStoreDouble;
let log: EventLog;
const opened: EventLog[] = [];

/** Enough time for any call on a busy machine. */
const patient = { callTimeoutMs: 60_000, giveUpMs: 60_000, watchdogMs: 50 };
/** Retries soon if nothing arrives. */
const quick = { callTimeoutMs: 500 };

function open(options: Partial<EventStoreOptions> = {}): EventLog {
  const other = EventStoreLog.open({ url: double.url, namespace: 'docent', ...patient, ...options });
  opened.push(other);
  return other;
}

beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = open();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((l) => l.close()));
  await double.stop();
});

/** The events of this deployment on the server. */
const stored = () => double.memory.all.filter((e) => e.stream.startsWith('docent.'));

describe('an append', () => {
  it('is a separate call, under the name of the deployment', async () => {
    await log.append('ask-1', -1, notes(2));
    expect(double.calls).toMatchObject({ append: 1, batchAppend: 0 });
    expect(stored().map((e) => e.stream)).toEqual(['docent.ask-1', 'docent.ask-1']);
  });

  it("names its context so that the server's tools recognise it", async () => {
    const event = { ...note(), causation_id: '0198c0de-0000-7000-8000-000000000001' };
    await log.append('a', -1, [event]);
    expect(JSON.parse(Buffer.from(stored()[0]!.metadata).toString())).toEqual({
      version: 1,
      time: event.time,
      actor: event.actor,
      $correlationId: event.correlation_id,
      $causationId: event.causation_id,
    });
    expect(stored()[0]).toMatchObject({ id: event.id, type: event.type, contentType: 'application/json' });
  });

  it.each(['hang', 'drop', 'busy', 'lost', 'late', 'end', 'busy, drop, lost, hang'])(
    'is written once and acknowledged despite: %s',
    async (faults) => {
      log = open(quick);
      await log.append('a', -1, notes(1));
      double.failNext(...(faults.split(', ') as AppendFault[]));
      const events = notes(2);
      const appended = await log.append('a', 0, events);
      double.release();
      expect(ids(stored()).slice(1)).toEqual(ids(events));
      expect(appended).toEqual({ revision: 2, position: await log.head() });
    },
  );

  it('is acknowledged after a lost reply even if others have appended since', async () => {
    log = open(quick);
    double.failNext('late');
    const events = notes(1);
    const pending = log.append('a', -1, events);
    const follow = open();
    await take(follow, null, 1);
    await follow.append('a', 0, notes(1));
    expect(await pending).toMatchObject({ revision: 0 });
    expect(stored()).toHaveLength(2);
  });

  it('gets the right reply when several arrive in another order', async () => {
    for (let i = 0; i < 8; i++) await log.append(`ask-${i}`, -1, notes(i + 1));
    double.failNext(...Array.from({ length: 8 }, () => 'late' as const));
    const pending = Array.from({ length: 8 }, (_, i) => log.append(`ask-${i}`, i, notes(1)));
    await eventually(() => expect(double.late).toBe(8));
    double.release({ reversed: true });
    for (const [i, appended] of (await Promise.all(pending)).entries())
      expect(appended).toMatchObject({ revision: i + 1 });
    expect(double.calls.append).toBe(16);
  });

  it('reports a concurrent append as a conflict immediately', async () => {
    await log.append('a', -1, notes(1));
    double.failNext('rival');
    await expect(log.append('a', 0, notes(1))).rejects.toEqual(failure('conflict'));
    expect(double.calls.append).toBe(2);
    expect(stored()).toHaveLength(2);
  });

  it('is not repeated if the server rejects the credentials', async () => {
    double.failNext('denied');
    await expect(log.append('a', -1, notes(1))).rejects.toEqual(failure('internal'));
    expect(double.calls.append).toBe(1);
    expect(stored()).toEqual([]);
  });

  it('is written once even if many are in flight and the connection keeps dropping', async () => {
    let cuts = 0;
    double.memory.onAppend = (count) => {
      if (count % 40 === 20 && cuts++ < 4) double.wire.cut();
    };
    const streams = Array.from({ length: 32 }, (_, i) => `ask-${i}`);
    const events = new Map(streams.map((s) => [s, notes(5)]));
    await Promise.all(
      streams.map(async (stream) => {
        for (const [i, event] of events.get(stream)!.entries()) {
          expect(await log.append(stream, i - 1, [event])).toMatchObject({ revision: i });
        }
      }),
    );
    expect(cuts).toBe(4);
    expect(stored()).toHaveLength(160);
    for (const stream of streams) expect(ids(await log.readStream(stream))).toEqual(ids(events.get(stream)!));
  });

  it('waits out a short outage, and fails after a long one without affecting the next append', async () => {
    await log.append('a', -1, notes(1));
    await double.wire.close();
    const pending = log.append('a', 0, notes(1));
    await double.wire.open();
    expect(await pending).toMatchObject({ revision: 1 });
    await double.wire.close();
    const hasty = open({ giveUpMs: 1_000 });
    await expect(hasty.append('a', 1, notes(1))).rejects.toEqual(failure('unavailable'));
    await double.wire.open();
    expect(await hasty.append('a', 1, notes(1))).toMatchObject({ revision: 2 });
  });

  it('fails if the server accepts connections and never replies, and works again once it does', async () => {
    const hasty = open({ ...quick, giveUpMs: 3_000 });
    await hasty.append('a', -1, notes(1));
    double.wire.freeze();
    const pending = Array.from({ length: 8 }, (_, i) => hasty.append(`b-${i}`, -1, notes(1)));
    for (const outcome of await Promise.allSettled([...pending, hasty.head(), hasty.readStream('a')])) {
      expect(outcome).toEqual({ status: 'rejected', reason: failure('unavailable') });
    }
    double.wire.thaw();
    expect(await hasty.append('a', 0, notes(1))).toMatchObject({ revision: 1 });
  });

  it('is independent of a wrong clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
    try {
      await log.append('a', -1, notes(1));
      vi.setSystemTime(Date.now() + 2 * 86_400_000);
      expect(await log.append('a', 0, notes(1))).toMatchObject({ revision: 1 });
      expect(await log.readStream('a')).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not affected by errors on another connection', async () => {
    double.failNext('late');
    const pending = log.append('a', -1, notes(1));
    const other = open({ giveUpMs: 300 });
    double.failNext('busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy');
    await other.append('b', -1, notes(1)).catch(() => {});
    double.release();
    expect(await pending).toMatchObject({ revision: 0 });
  });
});

describe('reading', () => {
  it('skips foreign events, and scans them once', async () => {
    const other = open({ namespace: 'docent2' });
    await other.append('a', -1, notes(700));
    expect(await log.head()).toBe(null);
    expect(await log.readAll(null, 10)).toEqual([]);
    const events = notes(3);
    await log.append('a', -1, events);
    await other.append('a', 699, notes(700));
    const all = await log.readAll(null, 10);
    expect(ids(all)).toEqual(ids(events));
    const last = all.at(-1)!.position;
    expect(await log.readAll(last, 10)).toEqual([]);
    const calls = double.calls.read;
    expect(await log.readAll(last, 10)).toEqual([]);
    expect(await log.head()).toBe(last);
    expect(double.calls.read).toBe(calls + 2);
    await other.append('a', 1399, notes(1));
    await log.append(
      'b',
      -1,
      events.map((e) => ({ ...e, id: crypto.randomUUID() })),
    );
    expect(await log.readAll(last, 10)).toHaveLength(3);
    expect(await take(log, null, 6)).toHaveLength(6);
  });

  const reads = [
    ['lets the server skip foreign events', false],
    ['skips foreign events itself if the server takes too long', true],
  ] as const;
  it.each(reads)('%s', async (_, looksForLong) => {
    const other = open({ namespace: 'docent2' });
    const events = notes(3);
    await other.append('a', -1, notes(1_200));
    await log.append('a', -1, events);
    await other.append('a', 1_199, notes(1_200));
    double.looksForLong = looksForLong;
    const fresh = () => open(looksForLong ? { lookMs: 50 } : {});
    const calls = double.calls.read;
    const [last] = (await fresh().readStoredBefore(null, 1)) as [StoredEvent];
    expect(last.id).toBe(events[2]!.id);
    expect(await fresh().head()).toBe(last.position);
    const reader = fresh();
    expect(ids(await reader.readAll(null, 2))).toEqual(ids(events.slice(0, 2)));
    const [second] = (await reader.readStored(null, 2)).slice(1) as [StoredEvent];
    expect(ids(await reader.readAll(second.position, 2))).toEqual(ids(events.slice(2)));
    expect(await reader.readAll(last.position, 2)).toEqual([]);
    if (!looksForLong) expect(double.calls.read - calls).toBeLessThan(12);
  });

  it('rejects events that other programs wrote under its stream names', async () => {
    const connection = new EventStoreConnection({ url: double.url });
    await connection.append('docent.a', -1, [
      { id: crypto.randomUUID(), type: 'CorpusActivated', data: '{}', metadata: '{}' },
    ]);
    await connection.close();
    await expect(log.readStream('a')).rejects.toEqual(failure('newer_format'));
  });

  it('leaves no call open', async () => {
    await log.append('a', -1, notes(500));
    await log.readAll(null, 3);
    await log.head();
    await take(log, null, 3);
    await double.quiet();
  });
});

describe('a subscription', () => {
  it.each([
    ['is cut off', () => double.wire.cut()],
    ['ends without an error', () => double.endSubscriptions()],
    ['is dropped as too slow', () => double.dropSubscriptions()],
    ['falls silent', () => double.silenceSubscriptions()],
  ])('continues from its position if it %s', async (_, fault) => {
    const events = notes(6);
    await log.append('a', -1, events.slice(0, 2));
    const follower = follow(log);
    await follower.until(2);
    for (const i of [2, 4]) {
      fault();
      await log.append('a', i - 1, events.slice(i, i + 2));
      await follower.until(i + 2);
    }
    expect(await follower.until(6)).toEqual(ids(events));
    await follower.stop();
    await double.quiet();
    expect(double.calls.subscribe).toBeGreaterThan(2);
  });

  it('delivers nothing twice', async () => {
    const events = notes(6);
    await log.append('a', -1, events.slice(0, 3));
    const follower = follow(log);
    await follower.until(3);
    double.repeatLast(3);
    await log.append('a', 2, events.slice(3));
    double.repeatLast(6);
    await log.append('b', -1, notes(1));
    expect((await follower.until(7)).slice(0, 6)).toEqual(ids(events));
    expect(follower.seen).toHaveLength(7);
    await follower.stop();
  });

  it('stays open while there are no new events', async () => {
    await log.append('a', -1, notes(1));
    const follower = follow(log);
    await follower.until(1);
    const reads = double.calls.read;
    await eventually(() => expect(double.calls.read).toBeGreaterThan(reads + 3));
    expect(double.calls.subscribe).toBe(1);
    await follower.stop();
  });

  it('waits for a server that is unavailable at the start', async () => {
    await double.wire.close();
    const follower = follow(log);
    await double.wire.open();
    const events = notes(2);
    await log.append('a', -1, events);
    expect(await follower.until(2)).toEqual(ids(events));
    await follower.stop();
  });

  it('reads from the server no faster than its reader consumes, and loses nothing', async () => {
    const events = notes(3000);
    for (let i = 0; i < 3000; i += 1000) await log.append(`a-${i}`, -1, events.slice(i, i + 1000));
    const batches: number[] = [];
    const taken = await take(log, null, 3000, (batch) => void batches.push(batch.length));
    expect(ids(taken)).toEqual(ids(events));
    expect(Math.max(...batches)).toBeLessThanOrEqual(2000);
  });

  it('ends when the log is closed', async () => {
    await log.append('a', -1, notes(1));
    const follower = follow(log);
    await follower.until(1);
    await log.close();
    await follower.stop();
    await double.quiet();
  });
});

describe('connecting', () => {
  it.each(['', 'http://127.0.0.1:2113', 'esdb://', 'esdb://admin:se:cret@127.0.0.1:port'])(
    'rejects the connection string "%s" without repeating it',
    (url) => {
      const opening = () => EventStoreLog.open({ url, namespace: 'docent' });
      expect(opening).toThrow(failure('invalid'));
      expect(opening).toThrow(expect.not.objectContaining({ message: expect.stringContaining('cret') }));
    },
  );

  it('leaves no connection open', async () => {
    await log.append('a', -1, notes(1));
    await take(log, null, 1);
    await log.close();
    await double.wire.quiet();
  });

  it('finds the node to use, and finds it again after an outage of all nodes', async () => {
    const found = open({ url: double.discoverUrl, giveUpMs: 300 });
    await found.append('a', -1, notes(1));
    await double.wire.close();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => found.append('a', 0, notes(1))),
    );
    expect(outcomes.every((o) => o.status === 'rejected')).toBe(true);
    await double.wire.open();
    expect(await found.append('a', 0, notes(1))).toMatchObject({ revision: 1 });
    expect(await found.readStream('a')).toHaveLength(2);
    expect(double.calls.gossip).toBeGreaterThanOrEqual(2);
  });

  it('sends nothing for a caller that timed out before the node was found', async () => {
    double.wire.freeze();
    const hasty = open({ url: double.discoverUrl, callTimeoutMs: 30, giveUpMs: 50 });
    await expect(hasty.append('a', -1, notes(1))).rejects.toEqual(failure('unavailable'));
    double.wire.thaw();
    await eventually(() => expect(double.calls.gossip).toBeGreaterThan(0));
    await double.wire.quiet();
    expect(double.calls.append).toBe(0);
    expect(await log.append('a', -1, notes(1))).toMatchObject({ revision: 0 });
  });

  it('accepts a list of nodes, some of which are unavailable', async () => {
    const of = open({
      url: `esdb://127.0.0.1:1,127.0.0.1:${double.wire.port}?tls=false&discoveryInterval=10`,
    });
    await of.append('a', -1, notes(1));
    expect(await of.readStream('a')).toHaveLength(1);
  });

  it('uses TLS with the name and password of the connection string, and only with a trusted server', async () => {
    const file = (name: string) =>
      fileURLToPath(new URL(`../support/tls/loopback-${name}.pem`, import.meta.url));
    const pair = { private_key: await readFile(file('key')), cert_chain: await readFile(file('cert')) };
    const secure = await EventStoreDouble.start(ServerCredentials.createSsl(null, [pair]));
    const authority = `admin:changeit@localhost:${secure.wire.port}`;
    const trusting = open({
      url: `esdb://${authority}?tls=true&tlsCAFile=${encodeURIComponent(file('cert'))}`,
    });
    await trusting.append('a', -1, notes(1));
    expect(await trusting.readStream('a')).toHaveLength(1);
    const basic = `Basic ${Buffer.from('admin:changeit').toString('base64')}`;
    expect(secure.authorizations).toEqual([basic, basic]);
    const doubting = open({ url: `esdb://${authority}?tls=true`, giveUpMs: 200 });
    await expect(doubting.head()).rejects.toEqual(failure('unavailable'));
    await secure.stop();
  });
});
