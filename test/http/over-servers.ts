/**
 * Runs a contract over every configuration with servers: real ones if available, otherwise an EventStoreDB double.
 */
import { describe } from 'vitest';
import type { Config } from '../../src/config.ts';
import { shared } from '../stories/wirings.ts';
import { eventStoreOrDouble, testNamespace, withRedis } from '../support/servers.ts';

const namespace = () => ({ DOCENT_NAMESPACE: testNamespace() });

/** `servers`: their addresses, read once the suites have started them. */
export function overServers(contract: (wiring: string, servers: () => Partial<Config>) => void): void {
  describe('with EventStoreDB', () => {
    const eventStore = shared(eventStoreOrDouble);
    contract('EventStoreDB and the data folder', () => ({ ...namespace(), EVENTSTOREDB_URL: eventStore() }));

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
