/** Telegram's double, a scripted service and its connectors, new for each test of a file that calls `useTelegram`. */
import type { Connector } from '../../connectors/connector.ts';
import { openTelegram, type TelegramOptions } from '../../connectors/telegram/index.ts';
import { type Person, TelegramDouble } from '../support/telegram-double.ts';
import { app, recorded, started, useConnectors } from './chat-suite.ts';
import type { ScriptedApp } from './harness.ts';

export { app, news, service, troubles } from './chat-suite.ts';

export const ann: Person = { id: 11, first_name: 'Ann', language_code: 'en' };
/** Telegram's rate limits would only slow the tests down. */
const pace = { privateMs: 1, groupMax: 1_000, groupMs: 1_000, secondMax: 1_000, retryMs: 1 };

export let telegram: TelegramDouble;

export const open = (options: Partial<TelegramOptions> = {}, of: ScriptedApp = app): Connector =>
  started(openTelegram(of, { token: telegram.token, apiUrl: telegram.url, pace, ...recorded, ...options }));

/** Waits until this many messages of the bot have the footer of an answer. */
export const answered = (chat: number, count = 1) =>
  telegram.until(() => telegram.answers(chat).length >= count);
export const saidIn = (chat: number, count = 1) => telegram.until(() => telegram.said(chat).length >= count);

export const useTelegram = (): void =>
  useConnectors(async () => {
    telegram = await TelegramDouble.start();
    return telegram;
  });
