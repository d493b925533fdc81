/** Slack's double, a scripted service and its connectors, new for each test of a file that calls `useSlack`. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openSlack, type SlackOptions } from '../../connectors/slack/index.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { openScripted, type ScriptedApp } from './harness.ts';

/** Slack's rate limits would slow the tests down, so only the tests of these limits apply them. */
export const pace = { postMs: 1, showMs: 1, retryMs: 1 };
export const bot = '<@UBOT>';

export let slack: SlackDouble;
export let app: ScriptedApp;
/** Keeps what the services of all tests have recorded. */
export let service: ScriptedApp;
export let connectors: Connector[] = [];
export const troubles: string[] = [];
export const news: string[] = [];

export function open(options: Partial<SlackOptions> = {}): Connector {
  const connector = openSlack(app, {
    token: slack.botToken,
    mode: { appToken: slack.appToken },
    apiUrl: slack.url,
    pace,
    onTrouble: (sentence) => troubles.push(sentence),
    onNews: (sentence) => news.push(sentence),
    ...options,
  });
  connectors.push(connector);
  connector.start();
  return connector;
}

/** Waits until this many messages of the bot have the footer of an answer. */
export const answered = (channel: string, count = 1) =>
  slack.until(() => slack.answers(channel).length >= count);
export const saidIn = (channel: string, count = 1) => slack.until(() => slack.said(channel).length >= count);

export function useSlack(): void {
  beforeAll(async () => {
    service = await openScripted();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    slack = await SlackDouble.start();
    app = service.fresh();
    troubles.length = 0;
    news.length = 0;
  });
  afterEach(async () => {
    await Promise.all(connectors.map((connector) => connector.close(1_000)));
    connectors = [];
    await slack.stop();
    expect(slack.violations).toEqual([]);
  });
}
