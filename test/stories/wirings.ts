/** A story over every wiring of the stores: each must see what the embedded one sees. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { testNamespace } from '../support/servers.ts';
import type { Servers } from './story.ts';

/** Registers a case for each wiring it is called with. */
export const sameOver =
  (story: (servers: Partial<Servers>) => Promise<unknown>, reference: () => unknown) =>
  (wiring: string, servers: () => Partial<Servers>): void => {
    it(`is the same over ${wiring}`, async () => {
      expect(await story({ DOCENT_NAMESPACE: testNamespace(), ...servers() })).toEqual(reference());
    });
  };

/** Starts a server for the suite around it. */
export function shared(start: () => Promise<{ url: string; stop(): Promise<void> }>): () => string {
  let server: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server.url;
}

export const startDouble = async () => {
  const double = await EventStoreDouble.start();
  return { url: double.url, stop: () => double.stop() };
};
