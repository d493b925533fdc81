/** Telegram's double, a scripted service and its connectors, new for each test of a file that calls `useTelegram`. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openTelegram, type TelegramOptions } from '../../connectors/telegram/index.ts';
import { type Person, TelegramDouble } from '../support/telegram-double.ts';
import { openScripted, type ScriptedApp } from './harness.ts';

export const ann: Person = { id: 11, first_name: 'Ann', language_code: 'en' };
/** Telegram's rate limits would only slow the tests down. */
const pace = { privateMs: 1, groupMax: 1_000, groupMs: 1_000, secondMax: 1_000, retryMs: 1 };

export let telegram: TelegramDouble;
export let app: ScriptedApp;
/** Keeps what the services of all tests have recorded. */
export let service: ScriptedApp;
let connectors: Connector[] = [];
export const troubles: string[] = [];
export const news: string[] = [];

export function open(options: Partial<TelegramOptions> = {}, of: ScriptedApp = app): Connector {
  const connector = openTelegram(of, {
    ...{ token: telegram.token, apiUrl: telegram.url, pace },
    onTrouble: (sentence) => troubles.push(sentence),
    onNews: (sentence) => news.push(sentence),
    ...options,
  });
  connectors.push(connector);
  connector.start();
  return connector;
}

/** Waits until this many messages of the bot have the footer of an answer. */
export const answered = (chat: number, count = 1) =>
  telegram.until(() => telegram.answers(chat).length >= count);
export const saidIn = (chat: number, count = 1) => telegram.until(() => telegram.said(chat).length >= count);

export function useTelegram(): void {
  beforeAll(async () => {
    service = await openScripted();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    telegram = await TelegramDouble.start();
    app = service.fresh();
    troubles.length = 0;
    news.length = 0;
  });
  afterEach(async () => {
    await Promise.all(connectors.map((connector) => connector.close(1_000)));
    connectors = [];
    await telegram.stop();
    expect(telegram.violations).toEqual([]);
  });
}
