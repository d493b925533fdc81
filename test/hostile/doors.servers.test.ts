/** The same tests over real servers, if available. */
import { afterAll, beforeAll } from 'vitest';
import { testNamespace, withEventStore, withRedis } from '../support/servers.ts';
import { hostileDoors } from './doors.contract.ts';

withEventStore('hostile clients, with EventStoreDB', (startEventStore) => {
  withRedis('hostile clients, with EventStoreDB and Redis', (startRedis) => {
    const servers: { url: string; stop(): Promise<void> }[] = [];
    beforeAll(async () => {
      servers.push(await startEventStore(), await startRedis());
    });
    afterAll(async () => {
      for (const server of servers) await server.stop();
    });
    hostileDoors(
      'EventStoreDB and Redis',
      () => ({
        DOCENT_NAMESPACE: testNamespace(),
        EVENTSTOREDB_URL: servers[0]!.url,
        REDIS_URL: servers[1]!.url,
      }),
      { random: 0.005 },
    );
  });
});
