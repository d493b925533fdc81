/** Servers of the enclosing suites. */
import { afterAll, beforeAll } from 'vitest';

/** Starts a server for the enclosing suite; returns its address. */
export function shared(start: () => Promise<{ url: string; stop(): Promise<void> }>): () => string {
  let server: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server.url;
}
