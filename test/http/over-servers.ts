/** A contract over every wiring with servers: real ones where they are; for EventStoreDB a double where it is not. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Config } from '../../src/config.ts';
import { eventStoreOrDouble, testNamespace, withRedis } from '../support/servers.ts';

/** Starts a server for the suites around it; its address. */
function shared(start: () => Promise<{ url: string; stop(): Promise<void> }>): () => string {
  let server: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server.url;
}

const namespace = () => ({ DOCENT_NAMESPACE: testNamespace() });

/** `servers`: their addresses, to be asked for once the suites have started them. */
export function overServers(contract: (wiring: string, servers: () => Partial<Config>) => void): void {
  describe('with EventStoreDB', () => {
    const eventStore = shared(eventStoreOrDouble);
    contract('EventStoreDB and the data folder', () => ({
      ...namespace(),
      EVENTSTOREDB_URL: eventStore(),
    }));

    withRedis('with a real Redis', (start) => {
      const redis = shared(start);
      contract('the data folder and Redis', () => ({ ...namespace(), REDIS_URL: redis() }));
      contract('EventStoreDB and Redis', () => ({
        ...namespace(),
        EVENTSTOREDB_URL: eventStore(),
        REDIS_URL: redis(),
      }));
    });
  });
}
