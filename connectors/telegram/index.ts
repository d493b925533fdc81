/**
 * Runs Docent in Telegram. Either one process at a time polls for updates, or Telegram posts them to a webhook,
 * authenticated by a secret.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Telegraf } from 'telegraf';
import type { Update } from 'telegraf/types';
import { renewMs } from '../../src/ports/leases.ts';
import type { CorporaByChat } from '../chat-corpora.ts';
import type { Connector, Webhook } from '../connector.ts';
import { corporaFaults, Lifecycle, pauseMs } from '../lifecycle.ts';
import { realTime, type Time } from '../pace.ts';
import type { ChatApp } from '../platform.ts';
import { texts } from '../texts.ts';
import { Api, type Pace } from './api.ts';
import { TelegramBot } from './bot.ts';

export interface TelegramOptions {
  token: string;
  /** An alternative base URL for the Bot API. */
  apiUrl?: string | null;
  /** The webhook to which updates are posted. If null, the connector polls for them. */
  webhook?: { url: string; secret: string } | null;
  corporaByChat?: CorporaByChat;
  /** Whether people can open the sources of answers, which requires a public address of the service. Default: true. */
  opensSources?: boolean;
  pace?: Partial<Pace>;
  /** The clock used for the rate limits. Default: real time. */
  time?: Time;
  /** Receives messages for the operator, which never contain text written by people. */
  onTrouble?: (sentence: string) => void;
  /** Receives reports that the connector is working. */
  onNews?: (sentence: string) => void;
  /** The current time in ms, to compare with the dates of messages. */
  now?: () => number;
}

const updatesWanted = ['message', 'edited_message', 'callback_query', 'inline_query', 'my_chat_member'];
const pollSeconds = 50;
const updatesMax = 100;

export function openTelegram(app: ChatApp, options: TelegramOptions): Connector {
  const connection = new TelegramConnection(app, options);
  const { webhook } = options;
  return {
    door: webhook ? `Telegram (receiving at ${new URL(webhook.url).pathname})` : 'Telegram (connecting)',
    webhook: connection.webhook,
    start: () => connection.start(),
    close: (drainMs) => connection.close(drainMs),
  };
}

class TelegramConnection {
  readonly #app: ChatApp;
  readonly #options: TelegramOptions;
  readonly #telegraf: Telegraf;
  readonly #api: Api;
  readonly #life: Lifecycle<TelegramBot>;
  readonly #onTrouble: (sentence: string) => void;

  constructor(app: ChatApp, options: TelegramOptions) {
    this.#app = app;
    this.#options = options;
    this.#onTrouble = options.onTrouble ?? (() => {});
    const { onNews = () => {} } = options;
    this.#life = new Lifecycle({
      platform: 'Telegram',
      describe,
      pauseAfter,
      onTrouble: this.#onTrouble,
      onNews,
    });
    this.#telegraf = new Telegraf(options.token, {
      telegram: { apiRoot: options.apiUrl ?? 'https://api.telegram.org', webhookReply: false },
    });
    // Pass errors to the caller that delivered the update instead of logging them.
    this.#telegraf.catch((error) => {
      throw error;
    });
    this.#api = new Api(this.#telegraf.telegram, {
      leave: this.#life.leaving,
      time: options.time ?? realTime,
      ...(options.pace && { pace: options.pace }),
    });
  }

  get webhook(): Webhook | null {
    const { webhook } = this.#options;
    if (!webhook) return null;
    const isPlausible: Webhook['isPlausible'] = (headers) =>
      isSame(headers['x-telegram-bot-api-secret-token'], webhook.secret);
    return {
      path: new URL(webhook.url).pathname,
      isPlausible,
      receive: async (headers, body) => {
        if (!isPlausible(headers)) return { status: 401 };
        let update: Update;
        try {
          update = JSON.parse(body.toString('utf8'));
        } catch {
          return { status: 400 };
        }
        if (this.#life.closing.aborted || this.#life.bot === null) return { status: 503 };
        try {
          await this.#take(update);
          return { status: 200 };
        } catch {
          // Telegram posts the update again.
          return { status: 503 };
        }
      },
    };
  }

  start(): void {
    this.#life.start(() => this.#run());
  }

  close(drainMs: number): Promise<void> {
    return this.#life.close(drainMs);
  }

  /** Connects, then polls or receives updates until the connector is closed. It continues after any error. */
  async #run(): Promise<void> {
    const bot = await this.#life.patiently(() => this.#connect());
    if (bot === null) return;
    this.#telegraf.use((context) => bot.take(context.update));
    this.#life.bot = bot;
    const takingOver = this.#life.takeOver(bot);
    await this.#introduce();
    await (this.#options.webhook ? this.#listen() : this.#poll());
    await takingOver;
  }

  async #connect(): Promise<TelegramBot> {
    const me = await this.#telegraf.telegram.getMe();
    this.#telegraf.botInfo = me;
    await this.#app.chats.open();
    await this.#check();
    return new TelegramBot({
      app: this.#app,
      api: this.#api,
      me,
      corporaByChat: this.#options.corporaByChat ?? null,
      leave: this.#life.leaving,
      time: this.#options.time ?? realTime,
      ...(this.#options.now && { now: this.#options.now }),
      onTrouble: this.#onTrouble,
    });
  }

  /** Passes the update through telegraf so that its middleware sees it. */
  async #take(update: Update): Promise<void> {
    await this.#telegraf.handleUpdate(update);
  }

  #how(): string {
    return `as @${this.#telegraf.botInfo!.username}`;
  }

  async #check(): Promise<void> {
    const { corporaByChat = null, opensSources = true } = this.#options;
    const faults = await corporaFaults(this.#app, corporaByChat, 'TELEGRAM_CORPORA');
    for (const fault of faults) this.#onTrouble(fault);
    if (!opensSources)
      this.#onTrouble(
        'Sources cannot be opened from Telegram: set DOCENT_PUBLIC_URL to the public address of this service.',
      );
  }

  /** Sets the menu of commands in each language. */
  async #introduce(): Promise<void> {
    for (const [language_code, { commands }] of [...Object.entries(texts), ['', texts.en] as const])
      await this.#api.decorate('setMyCommands', {
        commands: Object.entries(commands).map(([command, description]) => ({ command, description })),
        ...(language_code !== '' && { language_code }),
      });
  }

  async #listen(): Promise<void> {
    const { closing } = this.#life;
    const { url, secret } = this.#options.webhook!;
    await this.#life.patiently(() =>
      this.#api.once('setWebhook', { url, secret_token: secret, allowed_updates: updatesWanted }),
    );
    if (closing.aborted) return;
    this.#life.works(`${this.#how()}; it posts to ${new URL(url).pathname}`);
    await new Promise<void>((resolve) => closing.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Polls while this process holds the lease. Other processes wait for the lease to become free. */
  async #poll(): Promise<void> {
    const { closing } = this.#life;
    const { leases } = this.#app;
    const lease = `telegram ${this.#telegraf.botInfo!.id}`;
    while (!closing.aborted) {
      const isOurs = await leases.take(lease).catch(() => false);
      if (isOurs) await this.#pollWhileHeld(lease);
      else await realTime.sleep(renewMs, closing);
    }
    await leases.release(lease).catch(() => {});
  }

  async #pollWhileHeld(lease: string): Promise<void> {
    const lost = new AbortController();
    const until = AbortSignal.any([this.#life.closing, lost.signal]);
    const renewal = setInterval(() => {
      this.#app.leases.take(lease).then(
        (isOurs) => {
          if (!isOurs) lost.abort();
        },
        () => lost.abort(),
      );
    }, renewMs);
    let offset = 0;
    let needsHook = true;
    try {
      while (!until.aborted) {
        try {
          if (needsHook) await this.#api.once('deleteWebhook', {});
          needsHook = false;
          const updates = await this.#api.once<Update[]>(
            'getUpdates',
            {
              timeout: pollSeconds,
              limit: updatesMax,
              allowed_updates: updatesWanted,
              ...(offset > 0 && { offset }),
            },
            AbortSignal.any([until, AbortSignal.timeout((pollSeconds + 15) * 1_000)]),
          );
          await this.#takeAll(updates);
          const last = updates.at(-1);
          if (last) offset = last.update_id + 1;
          this.#life.works(this.#how());
        } catch (error) {
          if (until.aborted) break;
          this.#life.report(error);
          await realTime.sleep(pauseAfter(error), until);
        }
      }
    } finally {
      clearInterval(renewal);
    }
    // Acknowledge accepted updates to Telegram so that another process does not receive them again.
    if (offset > 0 && !lost.signal.aborted)
      await this.#api.decorate('getUpdates', { offset, limit: 1, timeout: 0 });
  }

  /**
   * Handles each chat's updates in order, and different chats in parallel. Rejects if one of the updates could not
   * be recorded.
   */
  async #takeAll(updates: readonly Update[]): Promise<void> {
    const byChat = Map.groupBy(updates, chatIdOf);
    await Promise.all(
      [...byChat.values()].map(async (some) => {
        for (const update of some) await this.#take(update);
      }),
    );
  }
}

function describe(error: unknown): string | null {
  const response = (error as { response?: { error_code: number } } | null)?.response;
  if (response?.error_code === 401 || response?.error_code === 404)
    return 'it rejected TELEGRAM_BOT_TOKEN; copy the token that @BotFather shows for the bot';
  if (response?.error_code === 409)
    return "another program is polling for this bot's updates: stop it, or set TELEGRAM_WEBHOOK_URL for all instances";
  return response ? `it responded with error ${response.error_code}` : null;
}

function pauseAfter(error: unknown): number {
  const parameters = (error as { response?: { parameters?: { retry_after?: number } } } | null)?.response
    ?.parameters;
  return parameters?.retry_after === undefined ? pauseMs : parameters.retry_after * 1_000;
}

function chatIdOf(update: Update): number {
  const one = update as unknown as Record<
    string,
    { chat?: { id: number }; message?: { chat: { id: number } } }
  >;
  for (const kind of updatesWanted) {
    const id = one[kind]?.chat?.id ?? one[kind]?.message?.chat.id;
    if (id !== undefined) return id;
  }
  return 0;
}

/** Compares in constant time, so that the duration reveals nothing about the secret. */
function isSame(sent: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(secret));
}
