import { afterAll, beforeAll } from 'vitest';
import type { EventLog } from '../../src/ports/event-log.ts';
import { EventStoreLog } from '../../src/stores/server/eventstore.ts';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { testNamespace, withEventStore } from '../support/servers.ts';
import { eventLogContract, type History } from './event-log.contract.ts';

/** A namespace of its own on the server makes a history of its own. */
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
  eventLogContract('EventStoreDB, the double', async () => history(double.url));
}

withEventStore('a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  eventLogContract('EventStoreDB, a real one', async () => history(server.url));
});
