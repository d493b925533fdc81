/** A scripted service and its connectors, new for each test of a file that calls `useConnectors`. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openScripted, type ScriptedApp } from './harness.ts';

export let app: ScriptedApp;
/** Keeps what the services of all tests have recorded. */
export let service: ScriptedApp;
export let connectors: Connector[] = [];
export const troubles: string[] = [];
export const news: string[] = [];
/** Options that record a connector's messages to the operator. */
export const recorded = {
  onTrouble: (sentence: string) => troubles.push(sentence),
  onNews: (sentence: string) => news.push(sentence),
};

/** Starts a connector and closes it after the test. */
export function started(connector: Connector): Connector {
  connectors.push(connector);
  connector.start();
  return connector;
}

/** `start`: starts the double of a platform, whose violations fail the test. */
export function useConnectors(start: () => Promise<{ violations: unknown[]; stop(): Promise<void> }>): void {
  let platform: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    service = await openScripted();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    platform = await start();
    app = service.fresh();
    troubles.length = 0;
    news.length = 0;
  });
  afterEach(async () => {
    await Promise.all(connectors.map((connector) => connector.close(1_000)));
    connectors = [];
    await platform.stop();
    expect(platform.violations).toEqual([]);
  });
}
