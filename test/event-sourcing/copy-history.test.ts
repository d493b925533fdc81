import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CopyProgress, copyHistory } from '../../src/event-sourcing/copy-history.ts';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog, StoredEvent } from '../../src/ports/event-log.ts';
import { eventOf, note, notes } from '../support/events.ts';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { withEventStore } from '../support/servers.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function embedded(): Promise<EventLog> {
  const dir = await mkdtemp(join(tmpdir(), 'docent-copy-'));
  const log = new EmbeddedLog(directLog(new LogStore(join(dir, 'history.sqlite'))));
  opened.push({ close: () => rm(dir, { recursive: true }) }, log);
  return log;
}

async function onServer(url: string): Promise<EventLog> {
  const log = EventStoreLog.open({ url, namespace: `copy-${randomUUID()}` });
  opened.push(log);
  return log;
}

async function all(log: EventLog): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.readStored(events.at(-1)?.position ?? null, 1000);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Everything except the position, with the bytes as text. */
const withoutPosition = (events: readonly StoredEvent[]) =>
  events.map(({ position: _, data, metadata, ...event }) => ({
    ...event,
    data: Buffer.from(data).toString(),
    metadata: Buffer.from(metadata).toString(),
  }));

/** A long stream, many short ones between its parts, and events of the maximum size. */
async function fill(log: EventLog): Promise<void> {
  await log.append('catalog', -1, notes(450));
  for (let i = 0; i < 10; i++) {
    await log.append(`ask-${i}`, -1, [{ ...note('asked'), actor: 'key:7', causation_id: randomUUID() }]);
    await log.append('catalog', 449 + i, notes(1));
    await log.append(`ask-${i}`, 0, [
      eventOf('AnswerFailed', {
        request_id: String(i),
        corpus_id: 'c',
        channel: 'http',
        lang: 'kk',
        style: null,
        key_id: null,
        subject: 's',
        asked_at: '2026-01-01T00:00:00.000Z',
        latency_ms: 0.1 + 0.2,
        code: 'timeout',
        retryable: true,
      }),
    ]);
  }
  for (let i = 0; i < 2; i++) await log.append('document-1', i - 1, [note('Ұзақ мәтін '.repeat(20_000))]);
  // An event as another version of the program may have written it, with another field order and an unknown type.
  await log.appendStored('later', -1, [
    {
      id: randomUUID(),
      type: 'CorpusPainted',
      data: Buffer.from('{"b": 1.0, "a": 12345678901234567890}'),
      metadata: Buffer.from('{"version": 7, "actor": "system"}'),
    },
  ]);
}

function copies(name: string, pair: () => Promise<[EventLog, EventLog]>): void {
  it(`copies and verifies ${name}`, async () => {
    const [from, to] = await pair();
    await fill(from);
    const progress: CopyProgress[] = [];
    const report = await copyHistory(from, to, { onProgress: (p) => progress.push(p) });
    expect(report).toEqual({ events: 483, copied: 483, verified: true });
    expect(withoutPosition(await all(to))).toEqual(withoutPosition(await all(from)));
    expect(progress.at(-1)).toEqual({ phase: 'verify', events: 483 });
    expect(progress.filter((p) => p.phase === 'copy').at(-1)).toEqual({ phase: 'copy', events: 483 });
    expect(await copyHistory(from, to)).toEqual({ events: 483, copied: 0, verified: true });
  });

  it(`resumes after an interruption and adds later events, ${name}`, async () => {
    const [from, to] = await pair();
    await fill(from);
    const stop = new AbortController();
    const onProgress = ({ phase, events }: CopyProgress) => {
      if (phase === 'copy' && events > 460) stop.abort();
    };
    await expect(copyHistory(from, to, { onProgress, signal: stop.signal })).rejects.toEqual(
      failure('cancelled'),
    );
    const partly = (await all(to)).length;
    expect(partly).toBeGreaterThan(460);
    expect(partly).toBeLessThan(483);
    await from.append('catalog', 459, notes(2));
    expect(await copyHistory(from, to)).toEqual({ events: 485, copied: 485 - partly, verified: true });
    expect(withoutPosition(await all(to))).toEqual(withoutPosition(await all(from)));
  });
}

describe('copying a history', () => {
  let double: EventStoreDouble;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
  });
  afterAll(() => double.stop());

  copies('from embedded to embedded', async () => [await embedded(), await embedded()]);
  copies('from embedded to EventStoreDB, the double', async () => [
    await embedded(),
    await onServer(double.url),
  ]);
  copies('from EventStoreDB, the double, to embedded', async () => [
    await onServer(double.url),
    await embedded(),
  ]);

  it('copies nothing from an empty one', async () => {
    const report = await copyHistory(await embedded(), await embedded());
    expect(report).toEqual({ events: 0, copied: 0, verified: true });
  });

  it('rejects a target with different or additional events', async () => {
    const [from, other, longer] = [await embedded(), await embedded(), await embedded()];
    await from.append('a', -1, notes(2));
    await other.append('a', -1, notes(1));
    await expect(copyHistory(from, other)).rejects.toEqual(failure('conflict'));
    expect(await all(other)).toHaveLength(1);
    await copyHistory(from, longer, { verify: false });
    await longer.append('a', 1, notes(1));
    await expect(copyHistory(from, longer)).rejects.toEqual(failure('conflict'));
  });

  it('detects a copy whose content was changed under the same ids', async () => {
    const [from, to] = [await embedded(), await embedded()];
    const event = note('as it was');
    await from.append('a', -1, [event]);
    await to.append('a', -1, [{ ...event, data: { corpus_id: 'as it is' } }]);
    await expect(copyHistory(from, to)).rejects.toEqual(failure('conflict'));
  });
});

withEventStore('copying a history, a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  copies('from embedded to a real server', async () => [await embedded(), await onServer(server.url)]);
  copies('from a real server to embedded', async () => [await onServer(server.url), await embedded()]);
});
