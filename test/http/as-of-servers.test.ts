/** The past over servers: real ones where they are; for EventStoreDB a double where it is not. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { eventStoreOrDouble, withRedis } from '../support/servers.ts';
import { asOfContract } from './as-of.contract.ts';

/** Starts a server for the suites around it; its address. */
function shared(start: () => Promise<{ url: string; stop(): Promise<void> }>): () => string {
  let server: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server.url;
}

const namespace = () => ({ DOCENT_NAMESPACE: `test-${randomUUID()}` });

describe('with EventStoreDB', () => {
  const eventStore = shared(eventStoreOrDouble);
  asOfContract('EventStoreDB and the data folder', () => ({
    ...namespace(),
    EVENTSTOREDB_URL: eventStore(),
  }));

  withRedis('with a real Redis', (start) => {
    const redis = shared(start);
    asOfContract('the data folder and Redis', () => ({ ...namespace(), REDIS_URL: redis() }));
    asOfContract('EventStoreDB and Redis', () => ({
      ...namespace(),
      EVENTSTOREDB_URL: eventStore(),
      REDIS_URL: redis(),
    }));
  });
});
