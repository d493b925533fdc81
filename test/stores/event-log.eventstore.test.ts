import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EventLog, RecordedEvent } from '../../src/ports/event-log.ts';
import { EventStoreLog } from '../../src/stores/server/eventstore.ts';
import { note } from '../support/events.ts';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { testNamespace, withEventStore } from '../support/servers.ts';
import { eventLogContract, type History } from './event-log.contract.ts';

/** What a server administrator may do to streams. */
function deletions(name: string, urlOf: () => string): void {
  it(`${name}: permanently deleting a stream leaves no server events in the history`, async () => {
    const url = urlOf();
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
      await expect(log.readStream('b')).rejects.toEqual(expect.objectContaining({ name: 'Failure' }));
    } finally {
      stop.abort();
      await Promise.all([log.close(), client.dispose()]);
    }
  });
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
  deletions('a double of EventStoreDB', () => double.url);
}

withEventStore('a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  eventLogContract('a real EventStoreDB', async () => history(server.url));
  deletions('a real EventStoreDB', () => server.url);
});
