import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStoreConnection } from '../../src/log/eventstore/connection.ts';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import type { EventLog, RecordedEvent } from '../../src/ports/event-log.ts';
import { note } from '../support/events.ts';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { testNamespace, withEventStore } from '../support/servers.ts';
import { eventLogContract, type History } from './event-log.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

/** What the server rejects if the adapter does not. */
function limits(name: string, urlOf: () => string): void {
  it.each([
    ['more than one mebibyte in several events', [700_000, 400_000]],
    ['a message of 17 mebibytes', [17 * 1_048_576]],
  ])(`${name}: %s are too large for an append`, async (_, lengths) => {
    const connection = new EventStoreConnection({ url: urlOf() });
    const stream = `${testNamespace()}.a`;
    const events = lengths.map((length) => ({
      id: randomUUID(),
      type: 'T',
      data: JSON.stringify('x'.repeat(length)),
      metadata: '{}',
    }));
    await expect(connection.append(stream, -1, events)).rejects.toEqual(failure('too_large'));
    expect(await connection.readStream({ stream, from: 0, maxCount: 1 })).toMatchObject({ messages: [] });
    await connection.close();
  });
}

/** What a server administrator may do to streams. */
async function deletions(url: string): Promise<void> {
  const namespace = testNamespace();
  const log = EventStoreLog.open({ url, namespace });
  const client = EventStoreDBClient.connectionString(url);
  const stop = new AbortController();
  try {
    await log.append('a', -1, [note()]);
    const last = await log.append('b', -1, [note()]);
    await client.tombstoneStream(`${namespace}.b`, { expectedRevision: 0n });
    expect(await log.head()).toBe(last.position);
    expect((await log.readStoredBefore(null, 1)).map(({ stream }) => stream)).toEqual(['b']);
    const feed = log.subscribe(null, stop.signal);
    const seen: string[] = [];
    const see = async () => {
      const { value } = await feed.next();
      for (const { stream } of value as RecordedEvent[]) seen.push(stream);
    };
    while (seen.length < 2) await see();
    await log.append('c', -1, [note()]);
    await see();
    expect(seen).toEqual(['a', 'b', 'c']);
    expect((await log.readAll(null, 10)).map(({ stream }) => stream)).toEqual(seen);
    expect((await log.readAll(last.position, 10)).map(({ stream }) => stream)).toEqual(['c']);
    await expect(log.readStream('b')).rejects.toEqual(failure('internal'));
    await expect(log.append('b', 0, [note()])).rejects.toEqual(failure('internal'));
  } finally {
    stop.abort();
    await Promise.all([log.close(), client.dispose()]);
  }
}

/** Each namespace on the server contains a separate history. */
function history(url: string): History {
  const namespace = testNamespace();
  const logs: EventLog[] = [];
  return {
    open: async (codec) => {
      const log = EventStoreLog.open({ url, namespace, ...(codec && { codec }) });
      logs.push(log);
      return log;
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}

{
  let double: EventStoreDouble;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
  });
  afterAll(() => double.stop());
  eventLogContract('a double of EventStoreDB', async () => history(double.url));
  limits('a double of EventStoreDB', () => double.url);
}

withEventStore('a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  eventLogContract('a real EventStoreDB', async () => history(server.url));
  limits('a real EventStoreDB', () => server.url);
  it('permanently deleting a stream leaves no server events in the history', () => deletions(server.url));
});
