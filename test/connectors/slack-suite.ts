/** Slack's double, a scripted service and its connectors, new for each test of a file that calls `useSlack`. */
import type { Connector } from '../../connectors/connector.ts';
import { openSlack, type SlackOptions } from '../../connectors/slack/index.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { app, recorded, started, useConnectors } from './chat-suite.ts';

export { app, connectors, news, service, troubles } from './chat-suite.ts';

/** Slack's rate limits would slow the tests down, so only the tests of these limits apply them. */
export const pace = { postMs: 1, showMs: 1, retryMs: 1 };
export const bot = '<@UBOT>';

export let slack: SlackDouble;

export const open = (options: Partial<SlackOptions> = {}): Connector =>
  started(
    openSlack(app, {
      token: slack.botToken,
      mode: { appToken: slack.appToken },
      apiUrl: slack.url,
      pace,
      ...recorded,
      ...options,
    }),
  );

/** Waits until this many messages of the bot have the footer of an answer. */
export const answered = (channel: string, count = 1) =>
  slack.until(() => slack.answers(channel).length >= count);
export const saidIn = (channel: string, count = 1) => slack.until(() => slack.said(channel).length >= count);

export const useSlack = (): void =>
  useConnectors(async () => {
    slack = await SlackDouble.start();
    return slack;
  });
